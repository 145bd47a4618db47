"""A short trial of a bot: one match against the shipped `random`, as real as any."""

from __future__ import annotations

import secrets

import trio

from arena.bots import find_bot, prepare
from arena.errors import Trouble
from arena.executor import InProcess
from arena.play import Bot, FinishedGame, Plan
from arena.sandbox import hide_own_memory, select_backend
from arena.schedule import MASTER_BYTES, Chunk, GameKey, VoidMatch
from arena.text import one_line
from protocol.manifest import Manifest
from protocol.messages import Limits
from protocol.records import Isolation
from protocol.rules import make_rules

_OPPONENT = "random"
_SHOWN = 300
"""How much is shown of what the bot wrote, in characters."""


def first_problem(bot: Bot, manifest: Manifest, isolation: Isolation) -> str | None:
    """What the bot does wrong in two games; None if nothing. Raises `Trouble`."""
    rules = make_rules((manifest.rules or ["kseri"])[0])
    opponent = prepare(find_bot(_OPPONENT), isolation)
    others = [f"{_OPPONENT}-{number}" for number in range(1, rules.sides)]
    plan = Plan(
        tournament=None,
        rules=rules,
        overrides={},
        limits=Limits(),
        names_hidden=True,
        rated=False,
        practice=True,
        master=secrets.token_bytes(MASTER_BYTES),
        bots={manifest.name: bot} | dict.fromkeys(others, opponent),
    )
    keys = tuple(GameKey(1, 0, rotation) for rotation in range(2))
    chunk = Chunk((manifest.name, *others), 0, keys, frozenset(keys))
    problems: list[str] = []

    async def report(event: FinishedGame | VoidMatch) -> None:
        if isinstance(event, VoidMatch):
            raise Trouble(f"the arena failed the check: {event.cause}")
        problems.extend(_problems(event, manifest.name))

    hide_own_memory()
    trio.run(InProcess(select_backend(isolation)).run, plan, [chunk], report)
    return problems[0] if problems else None


def _problems(game: FinishedGame, label: str) -> list[str]:
    seats = [seat for seat, who in enumerate(game.record.seats) if who.bot == label]
    errors = one_line(" ".join(log.stderr for log in game.logs if log.seat in seats))
    wrote = f"; it wrote to standard error: {errors[-_SHOWN:]}" if errors else ""
    return [
        f"{fault.kind} in turn {fault.turn}: {fault.detail}{wrote}"
        for fault in game.record.faults
        if fault.seat in seats
    ]
