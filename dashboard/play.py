"""A visitor plays a bot: the choice of a table, and the page of the visitor's seat.

Nothing is played here. Who sits where, and what they play, waits in the database for whoever plays
the games of visitors (`arena.person.visitors`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from arena.errors import ArenaError, UsageError
from arena.store import (
    GAME_S,
    PLAY_S,
    VISITOR,
    Database,
    Reader,
    Sitting,
    StaleAnswer,
    TooMany,
    add_sitting,
    are_sittings_played,
    put_answer,
    writing,
)
from dashboard.database import database
from dashboard.home import about
from dashboard.live import Feed
from dashboard.seat import YOU, seat_page, told_of
from dashboard.seat_telling import seat_telling
from dashboard.seating import (
    MOST_OTHERS,
    Held,
    Table,
    answered,
    going_on,
    new_visitor,
    playable,
    visitor,
    wanted,
)
from dashboard.security import Allowance, form_key, refuse_foreign_form
from dashboard.show import side_name
from dashboard.summary import score_sources
from protocol.rules import PRESETS, make_rules

pages = Blueprint("play", __name__)
pages.record_once(
    lambda state: state.app.config.update(
        # So that one address alone can't begin all games of a day, or hold all tables.
        GAMES_BEGUN=Allowance(20, 300.0),
        TABLES_HELD=Held(2),
        PLAYS=Allowance(300, 0.1),
    )
)

ANSWER_S = 1.0
"""How long an answer to a play waits for the bots' plays, so that it shows them at once."""
_PRIVATE = {"Cache-Control": "no-store"}
Result = TypeVar("Result")


@pages.get("/play/")
def room() -> Response:
    """What may be played, and what is being played."""
    return _room(Table([request.args.get("bot", "")], request.args.get("rules", "")))


@pages.post("/play/")
def sit_down() -> AnyResponse:
    """Seat the visitor at a new table."""
    refuse_foreign_form()
    if not current_app.config["TABLES"]:
        abort(503, "Nobody plays with visitors here at the moment.")
    with database() as reader:
        found = wanted(playable(reader))
    if isinstance(found, str):
        return _room(Table([""], ""), found, 400)
    if not _allowed("GAMES_BEGUN"):
        return _room(found, "From your address many games were asked for; wait some minutes.", 429)
    with database() as reader:
        number = _seated(reader, found)
    if isinstance(number, str):
        return _room(found, number, 429)
    return redirect(url_for("play.seat", number=number), 303)


def _seated(reader: Reader, wish: Table) -> int | str:
    """The number of the visitor's new sitting, or a sentence why there is none now."""
    held: Held = current_app.config["TABLES_HELD"]
    tables, key = current_app.config["TABLES"], new_visitor()

    def seat() -> int:
        return _written(lambda db: add_sitting(db, key, wish.bots, wish.rules, tables))

    try:
        return held.sit_down(request.remote_addr or "", reader, seat)
    except TooMany as error:
        return _sentence(error)


def _room(chosen: Table, refused: str = "", status: int = 200) -> Response:
    key = visitor()
    with database() as reader:
        bots, rows = playable(reader), going_on(reader)
        own = reader.sitting_of(key) if key else None
    page = render_template(
        "room.html",
        bots=bots,
        others=range(2, MOST_OTHERS + 1),
        presets={name: make_rules(name) for name in PRESETS},
        chosen=chosen,
        going_on=rows,
        own=own,
        refused=refused,
        tables=current_app.config["TABLES"],
        form_key=form_key(),
        play_time=about(PLAY_S),
        game_time=about(GAME_S),
    )
    return Response(page, status, headers=_PRIVATE)


@pages.get("/play/<int:number>")
def seat(number: int) -> AnyResponse:
    """The visitor's seat; everybody else is led to the game when it is over."""
    with database() as reader:
        sitting = _own(reader, number)
        if sitting is None:
            return _not_yours(reader.game_of_sitting(number))
        return _seat(reader, sitting)


