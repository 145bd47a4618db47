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
from dashboard.api.openapi import parameters_of
from dashboard.api.operation import Operation

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
    """An address that has an answer here; None while there is nothing to ask for."""
    answer: str
    """What it answers, shortened."""


def explained(operations: list[Operation]) -> list[Explained]:
    """All operations, each with an example where the database has one."""
    known = _known()
    return [_explained(operation, known) for operation in operations]


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
            label = game.seats[0]
            name, _ = reader.entry(tournament.id, label)
            return {"tournament": tournament.id, "game": game.game, "label": label, "bot": name}
    return {}


def _explained(operation: Operation, known: dict[str, Any]) -> Explained:
    names = operation.parameters.__struct_fields__
    asked = {name: known[name] for name in names if name in known}
    in_path = operation.in_path
    answer = "" if in_path - set(asked) else _answer(operation, asked)
    return Explained(
        name=operation.name,
        path=f"/api{operation.path}",
        summary=operation.summary,
        parameters=parameters_of(operation),
        rows=operation.rows,
        address=_address(operation, asked) if answer else None,
        answer=answer,
    )


def _answer(operation: Operation, asked: dict[str, Any]) -> str:
    """What an operation answers, shortened; empty where it has nothing to say."""
    try:
        found = operation.answer(msgspec.convert(asked, operation.parameters, strict=False))
    except HTTPException:
        return ""
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
