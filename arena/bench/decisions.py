"""Decisions a second with two instant bots, against a bare ping-pong in the same run."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec
import trio

from arena.bench.programs import build, instant_c, instant_python, plan_of_two
from arena.play import Bot, FinishedGame, play_chunk
from arena.process import open_host
from arena.sandbox import select_backend
from arena.schedule import Chunk, GameKey, VoidMatch

LINE_BYTES = 310
"""The line that the ping-pong passes each way."""
_ROUNDS = 100_000
_GAMES = 40
"""Of bots in C; of those in Python a quarter."""


class Decisions(msgspec.Struct, frozen=True, kw_only=True):
    """What one measurement of decisions found; times are medians over its runs."""

    bot: str
    isolation: str
    decisions_a_second: float
    wall_us: float
    """A decision, from one to the next."""
    arena_cpu_us: float
    """CPU time of the arena's process a decision."""
    ping_pong_us: float
    """A round trip between two C programs on the same core."""
    ratio: float
    """wall_us over ping_pong_us."""
    more_us: float
    """By how much a decision took longer than with the first isolation of the same run."""


@contextmanager
def pinned(core: int) -> Iterator[None]:
    """Stay on one core, with all processes started meanwhile."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def ping_pong_us(program: Path, core: int) -> float:
    """One measurement of the bare round trip, in µs."""
    size = str(LINE_BYTES)
    command = [str(program), str(core), str(_ROUNDS), size, size]
    return float(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


class _Run(NamedTuple):
    """One run with one isolation; all in µs a decision or a round trip."""

    ping: float
    wall: float
    cpu: float


def measure_decisions(folder: Path, isolations: Sequence[str], runs: int) -> list[Decisions]:
    """Play instant bots on one core with every isolation in turn, ping-pongs in between."""
    # As root bots are somebody else in a sandbox, who must be let in.
    folder.chmod(0o755)
    core = max(os.sched_getaffinity(0))
    ping_pong = build("pingpong", folder)
    kinds = [(instant_c(folder), _GAMES), (instant_python(folder), 1 + _GAMES // 4)]
    found: list[Decisions] = []
    with pinned(core):
        for bot, count in kinds:
            done: dict[str, list[_Run]] = {name: [] for name in isolations}
            for _ in range(runs):
                for name in isolations:
                    ping = ping_pong_us(ping_pong, core)
                    done[name].append(_Run(ping, *trio.run(_play, bot, name, count)))
            plain = done[isolations[0]]
            found += [_median(bot.name, name, some, plain) for name, some in done.items()]
    return found


def _median(bot: str, isolation: str, runs: Sequence[_Run], plain: Sequence[_Run]) -> Decisions:
    wall_us = statistics.median(run.wall for run in runs)
    return Decisions(
        bot=bot,
        isolation=isolation,
        decisions_a_second=1e6 / wall_us,
        wall_us=wall_us,
        arena_cpu_us=statistics.median(run.cpu for run in runs),
        ping_pong_us=statistics.median(run.ping for run in runs),
        ratio=statistics.median(run.wall / run.ping for run in runs),
        more_us=statistics.median(
            run.wall - other.wall for run, other in zip(runs, plain, strict=True)
        ),
    )


async def _play(bot: Bot, isolation: str, games: int) -> tuple[float, float]:
    """Wall and CPU time of this process a decision, in µs, the start of the bots left out."""
    plan = plan_of_two(bot, {})
    chunk = Chunk(("a", "b"), 0, tuple(GameKey(match, 0, 0) for match in range(1, games + 1)))
    decisions, begin = 0, (0.0, 0.0)

    async def report(event: FinishedGame | VoidMatch) -> None:
        nonlocal decisions, begin
        assert isinstance(event, FinishedGame)
        if begin == (0.0, 0.0):
            begin = time.perf_counter(), time.process_time()
        else:
            decisions += sum(len(deal.plays) for deal in event.record.deals)

    async with open_host(select_backend(isolation)) as host:
        await play_chunk(host, plan, chunk, report)
    wall_s, cpu_s = time.perf_counter() - begin[0], time.process_time() - begin[1]
    return wall_s / decisions * 1e6, cpu_s / decisions * 1e6
