"""What can be asked about rules and about the formats of files and messages."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from flask import abort

from dashboard.api.operation import operation
from dashboard.api.parameters import Nothing, Preset, Schema
from protocol.rules import PRESETS, RuleSet, make_rules
from protocol.schema import SCHEMAS, schema_text


@operation("/rules")
def rules(asked: Nothing) -> list[RuleSet]:
    """All presets, each with every field of its rule set."""
    return [make_rules(preset) for preset in PRESETS]


@operation("/rules/{preset}")
def rule_set(asked: Preset) -> RuleSet:
    """The rule set of a preset."""
    if asked.preset not in PRESETS:
        abort(404, f"No preset of that name; there are {', '.join(PRESETS)}.")
    return make_rules(asked.preset)


class SchemaRow(msgspec.Struct, frozen=True):
    """One JSON Schema."""

    name: str
    title: str
    """What it describes."""


@operation("/schemas")
def schemas(asked: Nothing) -> list[SchemaRow]:
    """The JSON Schemas of messages, records and files."""
    return [SchemaRow(name, title) for name, (title, _) in SCHEMAS.items()]


@operation("/schemas/{schema}")
def schema(asked: Schema) -> dict[str, Any]:
    """A JSON Schema (draft 2020-12)."""
    if asked.schema not in SCHEMAS:
        abort(404, f"No schema of that name; there are {', '.join(SCHEMAS)}.")
    found: dict[str, Any] = json.loads(schema_text(asked.schema))
    return found
