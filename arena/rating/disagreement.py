"""Where ratings by wins and points a deal tell different stories about a bot.

Both are put on one scale by a straight line through the bots, with errors in both variables: the
distance of a bot from the line of slope b and height h is rating - h - b points in units of the
root of se_rating^2 + b^2 se_points^2 (York, Canadian Journal of Physics 44, 1966; "fitexy" of
Numerical Recipes), since an ordinary regression comes out too flat where points are measured with
error too. Squared distances are added up to the one that is called a disagreement, and no
further: a bot that disagrees must not bend the line towards itself. The same games give ratings
and points, so their errors go the same way mostly; to add their variances makes the test careful.
"""

from __future__ import annotations

import math
from collections.abc import Callable
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
_HEIGHTS = 41
_ROUNDS = 20
_HALVINGS = 60


@dataclass(frozen=True)
class Agreement:
    """Ratings against points a deal, over the bots that have a standard error of both."""

    elo_per_point: float
    """Slope of the line: what one point a deal is worth in Elo, 0 or more."""
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
    x *= unit
    line = _best_line(x, y)
    distance = line.distances(x, y)
    return Agreement(unit * line.slope, dict(zip(bots, distance.tolist(), strict=True)))


@dataclass(frozen=True)
class _Line:
    slope: float
    height: float

    def distances(self, x: Floats, y: Floats) -> Floats:
        """Of each bot above the line, in combined standard errors; rows: value, its error."""
        above = y[0] - self.slope * x[0] - self.height
        distances: Floats = above / np.sqrt(y[1] ** 2 + (self.slope * x[1]) ** 2)
        return distances


def _best_line(x: Floats, y: Floats) -> _Line:
    """The best of many lines, then least squares through those bots that it does not call far."""
    tried = [_at_best_height(x, y, _angle(i)) for i in range(_DIRECTIONS)]
    line = min(tried, key=lambda line: _badness(line, x, y))
    near = np.abs(line.distances(x, y)) <= FAR
    for _ in range(_ROUNDS):
        line = _least_squares(x[:, near], y[:, near])
        before, near = near, np.abs(line.distances(x, y)) <= FAR
        if (near == before).all():
            break
        if not near.any():
            near = before
    return line


def _angle(number: float) -> float:
    return number * math.pi / 2 / _DIRECTIONS


def _badness(line: _Line, x: Floats, y: Floats) -> float:
    return float(np.minimum(line.distances(x, y) ** 2, FAR**2).sum())


def _at_best_height(x: Floats, y: Floats, angle: float) -> _Line:
    """The best of the lines of this slope that go through one of some bots."""
    slope = math.tan(angle)
    ranks = np.unique(np.linspace(0, x.shape[1] - 1, _HEIGHTS).round().astype(np.int64))
    heights = np.sort(y[0] - slope * x[0])[ranks].tolist()
    lines = (_Line(slope, height) for height in heights)
    return min(lines, key=lambda line: _badness(line, x, y))


def _least_squares(x: Floats, y: Floats) -> _Line:
    """The line with the least sum of squared distances."""

    def at(angle: float) -> _Line:
        slope = math.tan(angle)
        weights = 1 / (y[1] ** 2 + (slope * x[1]) ** 2)
        return _Line(slope, float(np.average(y[0] - slope * x[0], weights=weights)))

    def squares(angle: float) -> float:
        return float((at(angle).distances(x, y) ** 2).sum())

    best = min(map(_angle, range(_DIRECTIONS)), key=squares)
    return at(_least(squares, max(best - _angle(1), 0.0), min(best + _angle(1), _angle(179.5))))


def _least(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a function with one valley is least, by golden sections."""
    golden = (math.sqrt(5) - 1) / 2
    for _ in range(_HALVINGS):
        inner, outer = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, outer) if function(inner) < function(outer) else (inner, high)
    return (low + high) / 2
