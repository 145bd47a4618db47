"""Writes the JSON Schemas of `schemas/` from the structs: `python -m protocol.schema [--check]`.

The one module of `protocol` that touches files; nothing in the arena imports more of it than
`schemas_folder`. The dashboard describes its API with it too.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import msgspec

from protocol import check, deal_script, manifest, messages, records, rules, tournament

DIALECT = "https://json-schema.org/draft/2020-12/schema"

SCHEMAS: dict[str, tuple[str, tuple[type, ...]]] = {
    "from-arena": ("A line from the arena to a bot", get_args(messages.ToBot)),
    "from-bot": ("A line from a bot to the arena", get_args(messages.FromBot)),
    "game-record": ("The log of one game", (records.GameRecord,)),
    "bot-log": ("What a bot wrote beside its plays in one game", (records.BotLog,)),
    "check-report": ("What came of the check of a bot", (check.CheckReport,)),
    "manifest": ("A bot's manifest, bot.toml", (manifest.Manifest,)),
    "tournament": ("A tournament file", (tournament.Tournament,)),
    "rules": ("A complete rule set", (rules.RuleSet,)),
    "deal-script": ("A deal without randomness", (deal_script.DealScript,)),
    "deal-outcome": (
        "What came of a deal script, or why it is impossible",
        (deal_script.DealOutcome, deal_script.ScriptRefusal),
    ),
}
"""By file name: the title, and the structs of which a text is one."""

_OPEN = ("from-arena", "from-bot")
"""Where keys that the schema does not know may stand, at every level."""


def schemas_folder() -> Path:
    """The folder of the schemas: inside the package when installed, else the repository's."""
    shipped = Path(__file__).parent / "_shipped" / "schemas"
    return shipped if shipped.is_dir() else Path(__file__).parent.parent / "schemas"


def schema_text(name: str) -> str:
    """The schema file of `name`, a key of `SCHEMAS`, as text."""
    title, structs = SCHEMAS[name]
    tops, parts = msgspec.json.schema_components(structs, ref_template="#/$defs/{name}")
    describe(parts, _MODULES)
    schema: dict[str, Any] = {"$schema": DIALECT, "title": title}
    schema |= tops[0] if len(tops) == 1 else {"anyOf": list(tops)}
    schema["$defs"] = dict(sorted(parts.items()))
    return json.dumps(portable(schema, name in _OPEN), indent=2, ensure_ascii=False) + "\n"


def portable(schema: Any, is_open: bool) -> Any:
    """The schema as other languages' validators want it.

    `is_open`: it fits objects with keys that it does not know.
    """
    if isinstance(schema, list):
        return [portable(item, is_open) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "enum" in schema and set(schema["enum"]) == set(deal_script.CARDS):
        # The same in one line, and known by its type.
        schema = {key: value for key, value in schema.items() if key != "enum"}
        schema |= {"type": "string", "pattern": "^[A23456789TJQK][CDHS]$"}
    schema = {key: portable(value, is_open) for key, value in schema.items()}
    if is_open and schema.get("additionalProperties") is False:
        del schema["additionalProperties"]
    if isinstance(schema.get("pattern"), str):
        # What Python writes \Z, the end of the text, ECMA 262 writes $.
        schema["pattern"] = schema["pattern"].replace(r"\Z", "$")
    return schema


_MODULES = (check, deal_script, manifest, messages, records, rules, tournament)


def describe(parts: dict[str, Any], modules: Iterable[ModuleType]) -> None:
    """Add the sentences that stand under the fields in the sources to the structs' schemas."""
    for module in modules:
        for struct, field, sentence in _sentences(module):
            if field in parts.get(struct, {}).get("properties", {}):
                parts[struct]["properties"][field]["description"] = sentence


def _sentences(module: ModuleType) -> Iterator[tuple[str, str, str]]:
    for struct in ast.parse(inspect.getsource(module)).body:
        if not isinstance(struct, ast.ClassDef):
            continue
        for field, below in zip(struct.body, struct.body[1:], strict=False):
            match field, below:
                case (
                    ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str(sentence))),
                ):
                    yield struct.name, name, " ".join(sentence.split())


def outdated(folder: Path) -> list[str]:
    """What is wrong in `folder`, a line for every schema that differs, is missing or too many."""
    complaints = []
    for name in SCHEMAS:
        file = folder / f"{name}.json"
        if not file.is_file():
            complaints.append(f"{file.name} is missing")
        elif file.read_text("utf-8") != schema_text(name):
            complaints.append(f"{file.name} differs from the structs")
    known = {f"{name}.json" for name in SCHEMAS}
    extra = sorted(file.name for file in folder.glob("*.json") if file.name not in known)
    return complaints + [f"{name} is superfluous" for name in extra]


def main(words: list[str]) -> int:
    """Write the schemas, or with `--check` only say which are wrong; returns the exit status."""
    folder = schemas_folder()
    if words == ["--check"]:
        complaints = outdated(folder)
        print("\n".join(complaints) or "schemas/ is as the structs say")
        return 1 if complaints else 0
    if words:
        print("usage: python -m protocol.schema [--check]", file=sys.stderr)
        return 2
    folder.mkdir(exist_ok=True)
    for name in SCHEMAS:
        (folder / f"{name}.json").write_text(schema_text(name), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
