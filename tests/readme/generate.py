"""Writes the parts of README.md and CAPACITY.md that would otherwise be written twice.

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
from benchmarks.capacity import FIGURES, Costs, most_with_one_writer, needs, read_costs
from protocol.rules import PRESETS, make_rules

README = Path(__file__).parent.parent.parent / "README.md"
CAPACITY = README.parent / "benchmarks" / "CAPACITY.md"


def sections() -> dict[Path, dict[str, str]]:
    """Every generated part of each file by the name of its marker."""
    costs = read_costs()
    return {
        README: {
            "messages": _messages(),
            "commands": _commands(),
            "presets": _presets(),
            "benchmarks": _benchmarks(),
        },
        CAPACITY: {
            "costs": _costs(costs),
            "needs": _needs(costs),
            "writer": f"It stores {costs.stored_games_a_second:,.0f} games a second here, which "
            f"are {most_with_one_writer(costs) / 1e6:,.0f} million matches a day.",
        },
    }


def filled(file: Path, parts: dict[str, str]) -> str:
    """The text of a file with all its generated parts as they should be."""
    text = file.read_text("utf-8")
    for name, body in parts.items():
        pattern = rf"(<!-- {name} -->\n).*?(<!-- end -->)"
        text, count = re.subn(
            pattern, lambda found, new=body: f"{found[1]}{new}\n{found[2]}", text, flags=re.S
        )
        if count != 1:
            raise ValueError(f"{file.name}: expected one part between <!-- {name} --> and its end")
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
    figures = json.loads(FIGURES.read_text("utf-8"))
    rows = [f"| {row['what']} | {row['value']} | {row['compiled']} |" for row in figures["rows"]]
    head = ["| what | figure | compiled |", "|---|---|---|"]
    return "\n".join([f"Measured on {figures['machine']}:\n", *head, *rows])


def _costs(costs: Costs) -> str:
    """What was measured, for one decision, game, chunk."""
    figures = json.loads(FIGURES.read_text("utf-8"))
    rows = [
        ("plays of a game", f"{costs.decisions_a_game:,.0f}"),
        ("a core's time for a play of instant bots", f"{costs.decision_us:,.1f} µs"),
        ("the same with 32 games at once in each process", f"{costs.batched_decision_us:,.1f} µs"),
        (
            "a core's time to start a bot in its sandbox, and to end it",
            f"{costs.starts_ms:,.1f} ms",
        ),
        ("the way of a chunk to a worker and back", f"{costs.hand_over_us:,.0f} µs"),
        ("a game, from the worker to whoever stores it", f"{costs.sent_bytes_a_game:,.0f} bytes"),
        ("a game in the database", f"{costs.stored_bytes_a_game:,.0f} bytes"),
        ("games stored a second by one writer", f"{costs.stored_games_a_second:,.0f}"),
    ]
    lines = [f"| {what} | {figure} |" for what, figure in rows]
    return "\n".join(
        [f"Measured on {figures['machine']}:\n", "| what | figure |", "|---|---|", *lines]
    )


def _needs(costs: Costs) -> str:
    lines = [f"| {need.what} | {need.amount} | {need.how} |" for need in needs(costs, 1e9)]
    return "\n".join(["| what | how much | from |", "|---|---|---|", *lines])


if __name__ == "__main__":
    for path, parts in sections().items():
        path.write_text(filled(path, parts), "utf-8")
