"""The score of every side at a moment of a deal, and over the deal, as a page draws it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import msgspec

from dashboard.positions import DealView, Position, Seen
from dashboard.show import side_name

BAR_WIDTH = 300
"""Of the score bar and the chart, in their own units."""
CHART_HEIGHT = 54


class SideLine(msgspec.Struct, frozen=True, kw_only=True):
    """One side's score."""

    side: int
    name: str
    total: int
    """With what it has made of this deal so far."""
    gained: int
    """In this deal so far."""
    captured: list[Seen]
    """Its cards, in the order taken."""
    bar_start: float
    bar_width: float
    """Its part of the score bar, of `BAR_WIDTH`."""


class Curve(msgspec.Struct, frozen=True):
    """One line of the chart."""

    side: int
    points: str
    """As SVG has them: the lead of side 0 where there are two sides, else the side's points."""


def side_lines(view: DealView, position: Position, names: Sequence[str]) -> list[SideLine]:
    """Every side's score at that position."""
    totals = [old + new for old, new in zip(view.before, position.points, strict=True)]
    whole = sum(totals)
    parts = [total / whole if whole else 1 / len(totals) for total in totals]
    starts = accumulate(parts, initial=0.0)
    return [
        SideLine(
            side=side,
            name=side_name(names, side, len(totals)),
            total=total,
            gained=position.points[side],
            captured=position.captured[side],
            bar_start=round(BAR_WIDTH * start, 1),
            bar_width=round(BAR_WIDTH * part, 1),
        )
        for side, (total, part, start) in enumerate(zip(totals, parts, starts, strict=False))
    ]


def curves(view: DealView, plays: int) -> list[Curve]:
    """The lines of the chart over a deal of so many plays, as far as it is known."""
    rows = [position.points for position in view.positions]
    if len(view.before) == 2:
        leads = [first - second for first, second in rows]
        return [Curve(0, _line(leads, max(map(abs, leads)), plays))]
    most = max(max(row) for row in rows)
    return [
        # Twice the points less the most: nobody's line begins at the bottom edge.
        Curve(side, _line([2 * row[side] - most for row in rows], most, plays))
        for side in range(len(view.before))
    ]


def _line(values: Sequence[int], most: int, plays: int) -> str:
    """Values from -most to most as a line across the chart."""
    middle = CHART_HEIGHT / 2
    reach = (middle - 3) / (most or 1)
    return " ".join(
        f"{across(move, plays):.1f},{middle - value * reach:.1f}"
        for move, value in enumerate(values)
    )


def across(move: int, plays: int) -> float:
    """Where in the chart that play is."""
    return round(BAR_WIDTH * move / (plays or 1), 1)
