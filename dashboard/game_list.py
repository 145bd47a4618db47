"""The list of games: filtered by what the address says, as a page, JSON or CSV."""

from __future__ import annotations

from typing import Annotated, Literal, get_args
from urllib.parse import urlencode

import msgspec
from flask import Response, abort, render_template, request, url_for
from msgspec import Meta

from arena.store import GameFilter, GameRow, Reader, Result
from dashboard.address import number, one_of, word
from dashboard.csv_table import csv_answer
from dashboard.database import database
from dashboard.described import described
from protocol.messages import FaultKind
from protocol.rules import PRESETS

PAGE = 50
_MOST = 1000
"""Rows of JSON or CSV at once."""
_TOURNAMENTS = 100
"""In the list to choose from; older ones are reached from their own pages."""
_FAULTS = ("any", *get_args(FaultKind))
_RESULTS: tuple[str, ...] = get_args(Result)


class GameList(msgspec.Struct, frozen=True, kw_only=True):
    """One page of games, the latest first."""

    games: list[GameRow]
    older: str | None
    """What to ask for to get those before them; None: there are none."""


def games() -> str:
    """The list as a page."""
    wanted, before = _wanted(), number("before", None)
    with database() as reader:
        found = listed(reader, wanted, before, PAGE)
        chosen = None
        if wanted.tournament_id is not None:
            chosen = reader.tournament_row(wanted.tournament_id)
        tournaments = reader.tournaments()[:_TOURNAMENTS]
    return render_template(
        "games.html",
        found=found,
        wanted=wanted,
        page_size=PAGE,
        chosen=chosen,
        tournaments=tournaments,
        presets=PRESETS,
        results=_RESULTS,
        faults=_FAULTS,
        is_first=before is None,
        latest=query(wanted),
        these=query(wanted, before),
        is_filtered=wanted != GameFilter(),
    )


_Number = Annotated[int, Meta(ge=1)]


class Filters(msgspec.Struct, frozen=True):
    """What the games of the list have in common."""

    tournament: Annotated[_Number | None, Meta(description="The number of a tournament.")] = None
    rules: Annotated[str, Meta(description="The name of a preset.")] = ""
    pairing: Annotated[str, Meta(description="Labels that met, commas between.")] = ""
    bot: Annotated[str, Meta(description="A label; `result` and `fault` are then its own.")] = ""
    result: Annotated[Result | None, Meta(description="`won` and `lost` are those of `bot`.")] = (
        None
    )
    fault: Annotated[
        FaultKind | Literal["any"] | None, Meta(description="Games with a fault of that kind.")
    ] = None
    before: Annotated[_Number | None, Meta(description="Only smaller numbers.")] = None
    limit: Annotated[int, Meta(ge=1, le=_MOST, description="How many at most.")] = PAGE


@described("/games.json", Filters, GameList)
def as_json() -> Response:
    """The list of games with the filters of its page; `/api/games` has the same rows."""
    data = msgspec.json.encode(_asked_for())
    return Response(data + b"\n", mimetype="application/json")


def as_csv() -> Response:
    """The same list as CSV; a header leads to the games before them."""
    found = _asked_for()
    answer = csv_answer(found.games, GameRow, "games")
    if found.older:
        answer.headers["Link"] = f'<{url_for("games.as_csv")}{found.older}>; rel="next"'
    return answer


def _asked_for() -> GameList:
    """What the address asks for; `limit` games of it, by default as many as the page has."""
    with database() as reader:
        limit = min(number("limit", PAGE), _MOST)
        return listed(reader, _wanted(), number("before", None), max(limit, 1))


def listed(reader: Reader, wanted: GameFilter, before: int | None, limit: int) -> GameList:
    """The games that fit, the latest first, from the one before number `before` on.

    Fewer than `limit` where the others would take too long to find: then `older` goes on there.
    """
    rows, older = reader.games_that_fit(wanted, before, limit)
    more = {} if limit == PAGE else {"limit": limit}
    return GameList(games=rows, older=None if older is None else query(wanted, older, **more))


def query(wanted: GameFilter, before: int | None = None, **more: int) -> str:
    """The list's address from its question mark on."""
    values = {
        "tournament": wanted.tournament_id,
        "rules": wanted.rules,
        "pairing": ",".join(wanted.pairing),
        "bot": wanted.bot,
        "result": wanted.result,
        "fault": wanted.fault,
        "before": before,
        **more,
    }
    return "?" + urlencode({name: value for name, value in values.items() if value})


def _wanted() -> GameFilter:
    """The filters of the address. Ends the request where they make no sense."""
    bot, result = word("bot") or None, one_of("result", _RESULTS)
    if result in ("won", "lost") and bot is None:
        abort(404, f"result: {result} by whom? Give a bot too.")
    return GameFilter(
        tournament_id=number("tournament", None),
        rules=one_of("rules", PRESETS),
        pairing=tuple(dict.fromkeys(request.args.get("pairing", "").replace(",", " ").split())),
        bot=bot,
        result=result,  # type: ignore[arg-type]
        fault=one_of("fault", _FAULTS),  # type: ignore[arg-type]
    )
