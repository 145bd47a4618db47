"""Writes the parts of README.md that would otherwise be written twice.

Run from the root after a change of commands, messages, presets or figures:
python -m tests.readme.generate
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import click

from arena.cli import kseri
from arena.reference import broken, example_messages, preset_changes
from protocol.rules import PRESETS, make_rules

README = Path(__file__).parent.parent.parent / "README.md"
_FIGURES = README.parent / "benchmarks" / "figures.json"


def sections() -> dict[str, str]:
    """Every generated part of the README by the name of its marker."""
    return {
        "messages": _messages(),
        "commands": _commands(),
        "presets": _presets(),
        "benchmarks": _benchmarks(),
    }


def filled(text: str) -> str:
    """The README's text with all generated parts as they should be."""
    for name, body in sections().items():
        pattern = rf"(<!-- {name} -->\n).*?(<!-- end -->)"
        text, count = re.subn(
            pattern, lambda found, new=body: f"{found[1]}{new}\n{found[2]}", text, flags=re.S
        )
        if count != 1:
            raise ValueError(f"README.md: expected one part between <!-- {name} --> and its end")
    return text


def _messages() -> str:
    """A turn of a real game, and its answer."""
    messages = example_messages()
    return "\n".join(
        [
            "A `turn` (with line breaks here; on the wire it is one line):\n",
            f"```json\n{broken(messages['turn'])}\n```\n",
            "An answer, of which only `card` is required (and `turn` after a time-out):\n",
            f"```json\n{json.dumps(messages['play'])}\n```",
        ]
    )


def _commands() -> str:
    """Every command with the first sentence of its help."""
    context = click.Context(kseri)
    rows = []
    for name in kseri.list_commands(context):
        command = kseri.get_command(context, name)
        assert command is not None
        rows.append(f"| `kseri {name}` | {command.get_short_help_str(200)} |")
    return "\n".join(["| command | what it does |", "|---|---|", *rows])


def _presets() -> str:
    """Every preset with what it changes."""
    rows = [
        f"| `{name}` | {rules.seats} in {rules.sides} sides | {_changes(name)} |"
        for name in PRESETS
        for rules in [make_rules(name)]
    ]
    return "\n".join(["| preset | seats | what differs from `kseri` |", "|---|---|---|", *rows])


def _changes(name: str) -> str:
    return ", ".join(f"{field} {value}" for field, value in preset_changes(name)) or "–"


def _benchmarks() -> str:
    """The last figures that `python -m benchmarks.record` wrote down."""
    figures = json.loads(_FIGURES.read_text("utf-8"))
    rows = [f"| {row['what']} | {row['value']} |" for row in figures["rows"]]
    return "\n".join(
        [f"Measured on {figures['machine']}:\n", "| what | figure |", "|---|---|", *rows]
    )


if __name__ == "__main__":
    README.write_text(filled(README.read_text("utf-8")), "utf-8")
