"""Pages of tournaments: the home page and the standings."""

from __future__ import annotations

from itertools import groupby

from flask import Blueprint, render_template

from arena.standings import Standing, cached_standings
from arena.store import Reader
from dashboard.crosstable import MOST_BOTS, Line, crosstable
from dashboard.database import database
from dashboard.whiskers import Scale, scale_of

pages = Blueprint("tournaments", __name__)

_TOP = 5
_LATEST_GAMES = 10


@pages.get("/")
def home() -> str:
    """What was and is played: tournaments, the top of the latest, the latest games."""
    with database() as reader:
        rows = reader.tournaments()
        latest = next((row for row in rows if row.games_played), None)
        top = cached_standings(reader, latest.id, stale=True).lines[:_TOP] if latest else []
        games = reader.games(limit=_LATEST_GAMES)
    return render_template(
        "home.html", tournaments=rows, latest=latest, top=top, scale=scale_of(top), games=games
    )


@pages.get("/tournaments/<int:number>/")
def tournament(number: int) -> str:
    """The standings of a tournament, and who scored what against whom."""
    with database() as reader:
        row = reader.tournament_row(number)
        found = cached_standings(reader, number, stale=True).lines
        cells = _crosstable(reader, number, found)
        unplayed = reader.unplayed(number)
    return render_template(
        "tournament.html",
        tournament=row,
        groups=_groups(found),
        unplayed=unplayed,
        crosstable=cells,
    )


def _groups(rows: list[Standing]) -> list[tuple[int, list[Standing], Scale]]:
    """Standings by group, each with the scale of its whiskers; -1 for those who are not rated."""
    found = []
    for number, group in groupby(rows, key=lambda row: row.group):
        members = list(group)
        found.append((-1 if number is None else number, members, scale_of(members)))
    return found


def _crosstable(reader: Reader, number: int, rows: list[Standing]) -> list[Line] | None:
    """The crosstable in the order of the standings; None where it would be too large."""
    if not 2 <= len(rows) <= MOST_BOTS:
        return None
    labels = [row.label for row in rows]
    return crosstable(labels, reader.results(number), reader.rotations(number))
