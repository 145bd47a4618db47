"""The page that explains the API, with answers of the database at hand as examples."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import msgspec
from flask import current_app
from werkzeug.exceptions import HTTPException

from arena.errors import ArenaError
from arena.store import Reader
from dashboard.api.operation import Operation, parameters_of

_ITEMS = 2
"""Of every list that an example shows."""
_TEXT = 48
"""Characters of every text that an example shows."""
CUT = "…"
"""Stands where an example leaves something out."""


class Explained(msgspec.Struct, frozen=True, kw_only=True):
    """One operation, as the page tells it."""

    name: str
    path: str
    summary: str
    parameters: list[dict[str, Any]]
    rows: str
    """What its CSV file has; empty: there is none."""
    address: str | None
    """An example of an address; None while there is nothing to ask for."""
    answer: str | None
    """What is answered there, shortened; None: this example was not asked for, or has none."""


def explained(operations: list[Operation], shown: str) -> list[Explained]:
    """All operations, that of the name `shown` with an answer where the database has one.

    Only that one: all answers together would take longer than a page may.
    """
    known = _known()
    return [_explained(operation, known, operation.name == shown) for operation in operations]


def _known() -> dict[str, Any]:
    """Values for parameters that have an answer here: the latest tournament's, and constants."""
    found: dict[str, Any] = {"preset": "kseri", "schema": "from-bot", "limit": 1}
    try:
        with Reader(current_app.config["DATABASE"]) as reader:
            found |= _latest(reader)
    except ArenaError:
        # Without a database there are no examples, and every other page says why.
        return found
    return found


def _latest(reader: Reader) -> dict[str, Any]:
    for tournament in reader.tournaments(limit=1):
        for game in reader.games(tournament_id=tournament.id, limit=1):
            label, other = game.pairing[:2]
            last = reader.last_round(tournament.id)
            return ({"round": last} if last else {}) | {
                "tournament": tournament.id,
                "game": game.game,
                "bot": reader.entry(tournament.id, label)[0],
                "label": label,
                "a": label,
                "b": other,
            }
    return {}


def _explained(operation: Operation, known: dict[str, Any], is_shown: bool) -> Explained:
    names = operation.parameters.__struct_fields__
    asked = {name: known[name] for name in names if name in known}
    parameters = parameters_of(operation)
    missing = [each for each in parameters if each["required"] and each["name"] not in asked]
    return Explained(
        name=operation.name,
        path=f"/api{operation.path}",
        summary=operation.summary,
        parameters=parameters,
        rows=operation.rows,
        address=None if missing else _address(operation, asked),
        answer=_answer(operation, asked) if is_shown and not missing else None,
    )


def _answer(operation: Operation, asked: dict[str, Any]) -> str:
    """What an operation answers, shortened; a sentence where it has nothing to say."""
    try:
        found = operation.answer(msgspec.convert(asked, operation.parameters, strict=False))
    except HTTPException as error:
        return error.description or error.name
    return json.dumps(shortened(msgspec.to_builtins(found)), indent=1, ensure_ascii=False)


def _address(operation: Operation, asked: dict[str, Any]) -> str:
    path = f"/api{operation.path}"
    for name in operation.in_path:
        path = path.replace(f"{{{name}}}", quote(str(asked[name]), safe=""))
    query = "&".join(f"{name}={asked[name]}" for name in asked if name not in operation.in_path)
    return f"{path}?{query}" if query else path


def shortened(value: Any) -> Any:
    """The value with only the beginning of long lists and texts."""
    if isinstance(value, dict):
        return {name: shortened(each) for name, each in value.items()}
    if isinstance(value, list):
        begun = [shortened(each) for each in value[:_ITEMS]]
        return [*begun, CUT] if len(value) > _ITEMS else begun
    if isinstance(value, str) and len(value) > _TEXT:
        return value[:_TEXT] + CUT
    return value
