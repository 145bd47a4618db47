"""Results by name, counted as they come: memory grows with pairs that met, never with matches."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from math import fsum

import numpy as np
from numpy.typing import NDArray

from arena.rating.match_result import BadResults, MatchResult
from arena.rating.point_sums import PointSums
from arena.rating.results import Results

MOST_BOTS = 2000
"""A fit needs some matrices of bots x bots."""
_OUTCOMES = ((1, 0.0), (1, 0.5), (1, 1.0), (2, 0.0), (2, 0.5), (2, 1.0), (2, 1.5), (2, 2.0))
"""(games, score of the first) for each count that is kept of a pair."""
_PLACE = {outcome: place for place, outcome in enumerate(_OUTCOMES)}
_SUMS = 6
"""Kept of the points of a pair: matches, margins, deals, squares, products, squared deals."""


class Tally:
    """Counted results; bots are numbered in the order in which they come."""

    def __init__(self) -> None:
        self.names: list[str] = []
        """The bots by number."""
        self._numbers: dict[str, int] = {}
        self._slots: dict[int, int] = {}
        self._counts = array("q")
        self._points = array("d")

    def add(self, result: MatchResult) -> None:
        """Count a match. Raises ValueError for too many bots."""
        a, b = self._number(result.a), self._number(result.b)
        games, score, margin = len(result.scores), sum(result.scores), fsum(result.points or ())
        if a > b:
            a, b, score, margin = b, a, games - score, -margin
        slot = self._slot(a * MOST_BOTS + b)
        self._counts[slot * len(_OUTCOMES) + _PLACE[games, score]] += 1
        if result.points:
            deals = len(result.points)
            row = (1.0, margin, deals, margin * margin, margin * deals, deals * deals)
            for place, value in enumerate(row, slot * _SUMS):
                self._points[place] += value

    def results(self) -> Results:
        """All that was counted, as the rating's rows."""
        counts = np.array(self._counts).reshape(-1, len(_OUTCOMES))
        first, second = self._pairs()
        slot, outcome = np.nonzero(counts)
        games, score = np.array(_OUTCOMES)[outcome].T
        return Results(
            first[slot], second[slot], games.astype(np.int64), score, counts[slot, outcome]
        )

    def points(self) -> PointSums:
        """The points of all pairs that have any, as those of the first bot less the second's."""
        sums = np.array(self._points).reshape(-1, _SUMS)
        met = sums[:, 0] > 0
        matches, margins, deals, squares, products, squared_deals = sums[met].T
        none = np.zeros(len(matches))
        return PointSums(
            np.stack(self._pairs(), axis=1)[met],
            matches.astype(np.int64),
            np.stack([margins, none, deals], axis=1),
            np.stack([squares, none, products, none, none, squared_deals], axis=1),
        )

    def _number(self, name: str) -> int:
        number = self._numbers.get(name)
        if number is None:
            number = len(self.names)
            if number == MOST_BOTS:
                raise ValueError(f"more than {MOST_BOTS} bots")
            self._numbers[name] = number
            self.names.append(name)
        return number

    def _slot(self, pair: int) -> int:
        slot = self._slots.get(pair)
        if slot is None:
            slot = self._slots[pair] = len(self._slots)
            self._counts.extend((0,) * len(_OUTCOMES))
            self._points.extend((0.0,) * _SUMS)
        return slot

    def _pairs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The numbers of both bots of each slot."""
        pairs = np.fromiter(self._slots, np.int64, len(self._slots))
        return pairs // MOST_BOTS, pairs % MOST_BOTS


def tally_of(results: Iterable[tuple[int, MatchResult]]) -> Tally:
    """Count all these matches. Raises BadResults, with the line, for too many bots."""
    tally = Tally()
    for number, result in results:
        try:
            tally.add(result)
        except ValueError as error:
            raise BadResults(f"line {number}: {error}") from None
    return tally
