"""How long after a deadline the arena finds it: it aims at 50 ms at most.

Bots that never answer are asked again and again: one by one, many at the same time, while they
write without end, and beside bots that answer so fast that the loop has no rest.

Run from the root: python -m benchmarks.deadlines [--turns N] [--budget MS] [--json]
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import trio

from arena.process import BotProcess, Host, Outcome, open_host
from arena.sandbox import Launch, select_backend

SILENT = "import signal; signal.pause()"
# A line every 50 µs is as much as can be read without being a flood within the budget.
TALKATIVE = """
import os, time
while True:
    os.write(1, b'{"type":"ready"}\\n')
    time.sleep(0.00005)
"""
ECHO = """
import os
while data := os.read(0, 65536):
    os.write(1, data)
"""


class _Never:
    """A judge that no line satisfies."""

    def __init__(self, budget_us: int) -> None:
        self.budget_us = budget_us

    def heard(self, line: bytes, at_us: int) -> bool:
        return False


class _Always(_Never):
    def heard(self, line: bytes, at_us: int) -> bool:
        return True


def _start(host: Host, program: str) -> BotProcess:
    command = (sys.executable, "-S", "-E", "-c", program)
    process = host.start(Launch(command, Path("/"), memory_mb=512))
    process.new_game()
    return process


async def late_ms(process: BotProcess, turns: int, budget_ms: int, alone: bool) -> list[float]:
    """By how much each of `turns` deadlines was found too late."""
    late = []
    for _ in range(turns):
        before = time.monotonic()
        outcome = await process.turn(b"{}\n", _Never(budget_ms * 1000), alone)
        assert outcome is Outcome.TIMED_OUT, outcome
        late.append((time.monotonic() - before) * 1000 - budget_ms)
    return late


Scene = Callable[[Host, int, int], Awaitable[list[float]]]


async def _one(host: Host, turns: int, budget_ms: int) -> list[float]:
    return await late_ms(_start(host, SILENT), turns, budget_ms, alone=True)


async def _talkative(host: Host, turns: int, budget_ms: int) -> list[float]:
    return await late_ms(_start(host, TALKATIVE), turns, budget_ms, alone=True)


async def _many(host: Host, turns: int, budget_ms: int) -> list[float]:
    late: list[float] = []

    async def wait(process: BotProcess) -> None:
        late.extend(await late_ms(process, turns, budget_ms, alone=False))

    async with trio.open_nursery() as nursery:
        for _ in range(32):
            nursery.start_soon(wait, _start(host, SILENT))
    return late


async def _beside_fast_games(host: Host, turns: int, budget_ms: int) -> list[float]:
    async def play(process: BotProcess) -> None:
        while True:
            await process.turn(b"{}\n", _Always(1_000_000), False)

    async with trio.open_nursery() as nursery:
        for _ in range(4):
            nursery.start_soon(play, _start(host, ECHO))
        late = await late_ms(_start(host, SILENT), turns, budget_ms, alone=False)
        nursery.cancel_scope.cancel()
    return late


SCENES: dict[str, Scene] = {
    "one bot": _one,
    "one that talks": _talkative,
    "32 at once": _many,
    "beside 4 fast games": _beside_fast_games,
}


def measure(scene: Scene, turns: int, budget_ms: int) -> list[float]:
    """The delays of one scene in ms, in ascending order."""

    async def main() -> list[float]:
        async with open_host(select_backend("none")) as host:
            return sorted(await scene(host, turns, budget_ms))

    return trio.run(main)


def percentile(ordered: list[float], share: float) -> float:
    """The value below which `share` (0 .. 1) of them lie."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def main() -> None:
    """Print the distribution of every scene."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--turns", type=int, default=50, help="deadlines of every bot")
    parser.add_argument("--budget", type=int, default=20, metavar="MS", help="time for a turn")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    shares = {"median": 0.5, "90 %": 0.9, "99 %": 0.99, "highest": 1.0}
    found = {name: measure(scene, options.turns, options.budget) for name, scene in SCENES.items()}
    table = {
        name: {title: round(percentile(late, share), 2) for title, share in shares.items()}
        for name, late in found.items()
    }
    if options.json:
        print(json.dumps({"budget_ms": options.budget, "late_ms": table}))
        return
    print(f"{'found late by, in ms':<22}{'deadlines':>10}" + "".join(f"{t:>9}" for t in shares))
    for name, row in table.items():
        cells = "".join(f"{value:>9.2f}" for value in row.values())
        print(f"{name:<22}{len(found[name]):>10}{cells}")


if __name__ == "__main__":
    main()
