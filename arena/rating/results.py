"""Results of a pool as counted rows: what every fit of ratings starts from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
PairScore = tuple[int, int, int, float]
"""(a, b, games, score): in one match a and b met in so many games, a scored so much."""


@dataclass(frozen=True, eq=False)
class Results:
    """All matches of a pool, equal ones counted: one row a (pair, outcome).

    A match of two sides is one row. A match of more sides (a rotation set) is one row a pair of
    its bots, tied together by `cluster`, since these scores come from the same games. A forfeited
    game is a loss, a voided match has no row. Raises ValueError where a row can't have happened.
    """

    a: Ints
    """Index of the first bot, from 0."""
    b: Ints
    """Index of the second bot, never the first."""
    games: Ints
    """Games of this pair in one match, at least 1."""
    score: Floats
    """Points of `a` in these games: 0 to `games` in halves (win 1, draw 1/2)."""
    count: Ints
    """How many matches went exactly so, at least 1."""
    cluster: Ints | None = None
    """Rows with the same id belong to the same match (and have the same count); None: no two do."""

    def __post_init__(self) -> None:
        self._become_arrays()
        columns = [self.a, self.b, self.games, self.score, self.count]
        columns += [] if self.cluster is None else [self.cluster]
        if any(column.shape != (len(self.a),) for column in columns):
            raise ValueError("the columns of the results differ in length")
        require_rows(self.a != self.b, "a bot can't be its own opponent")
        require_rows((self.a >= 0) & (self.b >= 0), "bot indices start at 0")
        require_rows((self.games >= 1) & (self.count >= 1), "games and count are at least 1")
        require_rows((self.score >= 0) & (self.score <= self.games), "a score is 0 to games")
        require_rows(self.score * 2 % 1 == 0, "scores come in halves")

    def _become_arrays(self) -> None:
        for name in ("a", "b", "games", "count"):
            object.__setattr__(self, name, whole_numbers(getattr(self, name), name))
        object.__setattr__(self, "score", np.asarray(self.score, dtype=np.float64))
        if self.cluster is not None:
            object.__setattr__(self, "cluster", whole_numbers(self.cluster, "cluster"))

    @property
    def bots(self) -> int:
        """One more than the highest bot index that occurs; 0 without any row."""
        return int(max(self.a.max(initial=-1), self.b.max(initial=-1))) + 1

    @classmethod
    def from_matches(cls, matches: Iterable[Sequence[PairScore]]) -> Results:
        """Count a few matches, each given as the scores of its pairs (one pair: two sides)."""
        counted = Counter(tuple(sorted(map(_lower_first, match))) for match in matches)
        rows = [
            (*pair, count, cluster)
            for cluster, (match, count) in enumerate(counted.items())
            for pair in match
        ]
        table = np.array(rows, dtype=np.float64).reshape(-1, 6)
        a, b, games, count, cluster = table[:, [0, 1, 2, 4, 5]].T.astype(np.int64)
        several = len(rows) > len(counted)
        return cls(a, b, games, table[:, 3], count, cluster if several else None)


def _lower_first(pair: PairScore) -> PairScore:
    a, b, games, score = pair
    return pair if a < b else (b, a, games, games - score)


def whole_numbers(values: Ints, name: str) -> Ints:
    """The values as an array of integers. Raises ValueError for any other kind of number."""
    array = np.asarray(values)
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"{name} must be whole numbers")
    return array.astype(np.int64, copy=False)


def require_rows(holds: NDArray[np.bool_], otherwise: str) -> None:
    """Raise ValueError that names the first row where it does not hold."""
    if not holds.all():
        raise ValueError(f"row {int(np.argmin(holds))} of the results: {otherwise}")


@dataclass(frozen=True, eq=False)
class Appearances:
    """Which bot took part in which match, one entry a (match, bot), sorted by both."""

    bot: Ints
    match: Ints
    count: Ints
    """How often this match was played; the same for all entries of a match."""
    of_a: Ints
    """For each row of the results, the entry of its first bot ..."""
    of_b: Ints
    """... and of its second."""

    def sums(self, row_values: Floats) -> Floats:
        """For each entry, the sum of a value of rows: plus for its `a`, minus for its `b`."""
        size = len(self.bot)
        plus = np.bincount(self.of_a, row_values, size).astype(np.float64, copy=False)
        return plus - np.bincount(self.of_b, row_values, size)


def appearances(results: Results) -> Appearances:
    """Index the rows of clustered results by match and bot.

    Raises ValueError if the rows of a cluster have different counts.
    """
    ids = np.arange(len(results.a)) if results.cluster is None else results.cluster
    _, first, match = np.unique(ids, return_index=True, return_inverse=True)
    require_rows(results.count == results.count[first][match], "its cluster has another count")
    bots = max(results.bots, 1)
    keys, entry = np.unique(
        np.concatenate([match * bots + results.a, match * bots + results.b]), return_inverse=True
    )
    matches = keys // bots
    rows = len(results.a)
    return Appearances(
        keys % bots, matches, results.count[first][matches], entry[:rows], entry[rows:]
    )
