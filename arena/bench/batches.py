"""Decisions a second on all cores, of bots that play many games at once in one process.

On every core one arena plays with its bots, pinned to it, all at the same time. Run as a program
this module is one of them: it reads an `_Order` and writes a `_Played`, as JSON.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
import trio

from arena.bench.programs import counter, instant_c, plan_of_two
from arena.play import Bot, FinishedGame, play_chunk
from arena.process import open_host
from arena.sandbox import select_backend
from arena.schedule import Chunk, GameKey, VoidMatch

BATCHES = (1, 8, 32, 128)
_LEAST_GAMES = 96
_COUNTER_BATCHES = (1, 8, 32)
_COUNTER_GAMES = 8
"""At least, of one deal each: a decision takes the counter a millisecond."""


class Batches(msgspec.Struct, frozen=True, kw_only=True):
    """What one measurement found; medians over its runs."""

    bot: str
    batch: int
    """How many games at once."""
    cores: int
    decisions_a_second: float
    """On all cores together."""
    arena_cpu_us: float
    """CPU time of the arena's process a decision."""
    ratio: float
    """Decisions a second over those with one game at a time, in the same run."""


class _Order(msgspec.Struct, frozen=True, kw_only=True):
    core: int
    bot: Bot
    isolation: str
    games: int
    deals: int | None


class _Played(msgspec.Struct, frozen=True, kw_only=True):
    decisions: int
    wall_s: float
    cpu_s: float


def measure_batches(folder: Path, isolation: str, runs: int = 5) -> list[Batches]:
    """Play with every size of batch in turn, of instant C bots and of the Python counter."""
    folder.chmod(0o755)
    instant, weighs = instant_c(folder), counter(folder)
    sizes = [(instant, batch) for batch in BATCHES]
    sizes += [(weighs, batch) for batch in _COUNTER_BATCHES]
    found: dict[tuple[str, int], list[_Played]] = {(bot.name, n): [] for bot, n in sizes}
    for _ in range(runs):
        for bot, batch in sizes:
            found[bot.name, batch].append(_on_all_cores(bot, batch, isolation))
    return [_median(name, n, done, found[name, 1]) for (name, n), done in found.items()]


def _median(bot: str, batch: int, runs: Sequence[_Played], alone: Sequence[_Played]) -> Batches:
    return Batches(
        bot=bot,
        batch=batch,
        cores=len(os.sched_getaffinity(0)),
        decisions_a_second=statistics.median(run.decisions / run.wall_s for run in runs),
        arena_cpu_us=statistics.median(run.cpu_s / run.decisions * 1e6 for run in runs),
        ratio=statistics.median(
            run.decisions / run.wall_s / (other.decisions / other.wall_s)
            for run, other in zip(runs, alone, strict=True)
        ),
    )


def _on_all_cores(bot: Bot, batch: int, isolation: str) -> _Played:
    """Play on every core at the same time; the decisions of all in the mean of their times."""
    is_counter = bot.name == "counter"
    orders = [
        _Order(
            core=core,
            bot=msgspec.structs.replace(bot, batch=batch),
            isolation=isolation,
            games=max(_COUNTER_GAMES, batch) if is_counter else max(_LEAST_GAMES, 3 * batch),
            deals=1 if is_counter else None,
        )
        for core in sorted(os.sched_getaffinity(0))
    ]
    arenas = [
        subprocess.Popen(
            [sys.executable, "-P", "-m", "arena.bench.batches"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )
        for _ in orders
    ]
    for arena in arenas:
        # Started, and waiting for its order: they begin together.
        assert arena.stdout
        arena.stdout.read(1)
    for arena, order in zip(arenas, orders, strict=True):
        assert arena.stdin
        arena.stdin.write(msgspec.json.encode(order))
        arena.stdin.close()
        arena.stdin = None
    played = [msgspec.json.decode(arena.communicate()[0], type=_Played) for arena in arenas]
    return _Played(
        decisions=sum(each.decisions for each in played),
        wall_s=statistics.mean(each.wall_s for each in played),
        cpu_s=sum(each.cpu_s for each in played),
    )


async def _play(order: _Order) -> _Played:
    plan = plan_of_two(order.bot, {} if order.deals is None else {"deals": order.deals})
    keys = tuple(GameKey(match, 0, 0) for match in range(1, order.games + 1))
    decisions = 0

    async def report(event: FinishedGame | VoidMatch) -> None:
        nonlocal decisions
        assert isinstance(event, FinishedGame)
        decisions += sum(len(deal.plays) for deal in event.record.deals)

    async with open_host(select_backend(order.isolation)) as host:
        wall_s, cpu_s = time.perf_counter(), time.process_time()
        await play_chunk(host, plan, Chunk(("a", "b"), 0, keys), report)
        wall_s, cpu_s = time.perf_counter() - wall_s, time.process_time() - cpu_s
    return _Played(decisions=decisions, wall_s=wall_s, cpu_s=cpu_s)


def main() -> None:
    """Play one order."""
    sys.stdout.write(".")
    sys.stdout.flush()
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=_Order)
    os.sched_setaffinity(0, {order.core})
    sys.stdout.buffer.write(msgspec.json.encode(trio.run(_play, order)))


if __name__ == "__main__":
    main()
