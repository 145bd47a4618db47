"""Results of sides of two bots as counted rows, and as a linear model of their abilities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.rating.results import require_rows, whole_numbers

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class TeamResults:
    """Matches of two sides of two bots each, equal ones counted: one row a (sides, outcome).

    Raises ValueError where a row can't have happened.
    """

    first: Ints
    """(rows, 2): indices of the two bots of the first side, from 0; they may be the same."""
    second: Ints
    """(rows, 2): the bots of the second side, not both the same as those of the first."""
    games: Ints
    """Games of one match, at least 1."""
    score: Floats
    """Points of the first side in these games: 0 to `games` in halves."""
    count: Ints
    """How many matches went exactly so, at least 1."""

    def __post_init__(self) -> None:
        for name in ("first", "second", "games", "count"):
            object.__setattr__(self, name, whole_numbers(getattr(self, name), name))
        object.__setattr__(self, "score", np.asarray(self.score, dtype=np.float64))
        rows = len(self.games)
        columns = (self.games, self.score, self.count)
        if any(column.shape != (rows,) for column in columns):
            raise ValueError("the columns of the results differ in length")
        if any(side.shape != (rows, 2) for side in (self.first, self.second)):
            raise ValueError("a side has two bots")
        sides = np.sort(np.stack([self.first, self.second]), axis=2)
        require_rows(np.any(sides[0] != sides[1], axis=1), "a pair can't be its own opponent")
        require_rows(np.all(self.bots >= 0, axis=1), "bot indices start at 0")
        require_rows((self.games >= 1) & (self.count >= 1), "games and count are at least 1")
        require_rows((self.score >= 0) & (self.score <= self.games), "a score is 0 to games")
        require_rows(self.score * 2 % 1 == 0, "scores come in halves")

    @property
    def bots(self) -> Ints:
        """(rows, 4): the bots of both sides."""
        return np.concatenate([self.first, self.second], axis=1)


@dataclass(frozen=True, eq=False)
class Design:
    """Rows as a linear model: the log-odds of a row are the sum of weight times ability."""

    bots: Ints
    """(rows, 4): the bots of both sides."""
    weight: Floats
    """(rows, 4): how often a bot sits on the first side less how often on the second, where it
    stands first in the row; 0 where it comes again."""
    size: int
    """One more than the highest bot index."""

    def log_odds(self, ability: Floats) -> Floats:
        """Log-odds of each row's first side."""
        odds: Floats = (self.weight * ability[self.bots]).sum(axis=1)
        return odds

    def sums(self, values: Floats) -> Floats:
        """For each bot the sum over rows of weight times the row's value."""
        weights = self.weight * values[:, None]
        return scattered(self.bots, weights, self.size)

    def seated(self, values: Floats | Ints) -> Floats:
        """For each bot the sum of the row's value over the rows that it sits in."""
        once = np.where(_came_before(self.bots), 0, values[:, None])
        return scattered(self.bots, once, self.size)

    def outer_products(self, values: Floats) -> Floats:
        """Sum over rows of the value times the outer product of the row's weights by bot."""
        total = np.zeros(self.size**2)
        for i in range(4):
            for j in range(4):
                cells = self.bots[:, i] * self.size + self.bots[:, j]
                weights = self.weight[:, i] * self.weight[:, j] * values
                total += scattered(cells, weights, self.size**2)
        return total.reshape(self.size, self.size)


def design(results: TeamResults) -> Design:
    """The linear model of these results."""
    bots = results.bots
    same = bots[:, :, None] == bots[:, None, :]
    weight = (same * np.array([1.0, 1.0, -1.0, -1.0])).sum(axis=2)
    weight[_came_before(bots)] = 0
    return Design(bots, weight, int(bots.max(initial=-1)) + 1)


def _came_before(bots: Ints) -> NDArray[np.bool_]:
    """(rows, 4): whether a row's bot stands at an earlier place of the row as well."""
    same = bots[:, :, None] == bots[:, None, :]
    before: NDArray[np.bool_] = np.tril(same, -1).any(axis=2)
    return before


def scattered(cells: Ints, weights: Floats | Ints, size: int) -> Floats:
    """The weights of equal cells added up, as an array of this size."""
    sums = np.bincount(cells.ravel(), weights.ravel(), size)
    return sums.astype(np.float64, copy=False)
