"""Pages of games: the list, the replay, the record."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlencode

import msgspec
from flask import Blueprint, Response, abort, current_app, render_template, request

from arena.replay import ReplayError
from arena.store import Reader, TournamentRow
from dashboard.database import database
from dashboard.replay import NoSuchPosition, PositionPage, position_page
from dashboard.summary import listed_faults, published, score_sources, seat_lines
from protocol.records import BotLog, GameRecord
from protocol.rules import RuleSetError

pages = Blueprint("games", __name__)

_PAGE = 50
_STDERR_SHOWN = 8000
"""Characters of a bot's stderr on a page: the last ones say why it died."""


@pages.get("/games/")
def games() -> str:
    """Games, the latest first, filtered by what the address says."""
    tournament, before = _number("tournament", None), _number("before", None)
    bot, faulty = request.args.get("bot", "").strip(), request.args.get("faults") == "1"
    with database() as reader:
        chosen = reader.tournament_row(tournament) if tournament is not None else None
        rows = reader.games(
            tournament_id=tournament,
            bot=bot or None,
            faulty=faulty,
            before=before,
            limit=_PAGE + 1,
        )
        tournaments = reader.tournaments()
    filters = {"tournament": tournament, "bot": bot, "faults": 1 if faulty else None}
    return render_template(
        "games.html",
        rows=rows[:_PAGE],
        chosen=chosen,
        tournaments=tournaments,
        bot=bot,
        faulty=faulty,
        before=before,
        first=_query(filters),
        older=_query(filters | {"before": rows[_PAGE - 1].id}) if len(rows) > _PAGE else None,
    )


def _query(filters: dict[str, int | str | None]) -> str:
    return "?" + urlencode({name: value for name, value in filters.items() if value})


Default = TypeVar("Default")


def _number(name: str, default: Default) -> int | Default:
    """A whole number in the address, not negative; ends the request where it is none."""
    text = request.args.get(name, "").strip()
    if not text:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        abort(404, f"{name}: expected a whole number in the address.")
    return int(text)


@pages.get("/games/<game>.json")
def record(game: str) -> Response:
    """The record of a game; of one on decks still in play, what may be known of it."""
    with database() as reader:
        data = msgspec.json.encode(published(reader.game(game)))
    return Response(data + b"\n", mimetype="application/json")


@pages.get("/games/<game>")
def replay(game: str) -> str:
    """A game play by play: the position that the address asks for, as a whole page or a part.

    `deal` and `move` choose the position, `part` leaves out what is the same for all of them.
    """
    with database() as reader:
        found = reader.game(game)
        row = reader.game_row(game)
        tournament = reader.tournament_row(row.tournament_id)
        is_part = request.args.get("part") == "1"
        logs = [] if is_part else _logs(reader, tournament, game)
    page, why_not = _position(found)
    if is_part and page:
        return render_template("_position.html", page=page, game=found)
    shown = published(found)
    return render_template(
        "game.html",
        page=page,
        why_not=why_not,
        game=shown,
        row=row,
        tournament=tournament,
        seats=seat_lines(shown),
        sources=score_sources(shown),
        faults=list(listed_faults(shown, logs)),
        logs=logs,
        command=_verify_command(found),
    )


def _position(record: GameRecord) -> tuple[PositionPage | None, str]:
    """The position that the address asks for, or a sentence why none can be shown."""
    if not record.seed:
        return None, (
            "Its cards are shown once every game on the same decks is over: "
            "until then they would tell what the others are dealt."
        )
    try:
        return position_page(record, _number("deal", 1), _number("move", 0)), ""
    except NoSuchPosition as error:
        abort(404, str(error))
    except (ReplayError, RuleSetError) as error:
        return None, f"This record can't be played again: {error}."


def _logs(reader: Reader, tournament: TournamentRow, game: str) -> list[BotLog]:
    """What bots wrote to stderr, where it is nobody's secret: unrated games that are over.

    In rated tournaments it is for the bot's owner alone; notes are so everywhere.
    """
    if tournament.rated or not tournament.finished:
        return []
    return [
        BotLog(game=log.game, seat=log.seat, stderr=log.stderr[-_STDERR_SHOWN:])
        for log in reader.logs(game)
        if log.stderr
    ]


def _verify_command(record: GameRecord) -> str:
    path: Path = current_app.config["DATABASE"]
    return shlex.join(["kseri", "verify", record.game, "--db", path.name])
