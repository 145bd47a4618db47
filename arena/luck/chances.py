"""The baseline's chances of winning from any score, by what its deals bring.

Sides are counted from the one that deals next, here and in `scores`: [position, side].
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from protocol.rules import RuleSet

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Chances = Callable[[Ints, int], Floats]
"""From scores [position, side] and the number of deals left at most to every side's chance."""

LARGEST_TABLE = 450
"""Points a side up to which a race of two sides is tabled; its grid has the square of cells."""
_MOST_TABLES = 250
"""Tables by deals left: a game with more deals to go than that is as good as endless."""
_SETTLED = 1e-12
"""Where one more deal left changes no chance by more than this, no further one does."""
_LEAST = 1e-9
"""In place of a mean or a spread of nothing, to divide by."""
_TAIL = 8
"""Standard deviations beyond which a sum of deals is not looked at: 1 in 10^15."""


def chances(rules: RuleSet, points: Ints) -> Chances:
    """The chances by rules, where deals bring `points`: [deal, side from the dealer's on].

    For two sides exact, if deals are as these are; for more, and for a target of some 400 and
    more, by the model of `many_sides`.
    """
    if rules.sides == 2 and rules.deals is not None:
        return fixed_deals(points)
    if rules.sides == 2 and rules.target + points.max() < LARGEST_TABLE:
        return race(rules.target, rules.max_deals, points)
    return many_sides(None if rules.deals is not None else rules.target, points)


def race(target: int, max_deals: int, points: Ints) -> Chances:
    """Two sides until one of them is ahead with the target (R23, R25): dynamic programming.

    table[n][a, b] is the chance of the side that deals next, at a : b with n deals left, both
    cut at the target; table[n] is the mean of table[n - 1] after one deal.
    """
    size = target + int(points.max()) + 1
    grid = np.indices((size, size))
    frequency = np.zeros((size, size))
    np.add.at(frequency, (points[:, 0], points[:, 1]), 1 / len(points))
    kernel = np.conj(np.fft.rfft2(frequency))
    table = 0.5 + 0.5 * np.sign(grid[0] - grid[1])[: target + 1, : target + 1]
    tables = [table]
    while len(tables) <= min(max_deals, _MOST_TABLES):
        after = 1 - _looked_up(table, *grid).T
        mean = np.fft.irfft2(np.fft.rfft2(after) * kernel, s=after.shape)
        table = np.clip(mean[: target + 1, : target + 1], 0, 1)
        table[-1, :-1], table[:-1, -1] = 1, 0
        if np.abs(table - tables[-1]).max() < _SETTLED:
            break
        tables.append(table)
    return lambda scores, left: _both(
        _looked_up(tables[min(left, len(tables) - 1)], scores[:, 0], scores[:, 1])
    )


def _looked_up(table: Floats, a: Ints, b: Ints) -> Floats:
    """Chance of the side with score a against b. Beyond the target only who is ahead counts."""
    target = len(table) - 1
    found = table[np.minimum(a, target), np.minimum(b, target)]
    over = (np.minimum(a, b) >= target) & (a != b)
    return np.where(over, a > b, found)


def fixed_deals(points: Ints) -> Chances:
    """Two sides over a number of deals (R24), who deal by turns.

    The lead after n deals is a sum, so its distribution is the product of theirs as
    characteristic functions, on a circle too wide for what meets on its other side to count.
    """
    lead = points[:, 0] - points[:, 1]

    @lru_cache(maxsize=128)
    def falls_short(deals: int) -> Floats:
        """[x + half]: chance that the side that deals first gains less than x, ties half."""
        half = math.ceil(_TAIL * float(lead.std()) * math.sqrt(deals) + np.abs(lead).max()) + 1
        frequency = np.bincount(lead % (2 * half), minlength=2 * half) / len(lead)
        once = np.fft.rfft(frequency)
        factor = once ** ((deals + 1) // 2) * np.conj(once) ** (deals // 2)
        density = np.roll(np.fft.irfft(factor, n=2 * half), half)
        below: Floats = np.clip(np.cumsum(density) - density / 2, 0, 1)
        return below

    def chance(scores: Ints, left: int) -> Floats:
        behind = scores[:, 1] - scores[:, 0]
        if left == 0:
            return _both(0.5 - 0.5 * np.sign(behind))
        table = falls_short(left)
        half = len(table) // 2
        return _both(1 - table[np.clip(behind + half, 0, 2 * half - 1)])

    return chance


def many_sides(target: int | None, points: Ints) -> Chances:
    """Any number of sides, by a model; a table over all their scores would be too large.

    The deals still to come are taken as independent, and as many as the side in front needs on
    average and one; who is ahead after them nearly follows the logistic law, whose form for
    several is exp(score / scale) over the sum of all. From scores all over games of 3, 4 and 6
    sides it is within 0.03 of what such deals bring (root mean square). Luck by it has mean 0 in
    any case, being measured from the mean after such deals: where the model errs luck is a weaker
    measure, not a wrong one. Without a target all deals left are played.
    """
    mean = max(float(points.mean()), _LEAST)
    a_deal = math.sqrt(3) / math.pi * float((points[:, 0] - points[:, -1]).std())

    def chance(scores: Ints, left: int) -> Floats:
        best = scores.max(axis=1, keepdims=True)
        leads = scores == best
        over = np.full(best.shape, left == 0)
        to_come = np.full(best.shape, float(left))
        if target is not None:
            over |= (best >= target) & (leads.sum(axis=1, keepdims=True) == 1)
            to_come = np.minimum(1 + np.maximum(target - best, 0) / mean, left)
        weight = np.exp((scores - best) / np.maximum(a_deal * np.sqrt(to_come), _LEAST))
        weight = np.where(over, leads, weight)
        shares: Floats = weight / weight.sum(axis=1, keepdims=True)
        return shares

    return chance


def _both(first: Floats) -> Floats:
    return np.stack([first, 1 - first], axis=1)
