"""Decisions a second with two instant bots, against a bare ping-pong in the same run."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec
import trio

from arena.errors import UsageError
from arena.play import Bot, FinishedGame, Plan, play_chunk
from arena.process import open_host
from arena.sandbox import select_backend
from arena.schedule import Chunk, GameKey, VoidMatch, master_of_seed
from protocol.messages import Limits
from protocol.rules import make_rules

_SOURCES = Path(__file__).parent
LINE_BYTES = 310
"""The line that the ping-pong passes each way."""
_ROUNDS = 100_000


class Decisions(msgspec.Struct, frozen=True, kw_only=True):
    """What one measurement of decisions found; times are medians over its runs."""

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


def build(name: str, folder: Path) -> Path:
    """Compile one of the C programs beside this file. Raises `UsageError` without a compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise UsageError("bench: no C compiler (cc) on this machine; install gcc or clang")
    program = folder / name
    subprocess.run([compiler, "-O2", "-o", program, _SOURCES / f"{name}.c"], check=True)
    return program


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


def measure_decisions(
    folder: Path, isolations: Sequence[str], runs: int = 5, games: int = 40
) -> list[Decisions]:
    """Play instant C bots on one core with every isolation in turn, ping-pongs in between."""
    # As root bots are somebody else in a sandbox, who must be let in.
    folder.chmod(0o755)
    core = max(os.sched_getaffinity(0))
    ping_pong, bot = build("pingpong", folder), build("instant", folder)
    found: dict[str, list[_Run]] = {name: [] for name in isolations}
    with pinned(core):
        for _ in range(runs):
            for name, done in found.items():
                ping = ping_pong_us(ping_pong, core)
                done.append(_Run(ping, *trio.run(_play, bot, name, games)))
    plain = found[isolations[0]]
    return [_median(name, done, plain) for name, done in found.items()]


def _median(isolation: str, runs: Sequence[_Run], plain: Sequence[_Run]) -> Decisions:
    wall_us = statistics.median(run.wall for run in runs)
    return Decisions(
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


async def _play(bot: Path, isolation: str, games: int) -> tuple[float, float]:
    """Wall and CPU time of this process a decision, in µs, the start of the bots left out."""
    rules = make_rules("kseri")
    instant = Bot(name="instant", version="1", hash="", folder=str(bot.parent), run=("./instant",))
    plan = Plan(
        tournament=None,
        rules=rules,
        overrides={},
        limits=Limits(),
        names_hidden=True,
        rated=False,
        practice=True,
        master=master_of_seed(0),
        bots={"a": instant, "b": instant},
    )
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
