"""Ratings as points with whiskers: where they lie in a small picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.standings import Standing

WIDTH = 160
"""Of the picture, in its own units."""
_MARGIN = 6


@dataclass(frozen=True)
class Whisker:
    """One rating in the picture."""

    low: float
    point: float
    high: float
    """Where interval and rating lie, from 0 to `WIDTH`."""


@dataclass(frozen=True)
class Scale:
    """What part of the Elo scale a picture shows."""

    low: float
    high: float

    def place(self, rating: float) -> float:
        """Where a rating lies, from 0 to `WIDTH`; the ends for what is beyond them."""
        part = (min(max(rating, self.low), self.high) - self.low) / (self.high - self.low)
        return round(_MARGIN + (WIDTH - 2 * _MARGIN) * part, 1)

    def whisker(self, row: Standing) -> Whisker:
        """One standing in the picture."""
        assert row.rating is not None
        low = self.low if row.low is None else row.low
        high = self.high if row.high is None else row.high
        return Whisker(self.place(low), self.place(row.rating), self.place(high))


def scale_of(rows: Sequence[Standing]) -> Scale:
    """A scale that shows all ratings and all finite ends of their intervals."""
    known = (end for row in rows for end in (row.low, row.rating, row.high))
    ends = [end for end in known if end is not None]
    low, high = min(ends, default=1500.0), max(ends, default=1500.0)
    return Scale(low, high) if high - low >= 1 else Scale(low - 50, high + 50)
