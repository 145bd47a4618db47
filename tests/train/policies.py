"""The same policies as functions of a position, of a message, and of an observation."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from arena.game import Option
from arena.train import Position


def choice(number: int, cards: Iterable[str], options: int) -> int:
    """Some answer that depends on the turn and on all cards played."""
    digest = hashlib.sha256(f"{number} {' '.join(cards)}".encode()).digest()
    return digest[0] % options


def by_position(position: Position) -> Option:
    legal = position.legal
    return legal[choice(position.turn, position.played, len(legal))]


def by_message(turn: Mapping[str, Any]) -> dict[str, Any]:
    legal = turn["legal"]
    played = [play["card"] for play in turn["plays"]]
    return {"turn": turn["turn"], **legal[choice(turn["turn"], played, len(legal))]}
