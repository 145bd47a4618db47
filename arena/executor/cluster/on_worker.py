"""What runs in a worker of a cluster: tasks that make it ready, and tasks that play chunks.

A task plays in the thread that the engine gives it, in a loop of its own, and nothing of it is
left when it ends. One worker has one such thread: its bots are known by being its only children.
"""

from __future__ import annotations

import ctypes
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import trio

from arena.bots import BotFiles, prepare, prepare_known
from arena.errors import ArenaError, UsageError
from arena.executor.cluster.messages import (
    Hire,
    Hired,
    NotHired,
    Play,
    Played,
    Refused,
    to_hire,
    to_play,
)
from arena.executor.frames import Result, result_of
from arena.play import FinishedGame, keep_canary, play_chunk
from arena.process import open_host
from arena.sandbox import hide_own_memory, select_backend, settle_isolation
from arena.schedule import Chunk, VoidMatch
from arena.version import VERSION

_MOST_JOBS = 8
"""Tournaments that a worker remembers, the latest ones."""

_busy = threading.Lock()
"""Held while a task is at work: bots are known by being the only children of the process."""
_jobs: dict[str, Hire] = {}
"""What this process was hired for and can play, by job."""


def here() -> None:
    """Nothing; a task that asks for a worker where there is none."""


def hire(version: str, data: bytes) -> bytes:
    """Make this worker ready for a job, as far as that goes: a `Hire`; `Hired` or `Refused`."""
    host = socket.gethostname()
    try:
        with _alone():
            return _encode(_hire(host, version, data))
    except ArenaError as error:
        return _encode(Refused(host, str(error)))


@contextmanager
def _alone() -> Iterator[None]:
    """Refuse to work beside another task of this process: another worker's, within it."""
    if not _busy.acquire(blocking=False):
        raise UsageError("shares its process with another worker; start it in one of its own")
    try:
        yield
    finally:
        _busy.release()


def _hire(host: str, version: str, data: bytes) -> Hired | Refused:
    # First: another version may not even read the order.
    if version != VERSION:
        reason = f"has version {VERSION} of the arena, not {version}"
        return Refused(host, reason, is_other_version=True)
    return _make_ready(host, to_hire.decode(data))


def _make_ready(host: str, order: Hire) -> Hired:
    hide_own_memory()
    settle_isolation(order.isolation, trusted=False)
    for archive in order.bots:
        _keep(order, BotFiles.from_zip(archive))
    bots, lacks = {}, []
    for label, bot in order.plan.bots.items():
        ready = prepare_known(bot, order.isolation)
        if ready:
            bots[label] = ready
        else:
            lacks.append(bot.hash)
    if not lacks:
        plan = msgspec.structs.replace(order.plan, bots=bots)
        _remember(Hire(job=order.job, isolation=order.isolation, plan=plan))
    return Hired(host, tuple(lacks))


def _keep(order: Hire, bot: BotFiles) -> None:
    """Build a bot that was sent, and keep it; what was not asked for is refused."""
    if bot.hash not in {each.hash for each in order.plan.bots.values()}:
        raise UsageError(f"was sent another bot than it asked for: {bot.hash}")
    prepare(bot, order.isolation)


def _remember(order: Hire) -> None:
    _jobs[order.job] = order
    for job in list(_jobs)[:-_MOST_JOBS]:
        del _jobs[job]


def play(data: bytes) -> bytes:
    """Play chunks, all at once: a `Play`; `Played`, `Refused` or `NotHired`."""
    order = to_play.decode(data)
    job = _jobs.get(order.job)
    return _encode(_play(job, order) if job else NotHired())


def _play(job: Hire, order: Play) -> Played | Refused:
    host, started = socket.gethostname(), time.monotonic()
    try:
        with _alone(), _on_one_core():
            results = trio.run(_results, job, order.chunks)
    except ArenaError as error:
        return Refused(host, str(error))
    except BaseExceptionGroup as group:
        ours = group.subgroup(ArenaError)
        if ours is None:
            raise
        return Refused(host, str(_first(ours)))
    return Played(host, time.monotonic() - started, results)


def _first(group: BaseException) -> BaseException:
    return _first(group.exceptions[0]) if isinstance(group, BaseExceptionGroup) else group


async def _results(job: Hire, chunks: tuple[Chunk, ...]) -> list[Result]:
    results: list[Result] = []
    async with open_host(select_backend(job.isolation)) as host, trio.open_nursery() as nursery:
        canary = keep_canary(host, job.plan)
        for number, chunk in enumerate(chunks):
            report = _Report(number, results)
            nursery.start_soon(play_chunk, host, job.plan, chunk, report, None, canary)
    return results


class _Report:
    """Takes what comes of a chunk."""

    def __init__(self, number: int, results: list[Result]) -> None:
        self._number, self._results = number, results

    async def __call__(self, event: FinishedGame | VoidMatch) -> None:
        self._results.append(result_of(self._number, event))


@contextmanager
def _on_one_core() -> Iterator[None]:
    """Keep this thread, and the bots that it starts, on a core that no other worker here holds.

    Where all are held it stays on any. A core is held by a socket of its name, which the kernel
    takes away with the process; containers don't see each other's, so the first to be tried is
    the one where the kernel has found room.
    """
    usable = sorted(os.sched_getaffinity(0))
    now = ctypes.CDLL(None).sched_getcpu()
    for core in sorted(usable, key=lambda core: core != now):
        with socket.socket(socket.AF_UNIX) as held:
            try:
                held.bind(f"\0kseri-arena-core-{os.geteuid()}-{core}")
            except OSError:
                continue
            os.sched_setaffinity(0, {core})
            try:
                yield
            finally:
                os.sched_setaffinity(0, usable)
            return
    yield


def _encode(message: Hired | Refused | Played | NotHired) -> bytes:
    return msgspec.msgpack.encode(message)
