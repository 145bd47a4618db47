"""What is played: bots, what all games of a tournament have in common, what a game begins with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec

from arena.referee import GameSetup, Referee
from arena.schedule import Chunk, GameKey, VoidMatch, drawn_for
from protocol.messages import Limits
from protocol.records import BotLog, GameRecord
from protocol.rules import RuleSet


class Bot(msgspec.Struct, frozen=True, kw_only=True):
    """A bot ready to be started."""

    name: str
    version: str
    hash: str
    """SHA-256 over its files, in hex."""
    folder: str
    """Its copy, built, as the tournament began."""
    run: tuple[str, ...]
    reuse: bool = True
    """Whether one process may play several games."""
    batch: int = 1
    """How many games may go on at once in its process."""
    processes: int = 1
    """How many it may have at once."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What all games of a tournament have in common."""

    tournament: str | None
    """Its name; None for games of their own."""
    rules: RuleSet
    overrides: dict[str, Any]
    """What the rule set changes of its preset."""
    limits: Limits
    names_hidden: bool
    rated: bool
    practice: bool
    """Whether the user gave the master secret."""
    master: bytes
    """The secret that everything random comes from; empty where chunks say what was drawn."""
    commitment: str = ""
    """Of the master secret, in hex; may be left out where that is given."""
    think_on_opponents_time: bool = False
    bots: dict[str, Bot]
    """By the entrants' labels."""


class FinishedGame(msgspec.Struct, frozen=True):
    """One game that has ended, and what the bots wrote beside it."""

    record: GameRecord
    logs: list[BotLog]


Report = Callable[[FinishedGame | VoidMatch], Awaitable[None]]
"""Called with every game that ends, between games."""
Observer = Callable[[Referee], None]
"""Called after every turn of a game that somebody watches."""


def game_setup(plan: Plan, chunk: Chunk, key: GameKey, labels: Sequence[str]) -> GameSetup:
    """What the game `key` of a chunk begins with."""
    drawn = drawn_for(plan.master, chunk, key, len(labels))
    return GameSetup(
        game=drawn.game,
        rules=plan.rules,
        seed=drawn.seed,
        salt=drawn.salt,
        bot_seeds=list(drawn.bot_seeds),
        names=None if plan.names_hidden else labels,
        limits=plan.limits,
        batches=[batch_of(plan, label) for label in labels],
        reveal=key in chunk.last,
    )


def batch_of(plan: Plan, label: str) -> int:
    """How many games an entrant's process may play at once.

    One where turns follow a pace: what a batch answers would come at the pace of all its games.
    """
    bot = plan.bots[label]
    return bot.batch if bot.reuse and plan.limits.tick_ms is msgspec.UNSET else 1
