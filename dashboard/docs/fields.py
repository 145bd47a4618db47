"""The fields of messages and rule sets as tables, from the JSON Schemas of their structs."""

from __future__ import annotations

import json
from collections.abc import Collection
from functools import cache
from typing import Any

import msgspec

from protocol.schema import schema_text


class Field(msgspec.Struct, frozen=True):
    """One field of an object."""

    name: str
    kind: str
    """What it holds, in words."""
    default: str
    """As JSON; empty where it must be given."""
    meaning: str


class Described(msgspec.Struct, frozen=True):
    """One kind of object."""

    name: str
    meaning: str
    fields: list[Field]


@cache
def described(schema: str, name: str) -> Described:
    """The object of that name in a JSON Schema of `protocol.schema`."""
    parts = _parts(schema)
    return _described(name, parts[name])


def message_of(schema: str, type_: str) -> Described:
    """The message with that `type`."""
    for name, part in _parts(schema).items():
        if part.get("properties", {}).get("type", {}).get("enum") == [type_]:
            return _described(name, part)
    raise LookupError(type_)


def parts_of(schema: str, but: Collection[str]) -> list[Described]:
    """The objects that others have as fields; `but`: the names of those others."""
    return [described(schema, name) for name in _parts(schema) if name not in but]


@cache
def _parts(schema: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(schema_text(schema))["$defs"]
    return found


def _described(name: str, part: dict[str, Any]) -> Described:
    fields = [_field(key, value) for key, value in part["properties"].items() if key != "type"]
    return Described(name, part.get("description", ""), fields)


def _field(name: str, schema: dict[str, Any]) -> Field:
    default = json.dumps(schema["default"]) if "default" in schema else ""
    if isinstance(schema.get("default"), dict):
        default = "{…}"
    return Field(name, kind(schema), default, schema.get("description", ""))


def kind(schema: dict[str, Any]) -> str:
    """What a schema asks for, in words."""
    if "anyOf" in schema:
        return " or ".join(kind(each) for each in schema["anyOf"])
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        return " or ".join(json.dumps(value) for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {kind(schema['items'])}" if schema.get("items") else "list"
    return _plain(schema)


def _plain(schema: dict[str, Any]) -> str:
    """A number with its range, a card, or whatever else has no parts."""
    if schema.get("pattern", "").endswith("[CDHS]$"):
        return "card"
    least, most = schema.get("minimum"), schema.get("maximum")
    name = {"integer": "integer", "number": "number", "string": "text"}.get(schema["type"])
    name = name or str(schema["type"])
    if least is not None and most is not None:
        return f"{name}, {least} to {most}"
    return f"{name}, {least} or more" if least is not None else name
