"""Rating curves as a drawing: where lines, bands, grid and labels lie."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from dashboard.curves import Curve, CurvePoint

WIDTH, HEIGHT = 960, 430
LEFT, RIGHT, TOP, BOTTOM = 52, 790, 14, 396
"""Where the curves are drawn; labels stand to the right of them."""
COLOURS = 8
_LABEL_HEIGHT = 15
_LONGEST_LABEL = 16
_GRID_LINES = 9
_EARLY = 0.1
"""The part of the matches after which everything has to be inside the picture."""


@dataclass(frozen=True)
class Series:
    """One curve in the picture."""

    label: str
    name: str
    """The label, shortened where it is too long, and the latest value."""
    colour: int
    dashed: bool
    """Where colours come a second time."""
    line: str
    """Paths."""
    band: str
    end: tuple[float, float]
    """Where the curve ends."""
    label_y: float


@dataclass(frozen=True)
class Picture:
    """All curves, and the grid behind them."""

    series: list[Series]
    rows: list[tuple[float, str]]
    """Heights of lines, and what they mean in Elo."""
    columns: list[tuple[float, str]]
    """The same from left to right, in matches."""


def picture_of(curves: Sequence[Curve], online: bool) -> Picture | None:
    """The picture of fitted ratings, or of online Elo; None with fewer than two times."""
    drawn = [(curve.label, _values(curve, online)) for curve in curves]
    drawn = [(label, values) for label, values in drawn if values]
    times = {point[0] for _, values in drawn for point in values}
    if len(times) < 2:
        return None
    scale = _Scale(max(times), [value for _, values in drawn for value in values])
    ends = [scale.place(values[-1][0], values[-1][1]) for _, values in drawn]
    heights = _apart([y for _, y in ends])
    series = [
        Series(
            label=label,
            name=f"{_short(label)} {values[-1][1]:.0f}",
            colour=number % COLOURS,
            dashed=number >= COLOURS,
            line=scale.line(values),
            band=scale.bands(values),
            end=ends[number],
            label_y=heights[number],
        )
        for number, (label, values) in enumerate(drawn)
    ]
    return Picture(series, scale.rows(), scale.columns())


Value = tuple[int, float, float | None]
"""After how many matches, the value, and its error."""


def _values(curve: Curve, online: bool) -> list[Value]:
    found = (_value(point, online) for point in curve.points)
    return [value for value in found if value]


def _value(point: CurvePoint, online: bool) -> Value | None:
    if online:
        return None if point.online is None else (point.matches, point.online, None)
    return None if point.rating is None else (point.matches, point.rating, point.error)


def _short(label: str) -> str:
    return label if len(label) <= _LONGEST_LABEL else label[: _LONGEST_LABEL - 1] + "…"


class _Scale:
    """From matches and Elo to the picture."""

    def __init__(self, matches: int, values: Sequence[Value]) -> None:
        self._matches = matches
        # What is not sure yet may go beyond the edges: it would make all that follows flat.
        late = [value for value in values if value[0] >= _EARLY * matches]
        sure = [value for value in late if value[2] is not None] or late
        low = min(rating - min(error or 0, 120) for _, rating, error in sure)
        high = max(rating + min(error or 0, 120) for _, rating, error in sure)
        self._step = _step((high - low or 1) / _GRID_LINES)
        self._low = math.floor(low / self._step - 0.2) * self._step
        self._high = math.ceil(high / self._step + 0.2) * self._step

    def place(self, matches: float, rating: float) -> tuple[float, float]:
        """Of a value; it may lie outside."""
        across = LEFT + (RIGHT - LEFT) * matches / self._matches
        height = BOTTOM - (BOTTOM - TOP) * (rating - self._low) / (self._high - self._low)
        return round(across, 1), round(height, 1)

    def line(self, values: Iterable[Value]) -> str:
        return _path(self.place(matches, rating) for matches, rating, _ in values)

    def bands(self, values: Sequence[Value]) -> str:
        """Round the intervals, where there are any."""
        found = ""
        for known, part in groupby(values, key=lambda value: value[2] is not None):
            row = [(matches, rating, error or 0.0) for matches, rating, error in part]
            if known and len(row) > 1:
                upper = [self.place(matches, rating + error) for matches, rating, error in row]
                lower = [self.place(matches, rating - error) for matches, rating, error in row]
                found += _path([*upper, *reversed(lower)]) + "Z"
        return found

    def rows(self) -> list[tuple[float, str]]:
        count = round((self._high - self._low) / self._step)
        ratings = [self._low + number * self._step for number in range(count + 1)]
        return [(self.place(0, rating)[1], f"{rating:.0f}") for rating in ratings]

    def columns(self) -> list[tuple[float, str]]:
        step = max(_step(self._matches / 7), 1)
        count = int(self._matches / step)
        return [(self.place(n * step, 0)[0], f"{n * step:,.0f}") for n in range(count + 1)]


def _step(least: float) -> float:
    """The smallest 1, 2 or 5 times a power of ten that is not below it."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least * 0.999)


def _path(points: Iterable[tuple[float, float]]) -> str:
    return "M" + " ".join(f"{x:g},{y:g}" for x, y in points)


def _apart(heights: Sequence[float]) -> list[float]:
    """The same heights, moved apart as little as lets a label fit at each."""
    order = sorted(range(len(heights)), key=heights.__getitem__)
    blocks: list[list[int]] = []
    for place in order:
        block = [place]
        while blocks and _top(blocks[-1], heights) + _LABEL_HEIGHT * len(blocks[-1]) > _top(
            block, heights
        ):
            block = [*blocks.pop(), *block]
        blocks.append(block)
    found = list(heights)
    for block in blocks:
        for number, place in enumerate(block):
            found[place] = round(_top(block, heights) + _LABEL_HEIGHT * number, 1)
    return found


def _top(block: Sequence[int], heights: Sequence[float]) -> float:
    """Where the first label of a block stands, so that all are near their heights."""
    wanted = [heights[place] - _LABEL_HEIGHT * number for number, place in enumerate(block)]
    last = BOTTOM - _LABEL_HEIGHT * (len(block) - 1)
    return min(max(sum(wanted) / len(wanted), TOP + 4.0), last)
