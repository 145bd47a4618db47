"""What bots wrote beside their plays, for everybody where it may be, else for their owners."""

from __future__ import annotations

import msgspec
from flask import Response, abort, current_app, render_template, request

from arena.store import Reader, Token
from dashboard.api import problem
from dashboard.database import database
from dashboard.described import OneGame, described
from dashboard.game_pages import Found, find, not_yet
from dashboard.logs import shortened
from dashboard.security import Allowance, form_key, refuse_foreign_form
from protocol.records import BotLog

_BEARER = "Bearer "
_PRIVATE = {"Cache-Control": "no-store"}
_NO_TOKEN = "This is no valid token; the organiser of the arena gives them out."
_TOO_OFTEN = "Too many attempts; wait a minute."


@described(
    "/games/{game}/logs.json",
    OneGame,
    list[BotLog],
    problems={401: "No valid token.", 429: "Too many attempts."},
    token="may",
)
def logs_json(game: str) -> Response:
    """What bots wrote beside a game: what is for everybody, with a token what is one's own too."""
    found = find(game)
    own: list[BotLog] = []
    if "Authorization" in request.headers:
        if not _may_ask():
            return problem(429, "Too many", _TOO_OFTEN)
        secret = request.headers["Authorization"].removeprefix(_BEARER)
        with database() as reader:
            token = reader.token_of(secret.strip())
            if token is None:
                return problem(401, "Not known", _NO_TOKEN)
            own = own_logs(reader, token, found)
    public = {log.seat: log for log in found.logs}
    logs = sorted((public | {log.seat: log for log in own}).values(), key=lambda log: log.seat)
    body = msgspec.json.encode(logs) + b"\n"
    return Response(body, mimetype="application/json", headers=_PRIVATE)


def own_logs(reader: Reader, token: Token, found: Found) -> list[BotLog]:
    """What the bots of a token's owner wrote in a game; nothing while its decks are in play."""
    if not found.game.seed:
        return []
    hashes = reader.hashes_of_token(token.id)
    return [
        log
        for log in reader.logs(found.game.game)
        if found.game.seats[log.seat].hash in hashes and (log.stderr or log.notes or log.logs)
    ]


def form(game: str) -> Response:
    """Asks for the token of a bot's owner."""
    return _page(find(game))


def show(game: str) -> Response:
    """What the bots of whoever has the token wrote."""
    if not _may_ask():
        abort(429, _TOO_OFTEN)
    refuse_foreign_form()
    found = find(game)
    with database() as reader:
        token = reader.token_of(request.form.get("token", "").strip())
        logs = own_logs(reader, token, found) if token else []
    if token is None:
        return _page(found, refused=_NO_TOKEN, status=401)
    if not logs:
        return _page(found, refused="No bot of this token wrote anything in this game.")
    return _page(found, logs=logs)


def _may_ask() -> bool:
    posts: Allowance = current_app.config["POSTS"]
    return posts.take(request.remote_addr or "")


def _page(
    found: Found, *, logs: list[BotLog] | None = None, refused: str = "", status: int = 200
) -> Response:
    page = render_template(
        "own_logs.html",
        game=found.game,
        row=found.row,
        tournament=found.tournament,
        not_yet="" if found.game.seed else not_yet(found),
        logs=shortened(logs or []),
        refused=refused,
        form_key=form_key(),
    )
    return Response(page, status, headers=_PRIVATE)