@pages.post("/play/<int:number>")
def answer(number: int) -> AnyResponse:
    """Take the visitor's play."""
    refuse_foreign_form()
    if not _allowed("PLAYS"):
        abort(429, "Too many plays at once; wait a minute.")
    turn, play = answered()
    key = visitor() or ""
    refused = ""
    try:
        _written(lambda db: put_answer(db, number, key, turn, play))
    except StaleAnswer as error:
        refused = f"{_sentence(error)} This is the table as it is now."
    else:
        _wait_for_bots(number)
    with database() as reader:
        sitting = _own(reader, number)
        if sitting is None:
            return _not_yours(None)
        if refused or request.args.get("fragment") == "1":
            return _seat(reader, sitting, refused)
    return redirect(url_for("play.seat", number=number), 303)


def _wait_for_bots(number: int) -> None:
    """Until the visitor is asked again, or the game is over, or it takes too long."""
    feed: Feed = current_app.config["FEED"]
    if not feed.enter():
        return
    try:
        until = time.monotonic() + ANSWER_S
        while (left := until - time.monotonic()) > 0:
            life, last = feed.life, feed.latest
            with database() as reader:
                sitting = _own(reader, number)
            if sitting is None or not sitting.is_answered:
                return
            feed.after(last, life, left)
    finally:
        feed.leave()


def _own(reader: Reader, number: int) -> Sitting | None:
    key = visitor()
    try:
        return reader.sitting(number, key) if key else None
    except UsageError:
        return None


def _not_yours(game: str | None) -> AnyResponse:
    if game:
        return redirect(url_for("games.replay", game=game), 303)
    abort(403, "This is somebody else's seat, or its cookie is gone: only that browser sees it.")


def _seat(reader: Reader, sitting: Sitting, refused: str = "") -> Response:
    told = told_of(sitting)
    page = seat_page(sitting, told) if told else None
    is_gone = not sitting.is_over and not _is_played(sitting)
    is_fragment = request.args.get("fragment") == "1"
    text = render_template(
        "_seat.html" if is_fragment else "seat.html",
        sitting=sitting,
        told=told,
        page=page,
        choices=page.choices if page else [],
        said=seat_telling(sitting, told, page) if told and page else "",
        sources=score_sources(told.ends[-1].sides) if told and told.ends else [],
        result=_result(reader, sitting.game) if sitting.game else None,
        is_gone=is_gone,
        is_waiting=not (sitting.is_over or is_gone or (page and page.choices)),
        refused=refused,
        form_key=form_key(),
        play_time=about(PLAY_S),
        game_time=about(GAME_S),
    )
    return Response(text, 409 if refused else 200, headers=_PRIVATE)


def _is_played(sitting: Sitting) -> bool:
    """Whether anybody plays the games of visitors, or is about to begin with it."""
    if are_sittings_played(current_app.config["DATABASE"]):
        return True
    return sitting.state == "waiting" and bool(current_app.config["TABLES"])


_PERSON = "the process is a person, who "


def _result(reader: Reader, game: str) -> dict[str, object]:
    """How a game ended, for its visitor."""
    record = reader.game(game)
    names = [YOU if each.bot == VISITOR else each.bot for each in record.seats]
    own = names.index(YOU)
    sides = len(record.scores)
    winner = None if record.winner is None else side_name(names, record.winner, sides)
    return {
        "record": record,
        "names": names,
        "own": own,
        "faults": [(fault, fault.detail.removeprefix(_PERSON)) for fault in record.faults],
        "winner": winner,
        "is_won": record.winner == record.seats[own].side,
        "sides": [side_name(names, side, sides) for side in range(sides)],
    }


def _allowed(name: str) -> bool:
    allowance: Allowance = current_app.config[name]
    return allowance.take(request.remote_addr or "")


def _written(change: Callable[[Database], Result]) -> Result:
    """Let a function of the store write. Ends the request with 503 where it can't."""
    path: Path = current_app.config["DATABASE"]
    try:
        with writing(path) as db:
            return change(db)
    except UsageError:
        raise
    except ArenaError as error:
        current_app.logger.error("What a visitor did could not be kept: %s", error)
        abort(503, "The arena can't keep it now; its log says why. Try again later.")


def _sentence(error: Exception) -> str:
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}."
