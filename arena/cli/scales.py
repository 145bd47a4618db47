"""Ratings of bots on one scale, with their points a deal, as JSON and as the rows of a table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from arena.rating import (
    NORMAL_95,
    Agreement,
    Group,
    PointsGroup,
    PointsRating,
    Rating,
    agreement,
)
from arena.text import one_line


@dataclass(frozen=True)
class Scale:
    """Bots on one scale, and the points a deal of those of them that have any."""

    names: Sequence[str]
    """Of all bots by number."""
    group: Group
    points: Sequence[tuple[PointsGroup, Agreement | None]]
    """Bots that deals connect, and what compares their points with their ratings."""

    @classmethod
    def of(cls, names: Sequence[str], group: Group, points: Iterable[PointsGroup]) -> Scale:
        """The part of the points that belongs to these bots."""
        bots = {rating.bot for rating in group.ratings}
        own = [other for other in points if other.ratings[0].bot in bots]
        return cls(names, group, [(other, agreement(group, other)) for other in own])

    @cached_property
    def disagreeing(self) -> frozenset[int]:
        """Bots whose rating and points tell different stories."""
        compared = [comparison.disagreeing for _, comparison in self.points if comparison]
        return frozenset().union(*compared)

    def as_json(self) -> dict[str, Any]:
        """For other programs; what is not known or has no end is null."""
        group = self.group
        return {
            "bots": [self._bot(rating) for rating in group.ratings],
            "deviance": group.deviance,
            "df": group.df,
            "p": group.p_value,
            "los": _numbers(group.superiority.tolist()),
            "points": self._points() if self.points else None,
        }

    def _bot(self, rating: Rating) -> dict[str, Any]:
        one_sided = rating.all_won or rating.all_lost
        unknown = rating.provisional and not one_sided
        return {
            "name": self.names[rating.bot],
            "rating": rating.rating,
            "se": None if rating.provisional or one_sided else rating.se,
            "low": None if unknown else _number(rating.low),
            "high": None if unknown else _number(rating.high),
            "rank_low": rating.rank_low,
            "rank_high": rating.rank_high,
            "games": rating.games,
            "matches": rating.matches,
            "provisional": rating.provisional,
        }

    def _points(self) -> dict[str, Any]:
        """Bots that no chain of deals connects are on different scales, from 0."""
        bots = [
            self._bot_points(rating, scale)
            for scale, (points, _) in enumerate(self.points)
            for rating in points.ratings
        ]
        los: list[list[float | None]] = []
        for points, _ in self.points:
            before, after = len(los), len(bots) - len(los) - len(points.ratings)
            for row in _numbers(points.superiority.tolist()):
                los.append([None] * before + row + [None] * after)
        slopes = [compared and compared.elo_per_point for _, compared in self.points]
        return {"bots": bots, "los": los, "elo_per_point": slopes}  # one slope a scale

    def _bot_points(self, rating: PointsRating, scale: int) -> dict[str, Any]:
        unknown = rating.provisional
        return {
            "name": self.names[rating.bot],
            "value": rating.value,
            "se": None if unknown else rating.se,
            "low": None if unknown else rating.low,
            "high": None if unknown else rating.high,
            "deals": rating.deals,
            "matches": rating.matches,
            "provisional": rating.provisional,
            "scale": scale,
            "disagrees": rating.bot in self.disagreeing,
        }

    def rows(self, mark: str) -> Iterator[list[str]]:
        """The cells of a table, `mark` after every rank."""
        values = {r.bot: r for points, _ in self.points for r in points.ratings}
        for rating in self.group.ratings:
            low, high = rating.rank_low, rating.rank_high
            yield [
                (str(low) if low == high else f"{low}–{high}") + mark,
                one_line(self.names[rating.bot]),
                _elo(rating),
                _error(rating),
                str(rating.matches),
                str(rating.games),
                *_points_cells(values.get(rating.bot), rating.bot in self.disagreeing),
            ]


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _numbers(matrix: list[list[float]]) -> list[list[float | None]]:
    return [[_number(value) for value in row] for row in matrix]


def _elo(rating: Rating) -> str:
    if rating.all_won:
        return f"≥ {rating.low:.0f}"
    return f"≤ {rating.high:.0f}" if rating.all_lost else f"{rating.rating:.0f}"


def _error(rating: Rating) -> str:
    if rating.provisional:
        return "prov."
    return "" if rating.all_won or rating.all_lost else f"{NORMAL_95 * rating.se:.0f}"


def _points_cells(rating: PointsRating | None, disagrees: bool) -> list[str]:
    if rating is None:
        return ["–", ""]
    value = f"{rating.value:+.2f}".replace("-0.00", "+0.00")
    error = "prov." if rating.provisional else f"{NORMAL_95 * rating.se:.2f}"
    return [value + (" !" if disagrees else ""), error]
