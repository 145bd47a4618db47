"""The home page: what is played now, who leads, the latest games, all tournaments."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from flask import render_template

from arena.store import Reader, TournamentRow
from dashboard.address import number
from dashboard.database import database
from dashboard.ratings import shown_standings
from dashboard.whiskers import scale_of

_TOP = 5
_LATEST_GAMES = 8
_PAGE = 25
_MOST_RUNNING = 6
_STILL_S = 120
"""After so long without a game a tournament is taken to stand still."""
_FEWEST_GAMES = 5
"""From fewer games nothing is said of how fast they come."""


@dataclass(frozen=True)
class Running:
    """A tournament that is not over."""

    row: TournamentRow
    is_paused: bool
    last: str | None
    """When its latest game began."""
    is_still: bool
    """Whether no game has begun for a while."""
    a_minute: float | None
    """Games a minute, of late; None where that is not known."""
    left: str | None
    """How long the rest takes at the pace of the latest games; None where that is not known."""
    has_end: bool
    """Whether it is known how many games there will be: a league may go on for ever."""


def home() -> str:
    """The home page."""
    with database() as reader:
        rows = reader.tournaments(before=number("before", None), limit=_PAGE + 1)
        running = _all_running(reader, datetime.now(UTC))
        latest = next((row for row in rows if row.games_played), None)
        top = shown_standings(reader, latest.id).lines[:_TOP] if latest else []
        games = reader.games(limit=_LATEST_GAMES)
    return render_template(
        "home.html",
        tournaments=rows[:_PAGE],
        older=rows[_PAGE - 1].id if len(rows) > _PAGE else None,
        is_first=number("before", None) is None,
        running=running,
        latest=latest,
        top=top,
        scale=scale_of(top),
        games=games,
    )


def _all_running(reader: Reader, now: datetime) -> list[Running]:
    """The latest tournaments that are not over."""
    return [running_now(reader, row, now) for row in reader.unfinished(_MOST_RUNNING)]


def running_now(reader: Reader, row: TournamentRow, now: datetime) -> Running:
    """How far a tournament is that is not over, and at what pace."""
    stored = reader.stored(row.id)
    pace = reader.pace(row.id)
    age = _seconds(pace.last, now.isoformat()) if pace.last else None
    a_minute = left = None
    if pace.first and pace.last and pace.games >= _FEWEST_GAMES:
        took = max(_seconds(pace.first, pace.last), 1)
        a_minute = 60 * (pace.games - 1) / took
        left = about(60 * (row.games_planned - row.games_played) / a_minute)
    return Running(
        row=row,
        is_paused=stored.paused is not None,
        last=pace.last,
        is_still=age is None or age > _STILL_S,
        a_minute=a_minute,
        left=left,
        has_end=stored.kind != "league" or stored.definition.rounds is not None,
    )


def _seconds(first: str, last: str) -> float:
    """From one time of a record to another."""
    return (datetime.fromisoformat(last) - datetime.fromisoformat(first)).total_seconds()


def about(seconds: float) -> str:
    """A time to wait, with as many digits as an estimate is worth."""
    for size, unit in ((1, "s"), (60, "min"), (3600, "h")):
        if seconds < 90 * size:
            return f"{max(seconds / size, 1):.0f}\u00a0{unit}"
    return f"{seconds / 86400:.0f}\u00a0days"
