"""Ratings as pure folds over stored results: nothing here plays, reads or writes."""

from arena.rating.bradley_terry import fit
from arena.rating.connection import NoFiniteRatings
from arena.rating.disagreement import Agreement, agreement
from arena.rating.group import ELO, FEWEST_MATCHES, Group, Rating
from arena.rating.point_sums import PairingPoints, PointSums, no_points, point_sums
from arena.rating.points import PointsGroup, PointsRating, fit_points
from arena.rating.results import PairScore, Results
from arena.rating.tails import NORMAL_95
from arena.rating.team_results import TeamResults
from arena.rating.teams import fit_teams

__all__ = [
    "ELO",
    "FEWEST_MATCHES",
    "NORMAL_95",
    "Agreement",
    "Group",
    "NoFiniteRatings",
    "PairScore",
    "PairingPoints",
    "PointSums",
    "PointsGroup",
    "PointsRating",
    "Rating",
    "Results",
    "TeamResults",
    "agreement",
    "fit",
    "fit_points",
    "fit_teams",
    "no_points",
    "point_sums",
]
