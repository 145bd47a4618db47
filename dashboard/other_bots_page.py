"""The pages on which other bots go on with a game: the question, and what came of it.

No bot is started here: what is asked waits in the database (`arena.store.what_ifs`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
from flask import Response, abort, current_app, render_template, request, url_for
from msgspec import Meta

from arena.errors import ArenaError
from arena.store import NotNow, WhatIfRow, are_what_ifs_played, ask_what_if, writing
from dashboard.address import number
from dashboard.commands import command
from dashboard.database import database
from dashboard.described import OneGame, described
from dashboard.game_pages import Found, find, position_asked, shown
from dashboard.other_bots import (
    MOST_LISTED,
    NotPlayable,
    all_scores,
    chosen,
    may_be_chosen,
    outcome,
    was_person,
)
from dashboard.replay import PositionPage
from dashboard.security import Allowance, refuse_foreign_form
from dashboard.summary import score_sources
from protocol.what_if import TIMES

SETTING = "WHAT_IFS"
_ASKS, _ASK_EVERY_S = 5, 60.0


def asks() -> Allowance:
    """How often one address may ask: no faster than they are played, fewer than may wait."""
    return Allowance(_ASKS, _ASK_EVERY_S)


def form(game: str) -> Response:
    """Asks who is to sit where, from the position that the address names."""
    found = find(game)
    return _form(found, _position(found))


def ask(game: str) -> Response:
    """Let it wait to be played, or say why not."""
    refuse_foreign_form()
    found = find(game)
    page = _position(found)
    names = [_said(seat) for seat in range(len(found.game.seats))]
    try:
        with database() as reader:
            bots = chosen(reader, found.game, names)
    except NotPlayable as error:
        return _form(found, page, str(error), 400)
    allowance: Allowance = current_app.config[SETTING]
    if not allowance.take(request.remote_addr or ""):
        return _form(found, page, "Too many questions; wait a minute.", 429)
    path: Path = current_app.config["DATABASE"]
    try:
        with writing(path) as db:
            key = ask_what_if(db, game, page.deal, page.move, bots)
    except NotNow as error:
        return _form(found, page, f"{str(error).capitalize()}.", 429)
    except ArenaError as error:
        current_app.logger.error("A what if could not be kept: %s", error)
        return _form(found, page, "The arena can't keep it now; its log says why.", 503)
    return Response(status=303, headers={"Location": _address(game, key)})


def _address(game: str, key: str) -> str:
    return url_for("games.went_on", game=game, key=key)


def _said(seat: int) -> str:
    return request.values.get(f"seat{seat}", "").strip()


def _position(found: Found) -> PositionPage:
    page, why_not = position_asked(found)
    if page is None or page.seat is not None:
        abort(404, why_not or "What a seat does not know it can't ask for.")
    if page.position.seat is None:
        abort(404, f"Deal {page.deal} is over there: nobody can go on with it.")
    return page


def _form(found: Found, page: PositionPage, refused: str = "", status: int = 200) -> Response:
    with database() as reader:
        names = may_be_chosen(reader, found.game.rules.preset)
        persons = [was_person(reader, seat) for seat in found.game.seats]
    text = render_template(
        "other_bots.html",
        **shown(found, page),
        labels=names,
        is_short_list=len(names) <= MOST_LISTED,
        wanted=[_said(seat) for seat in range(len(found.game.seats))],
        persons=persons,
        refused=refused,
        are_played=are_what_ifs_played(current_app.config["DATABASE"]),
        by_command=command(
            "what-if", found.game.game, f"{page.deal}.{page.move}", *_example(found, names, persons)
        ),
        times=TIMES,
    )
    return Response(text, status, headers={"Cache-Control": "no-store"})


def _example(found: Found, names: list[str], persons: list[bool]) -> list[str]:
    """Bots for the command: whoever sat there, and one that did not; one for every person, too."""
    other = next((name for name in names if name != found.game.seats[0].bot), "counter")
    return [other, *(other if person else "-" for person in persons[1:])]


def went_on(game: str, key: str) -> str:
    """What came of it so far; with `way` how the cards fell that time."""
    found = find(game)
    row = _row(game, key)
    page, why_not = position_asked(found, row.deal, row.move)
    if page is None:
        abort(404, why_not)
    with database() as reader:
        before = 0 if row.is_over else reader.what_ifs_before(row.id)
    way = number("way", 1)
    if row.ways and not 1 <= way <= len(row.ways):
        abort(404, f"way: expected a number from 1 to {len(row.ways)} in the address.")
    really = found.game.deals[row.deal - 1].sides
    is_part = request.args.get("fragment") == "1"
    return render_template(
        "_went_on.html" if is_part else "went_on.html",
        **shown(found, page),
        asked=row,
        before=before,
        are_played=are_what_ifs_played(current_app.config["DATABASE"]),
        times=TIMES,
        found=outcome(found.game, row.deal, row.ways),
        way=way,
        # What was scored is named by the game's own headings.
        rows=score_sources(all_scores(row.ways, really)),
        really=really,
    )


class OneWhatIf(OneGame, frozen=True):
    """A what if of a game."""

    key: Annotated[str, Meta(description="From the address of its page.")]


@described("/games/{game}/other-bots/{key}.json", OneWhatIf, WhatIfRow)
def went_on_json(game: str, key: str) -> Response:
    """How other bots went on with a game, as far as it is played."""
    data = msgspec.json.encode(_row(game, key))
    return Response(data + b"\n", mimetype="application/json")


def _row(game: str, key: str) -> WhatIfRow:
    with database() as reader:
        row = reader.what_if(key)
    if row.game != game:
        abort(404, "There is no such what if of this game.")
    return row
