"""How long a bot takes from its start to its first answer, in a sandbox and without."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from pathlib import Path

import msgspec
import trio

from arena.bench.programs import build
from arena.process import Host, Outcome, open_host
from arena.sandbox import Launch, select_backend

_TURN = b'{"type":"turn","game":"0","turn":1,"legal":[{"card":"2C"}]}\n'
_BUDGET_US = 60_000_000


class Starts(msgspec.Struct, frozen=True, kw_only=True):
    """What the starts of one kind took; medians."""

    isolation: str
    start_ms: float
    """From the start of an instant C bot to its first answer."""
    end_ms: float
    """From the end of its input to the end of all that it was."""
    more_ms: float
    """By how much its start took longer than the one before it of the first kind."""


class _AnyAnswer:
    """A judge that every line satisfies."""

    budget_us = _BUDGET_US

    def heard(self, line: bytes, at_us: int) -> bool:
        return True


def measure_starts(folder: Path, isolations: Sequence[str], runs: int = 60) -> list[Starts]:
    """Start and end bots of every kind in turn, so that all meet the same load."""
    folder.chmod(0o755)
    build("instant", folder)
    found = trio.run(_measure, folder, isolations, runs)
    plain = found[isolations[0]]
    return [
        Starts(
            isolation=name,
            start_ms=statistics.median(start for start, _ in times),
            end_ms=statistics.median(end for _, end in times),
            more_ms=statistics.median(
                start - other for (start, _), (other, _) in zip(times, plain, strict=True)
            ),
        )
        for name, times in found.items()
    ]


async def _measure(
    folder: Path, isolations: Sequence[str], runs: int
) -> dict[str, list[tuple[float, float]]]:
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in isolations}
    async with AsyncExitStack() as ends:
        hosts = [await ends.enter_async_context(_host(name)) for name in isolations]
        for number in range(runs + 1):
            for name, host in zip(isolations, hosts, strict=True):
                times = await _one_ms(host, folder)
                # The first of every kind finds what is only read once.
                if number:
                    found[name].append(times)
    return found


def _host(isolation: str) -> AbstractAsyncContextManager[Host]:
    return open_host(select_backend(isolation))


async def _one_ms(host: Host, folder: Path) -> tuple[float, float]:
    before = time.perf_counter()
    process = host.start(Launch(("./instant",), folder, memory_mb=64, hosted=True))
    process.new_game()
    outcome = await process.turn(_TURN, _AnyAnswer(), alone=False)
    assert outcome is Outcome.ANSWERED, (outcome, process.stderr_text())
    answered = time.perf_counter()
    await host.end(process)
    return (answered - before) * 1000, (time.perf_counter() - answered) * 1000
