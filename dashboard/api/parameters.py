"""What may be asked with: the parameters of all operations, and how they are read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, TypeVar

import msgspec
from flask import abort
from msgspec import Meta
from werkzeug.datastructures import MultiDict

from dashboard.api.operation import Operation, parameters_of
from protocol.complaints import complaint

_LARGEST = 2**63 - 1
"""The largest integer that SQLite takes."""
_Number = Annotated[int, Meta(ge=1, le=_LARGEST)]
Limit = Annotated[int, Meta(ge=1, le=500, description="How many at most.")]
Before = Annotated[
    _Number | None,
    Meta(description="Only those with numbers below this one."),
]
_Name = Annotated[str, Meta(min_length=1, max_length=100)]
TournamentId = _Number
Tournament = Annotated[_Number, Meta(description="The number of a tournament.")]
Label = Annotated[_Name, Meta(description="The name of an entrant in that tournament.")]


class Nothing(msgspec.Struct, frozen=True):
    """No parameters."""


class OneTournament(msgspec.Struct, frozen=True):
    """A tournament by its number."""

    tournament: Tournament


class Tournaments(msgspec.Struct, frozen=True):
    """A page of the list of tournaments."""

    before: Before = None
    limit: Limit = 50


class OneGame(msgspec.Struct, frozen=True):
    """A game by its id."""

    game: Annotated[_Name, Meta(description="The id of a game, its beginning, or its number.")]


class Bots(msgspec.Struct, frozen=True):
    """A page of the list of bots."""

    begins: Annotated[str, Meta(max_length=100, description="How the names begin.")] = ""
    after: Annotated[str, Meta(max_length=100, description="Only names after this one.")] = ""
    limit: Limit = 100


class OneBot(msgspec.Struct, frozen=True):
    """A bot by its name."""

    bot: Annotated[_Name, Meta(description="The name of a bot.")]
    before: Before = None


class OneEntrant(msgspec.Struct, frozen=True):
    """An entrant of a tournament."""

    tournament: Tournament
    label: Label
    before: Before = None


class Preset(msgspec.Struct, frozen=True):
    """A rule set by its name."""

    preset: Annotated[_Name, Meta(description="The name of a preset, such as kseri.")]


class Schema(msgspec.Struct, frozen=True):
    """A JSON Schema by its name."""

    schema: Annotated[_Name, Meta(description="The name of a schema, such as from-arena.")]


Parameters = TypeVar("Parameters", bound=msgspec.Struct)


def read_parameters(
    operation: Operation, path: Mapping[str, str], query: MultiDict[str, str]
) -> msgspec.Struct:
    """The parameters of a request; ends it with 400 and one sentence where they are wrong."""
    struct = operation.parameters
    known = [name for name in struct.__struct_fields__ if name not in operation.in_path]
    for name, values in query.lists():
        if name not in known:
            there_are = f"there are {', '.join(known)}" if known else "there is none"
            abort(400, f"{name[:60]}: no such parameter here; {there_are}.")
        if len(values) > 1:
            abort(400, f"{name}: given {len(values)} times; once is enough.")
    try:
        return msgspec.convert({**query.to_dict(), **path}, struct, strict=False)
    except msgspec.ValidationError as error:
        if "Invalid enum value" in str(error):
            abort(400, _choice(str(error), operation))
        field, what = complaint(error, struct)
        abort(400, f"{field}: {_in_words(what)}.")


def _choice(what: str, operation: Operation) -> str:
    """What a parameter with a fixed choice of values may be."""
    (name,) = re.findall(r"`\$\.(\w+)`$", what)
    (schema,) = (each["schema"] for each in parameters_of(operation) if each["name"] == name)
    return f"{name}: expected one of {', '.join(schema['enum'])}."


_WORDS = {
    "`int`": "a whole number",
    "`bool`": "true or false",
    "`str`": "text",
    " | null": "",
    " <= ": " of at most ",
    " >= ": " of at least ",
    "`": "",
}


def _in_words(what: str) -> str:
    """What msgspec says of a value, for somebody who never saw the types."""
    text = re.sub(r", got `\w+`$", "", what).replace("Expected", "expected")
    text = text.replace("this key", "this parameter")
    text = text.replace("`int | null`", "`int`")
    for code, words in _WORDS.items():
        text = text.replace(code, words)
    return text
