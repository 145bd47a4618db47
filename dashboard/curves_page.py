"""The page of the rating curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flask import abort, render_template, request

from arena.standings import Standings
from dashboard.address import one_of
from dashboard.curve_picture import picture_of
from dashboard.curves import Curve, CurvePoint, curves
from dashboard.database import database
from dashboard.ratings import shown_standings
from dashboard.tournament_head import MOST_CROSSED, head_of

MOST_CURVES = 16
_USUAL_CURVES = 8
_TIMES = 8
"""Columns of the table below the picture."""


def curves_page(number: int) -> str:
    """The curves of the entrants that the address names, of the best where it names none."""
    with database() as reader:
        head = head_of(reader, number, "curves")
        found = shown_standings(reader, number)
        chosen = _chosen(found)
        drawn = curves(reader, number, chosen)
    online = one_of("by", ("fit", "online")) == "online"
    return render_template(
        "curves.html",
        head=head,
        labels=[line.label for line in found.lines],
        chosen=chosen,
        online=online,
        picture=picture_of(drawn, online),
        table=_table(drawn, online),
        most=MOST_CURVES,
        is_short_list=len(found.lines) <= MOST_CROSSED,
    )


def _chosen(found: Standings) -> list[str]:
    """Who is drawn, in the order of the standings."""
    asked = [label for text in request.args.getlist("bots") for label in text.split(",")]
    wanted = {label.strip() for label in asked if label.strip()}
    labels = [line.label for line in found.lines]
    unknown = wanted.difference(labels)
    if unknown:
        abort(404, f"bots: nobody of the name {min(unknown)[:80]} is in this tournament.")
    if not wanted:
        wanted = {line.label for line in found.lines[:_USUAL_CURVES] if line.is_rated}
    return [label for label in labels if label in wanted][:MOST_CURVES]


@dataclass(frozen=True)
class Column:
    """The table's values at one time."""

    matches: int
    points: list[CurvePoint | None]
    """In the order of the curves."""


def _table(drawn: Sequence[Curve], online: bool) -> list[Column]:
    """All curves at a few times, evenly over the tournament, the last one last."""
    times = sorted({point.matches for curve in drawn for point in curve.points})
    if not times:
        return []
    wanted = [times[-1] * n / _TIMES for n in range(1, _TIMES + 1)]
    near = sorted({min(times, key=lambda time: abs(time - goal)) for goal in wanted})
    known = [{point.matches: point for point in curve.points} for curve in drawn]
    return [Column(time, [points.get(time) for points in known]) for time in near]
