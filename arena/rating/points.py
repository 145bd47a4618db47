"""Points a deal: a linear model of score differences, from sums over the matches of a pairing.

In every counted deal the difference between two entrants' points is the difference of their
values plus noise; the values are the ordinary least squares over all deals. More than two
entrants are taken apart into all their pairs. Errors are clustered by match (Liang and Zeger,
Biometrika 73, 1986, no small-sample factor). Which deals count is the caller's to say: those of
forfeited games don't.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.rating.connection import connected_groups
from arena.rating.group import FEWEST_MATCHES
from arena.rating.point_sums import PointSums
from arena.rating.superiority import pairwise_z, superiority
from arena.rating.tails import NORMAL_95

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_CERTAIN = 1e6
"""A difference of so many standard errors was the same in every match, but for rounding."""


@dataclass(frozen=True, slots=True)
class PointsRating:
    """One bot's points a deal among those it is connected with."""

    bot: int
    """Its index in the pairings."""
    value: float
    """Points more than an opponent of the group's mean strength would get in the same deal."""
    se: float
    """Standard error against the mean of the group."""
    low: float
    """Lower end of the 95 % interval."""
    high: float
    """Upper end of the 95 % interval."""
    matches: int
    """Matches with counted deals that it took part in."""
    deals: int
    """Counted deals that it took part in."""
    provisional: bool
    """Fewer than 10 matches: show no plus or minus."""


@dataclass(frozen=True, eq=False)
class PointsGroup:
    """Bots that counted deals connect. All matrices follow the order of `ratings`."""

    ratings: tuple[PointsRating, ...]
    """In descending value; their values have mean 0."""
    covariance: Floats
    """Joint covariance of the values in points squared, rows summing to zero."""
    superiority: Floats
    """[i, j]: likelihood that bot i makes more points than bot j; NaN where every
    match had the same difference, so that nothing says how much of it is luck."""

    def difference_se(self, i: int, j: int) -> float:
        """Standard error of the difference of the i-th and the j-th value, in points a deal."""
        c = self.covariance
        return float(np.sqrt(max(c[i, i] + c[j, j] - 2 * c[i, j], 0)))


def fit_points(sums: Sequence[PointSums]) -> tuple[PointsGroup, ...]:
    """Value all bots in these pairings, the largest connected group first.

    Bots that no chain of counted deals connects are in separate groups, bots without any in none.
    """
    size = 1 + max((int(block.bots.max(initial=-1)) for block in sums), default=-1)
    deals, margins = np.zeros((size, size)), np.zeros(size)
    for block in sums:
        _add_equations(block, deals, margins)
    value, bread = np.zeros(size), np.zeros((size, size))
    groups = connected_groups(deals)
    for bots in groups:
        square = np.ix_(bots, bots)
        bread[square] = _inverse(deals[square])
        value[bots] = bread[square] @ margins[bots]
    meat = np.zeros((size, size))
    for block in sums:
        meat += _outer_products(block, value)
    matches, played = _counts(sums, size)
    return tuple(_group(bots, value, bread, meat, matches, played) for bots in groups)


def _add_equations(block: PointSums, deals: Floats, margins: Floats) -> None:
    """Add the block's part of the normal equations: deals of pairs, summed margins of bots."""
    k, size = block.entrants, len(margins)
    points = block.sums[:, :-1]
    own = k * points - points.sum(axis=1, keepdims=True)
    for i in range(k):
        margins += np.bincount(block.bots[:, i], own[:, i], size)
        for j in range(i):
            of_pair = _scattered(block, i, j, block.deals, size)
            deals += of_pair
            deals += of_pair.T


def _scattered(block: PointSums, i: int, j: int, weights: Floats, size: int) -> Floats:
    """[a, b]: sum of the weights of all rows whose i-th entrant is a and whose j-th is b."""
    cells = block.bots[:, i] * size + block.bots[:, j]
    sums = np.bincount(cells, weights, size * size)
    return sums.astype(np.float64, copy=False).reshape(size, size)


def _inverse(deals: Floats) -> Floats:
    """Inverse of a connected group's normal matrix among values that sum to zero."""
    normal = -deals
    np.fill_diagonal(normal, deals.sum(axis=1))
    gauge = float(normal.diagonal().mean()) / len(deals)
    inverse = np.linalg.inv(normal + gauge)
    inverse = inverse - inverse.mean(axis=0)
    centred: Floats = inverse - inverse.mean(axis=1)[:, None]
    return centred


def _outer_products(block: PointSums, value: Floats) -> Floats:
    """Sum over the block's matches of the outer product of their residuals by bot.

    An entrant's residual in a match is the sum over its opponents of margin less expected margin:
    (its row of `margin`) times points - `expected` times deals, so that its products with others
    follow from those of z.
    """
    k, size = block.entrants, len(value)
    margin = k * np.eye(k) - 1
    expected = value[block.bots] @ margin
    by_deals = block.products[:, np.triu_indices(k + 1)[1] == k]
    deals_squared = by_deals[:, k]
    margin_by_deals = by_deals[:, :k] @ margin
    total = np.zeros((size, size))
    for i in range(k):
        for j in range(i + 1):
            weights = block.products @ _upper_triangle(np.outer(margin[i], margin[j]))
            weights -= expected[:, i] * margin_by_deals[:, j]
            weights -= expected[:, j] * margin_by_deals[:, i]
            weights += expected[:, i] * expected[:, j] * deals_squared
            of_pair = _scattered(block, i, j, weights, size)
            total += of_pair if i == j else of_pair + of_pair.T
    return total


def _upper_triangle(weights: Floats) -> Floats:
    """What each product in the upper triangle of sum of z z' counts in weights of points alone."""
    k = len(weights)
    both = np.zeros((k + 1, k + 1))
    both[:k, :k] = weights + weights.T - np.diag(weights.diagonal())
    return both[np.triu_indices(k + 1)]


def _counts(sums: Sequence[PointSums], size: int) -> tuple[Ints, Ints]:
    """Matches and counted deals of each bot."""
    matches, deals = np.zeros(size), np.zeros(size)
    for block in sums:
        for column in block.bots.T:
            matches += np.bincount(column, block.matches, size)
            deals += np.bincount(column, block.deals, size)
    return matches.astype(np.int64), deals.astype(np.int64)


def _group(
    bots: Ints, value: Floats, bread: Floats, meat: Floats, matches: Ints, deals: Ints
) -> PointsGroup:
    bots = bots[np.argsort(-value[bots], kind="stable")]
    square = np.ix_(bots, bots)
    covariance = bread[square] @ meat[square] @ bread[square]
    z = pairwise_z(value[bots], covariance)
    likelihood = superiority(z)
    likelihood[np.abs(z) > _CERTAIN] = np.nan
    se = np.sqrt(np.maximum(np.diag(covariance), 0))
    low, high = value[bots] - NORMAL_95 * se, value[bots] + NORMAL_95 * se
    provisional = matches[bots] < FEWEST_MATCHES
    columns = [bots, value[bots], se, low, high, matches[bots], deals[bots], provisional]
    ratings = (PointsRating(*row) for row in zip(*(c.tolist() for c in columns), strict=True))
    return PointsGroup(tuple(ratings), covariance, likelihood)
