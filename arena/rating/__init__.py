"""Ratings as pure folds over stored results: nothing here plays, reads or writes."""

from arena.rating.bradley_terry import fit
from arena.rating.connection import NoFiniteRatings
from arena.rating.disagreement import Agreement, agreement
from arena.rating.group import ELO, FEWEST_MATCHES, Group, Rating
from arena.rating.history import HistoryPoint, online_elo
from arena.rating.likelihood_ratio import Model, multinomial_llr, normal_llr
from arena.rating.luck import LuckFit, LuckSums, WinShare, adjust
from arena.rating.match_result import BadResults, MatchResult
from arena.rating.match_scores import Strength, strength
from arena.rating.planned import planned_errors
from arena.rating.point_sums import PairingPoints, PointSums, no_points, point_sums
from arena.rating.points import PointsGroup, PointsRating, fit_points
from arena.rating.results import PairScore, Results
from arena.rating.results_file import match_results
from arena.rating.sequential import (
    Bounds,
    Decision,
    EloHypotheses,
    Look,
    PointsHypotheses,
    look_at_points,
    look_at_scores,
)
from arena.rating.signals import TimeSignal, time_signal
from arena.rating.stopped import Adjusted
from arena.rating.tails import NORMAL_95
from arena.rating.tally import Tally, tally_of
from arena.rating.team_results import TeamResults
from arena.rating.teams import fit_teams

__all__ = [
    "ELO",
    "FEWEST_MATCHES",
    "NORMAL_95",
    "Adjusted",
    "Agreement",
    "BadResults",
    "Bounds",
    "Decision",
    "EloHypotheses",
    "Group",
    "HistoryPoint",
    "Look",
    "LuckFit",
    "LuckSums",
    "MatchResult",
    "Model",
    "NoFiniteRatings",
    "PairScore",
    "PairingPoints",
    "PointSums",
    "PointsGroup",
    "PointsHypotheses",
    "PointsRating",
    "Rating",
    "Results",
    "Strength",
    "Tally",
    "TeamResults",
    "TimeSignal",
    "WinShare",
    "adjust",
    "agreement",
    "fit",
    "fit_points",
    "fit_teams",
    "look_at_points",
    "look_at_scores",
    "match_results",
    "multinomial_llr",
    "no_points",
    "normal_llr",
    "online_elo",
    "planned_errors",
    "point_sums",
    "strength",
    "tally_of",
    "time_signal",
]
