"""Bots of the repository, asked one turn by hand-made lines of the protocol."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

BOTS = Path(__file__).parents[2] / "bots"
NAMES = ["greedy", "heron", "pearl", "pike", "crab", "otter"]
GIVE_UP_S = 60

_RULES = {
    "preset": "kseri",
    "seats": 2,
    "sides": 2,
    "decks": 1,
    "target": 101,
    "capture": "optional",
    "jack_captures": True,
    "jack_on_jack": 0,
    "deals": None,
    "points": {
        "ace": 1,
        "jack": 1,
        "ten_of_diamonds": 2,
        "two_of_clubs": 2,
        "majority": 3,
        "kseri": 10,
        "double_kseri": 20,
    },
}
_HELLO = {
    "type": "hello",
    "game": "5eed",
    "protocol": 1,
    "rules": _RULES,
    "seat": 0,
    "side_of": [0, 1],
    "names": None,
    "limits": {"boot_ms": 10000, "move_ms": 1000, "bank_ms": 10000, "clock": "wall", "batch": 1},
    "bot_seed": 7,
}
_TURN = {
    "type": "turn",
    "game": "5eed",
    "turn": 1,
    "seat": 0,
    "deal": {
        "number": 1,
        "dealer": 1,
        "centre": ["3C", "9D", "KS", "5H"],
        "buried": [],
        "bottom": None,
    },
    "hand": ["4D", "5S"],
    "legal": [{"card": "4D"}, {"card": "5S", "capture": True}, {"card": "5S", "capture": False}],
    "pile": ["3C", "9D", "KS", "5H"],
    "hidden_centre": 0,
    "taken_centre": None,
    "marker": None,
    "stock": 24,
    "hands": [2, 4],
    "captured": [0, 0],
    "bonus": [0, 0],
    "scores": [0, 0],
    "plays": [],
    "clock": {"move_ms": 1000, "bank_ms": 10000, "used_ms": 0},
}
LINES = "".join(json.dumps(message) + "\n" for message in (_HELLO, _TURN))


def manifest(folder: Path) -> dict[str, Any]:
    """What stands in the bot.toml of a folder."""
    return tomllib.loads((folder / "bot.toml").read_text(encoding="utf-8"))


def copy_of(name: str, folder: Path) -> Path:
    """The bot `name` in a folder of its own; skips where a tool for it is missing."""
    copy = folder / name
    shutil.copytree(BOTS / name, copy)
    commands = [manifest(copy)[key] for key in ("build", "run") if key in manifest(copy)]
    for program, *_ in commands:
        if "/" not in program and not shutil.which(program):
            pytest.skip(f"{program} is not installed")
    return copy


def assert_plays(answer: str) -> None:
    """That these lines of output hold one answer to the turn, a legal one."""
    [play] = [json.loads(line) for line in answer.splitlines() if '"play"' in line]
    assert {key: play[key] for key in ("card", "capture") if key in play} in _TURN["legal"]
