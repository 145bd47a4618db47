"""Ratings as pure folds over stored results: nothing here plays, reads or writes."""

from arena.rating.bradley_terry import fit
from arena.rating.connection import NoFiniteRatings
from arena.rating.group import ELO, FEWEST_MATCHES, Group, Rating
from arena.rating.results import PairScore, Results
from arena.rating.tails import NORMAL_95

__all__ = [
    "ELO",
    "FEWEST_MATCHES",
    "NORMAL_95",
    "Group",
    "NoFiniteRatings",
    "PairScore",
    "Rating",
    "Results",
    "fit",
]
