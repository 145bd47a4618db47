"""Where ratings by wins and points a deal tell different stories about a bot.

Both are put on one scale by a straight line through the bots, fitted with errors in both
variables: slope b and height a minimise the sum of (rating - a - b points)^2 over
se_rating^2 + b^2 se_points^2 (York, Canadian Journal of Physics 44, 1966; "fitexy" of Numerical
Recipes). An ordinary regression of ratings on points would come out too flat, since points are
measured with error too. The same games give both, so their errors go the same way mostly, and to
add their variances makes the test careful.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.rating.group import Group
from arena.rating.points import PointsGroup

Floats = NDArray[np.float64]

FEWEST_BOTS = 3
"""Two bots always lie on a line."""
FAR = 3.0
"""So many combined standard errors off the line are called a disagreement."""
_DIRECTIONS = 180
_HALVINGS = 60


@dataclass(frozen=True)
class Agreement:
    """Ratings against points a deal, over the bots that have a standard error of both."""

    elo_per_point: float
    """Slope of the line: what one point a deal is worth in Elo."""
    distance: dict[int, float]
    """For each of these bots, by its index in the results, its rating above the line in combined
    standard errors."""

    @property
    def disagreeing(self) -> frozenset[int]:
        """The bots more than 3 combined standard errors off the line."""
        return frozenset(bot for bot, far in self.distance.items() if abs(far) > FAR)


def agreement(group: Group, points: PointsGroup) -> Agreement | None:
    """Compare a group's ratings with its points a deal; None with fewer than three bots.

    Provisional bots, and those that won or lost everything, take no part. Nor does a bot that
    either side gives no error at all.
    """
    values = {r.bot: r for r in points.ratings if not r.provisional and r.se > 0}
    rated = [r for r in group.ratings if r.bot in values and not r.provisional and r.se > 0]
    rated = [r for r in rated if not (r.all_won or r.all_lost)]
    if len(rated) < FEWEST_BOTS:
        return None
    bots = [r.bot for r in rated]
    y = np.array([[r.rating, r.se] for r in rated]).T
    x = np.array([[values[bot].value, values[bot].se] for bot in bots]).T
    # In units of the spread a slope is an angle between none and a right one.
    unit = float(y[0].std() + y[1].mean()) / float(x[0].std() + x[1].mean())
    slope = unit * math.tan(_steepness(x * unit, y))
    distance = _distances(x, y, slope)
    return Agreement(slope, dict(zip(bots, distance.tolist(), strict=True)))


def _distances(x: Floats, y: Floats, slope: float) -> Floats:
    """Heights above the best line of this slope in combined standard errors; rows: value, se."""
    variance = y[1] ** 2 + (slope * x[1]) ** 2
    above = y[0] - slope * x[0]
    height = float((above / variance).sum() / (1 / variance).sum())
    distances: Floats = (above - height) / np.sqrt(variance)
    return distances


def _steepness(x: Floats, y: Floats) -> float:
    """Angle of the best line, from 0 to a right angle: the best of many, then golden sections."""

    def badness(angle: float) -> float:
        return float((_distances(x, y, math.tan(angle)) ** 2).sum())

    step = math.pi / 2 / _DIRECTIONS
    best = min((i * step for i in range(_DIRECTIONS)), key=badness)
    low, high = max(best - step, 0.0), min(best + step, math.pi / 2 - step / 2)
    golden = (math.sqrt(5) - 1) / 2
    for _ in range(_HALVINGS):
        inner = high - golden * (high - low)
        outer = low + golden * (high - low)
        if badness(inner) < badness(outer):
            high = outer
        else:
            low = inner
    return (low + high) / 2
