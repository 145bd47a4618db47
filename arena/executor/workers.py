"""Plays in worker processes on this machine, one a core: the way for tournaments."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

import msgspec
import trio

from arena.errors import Trouble
from arena.executor.chunk_queue import ChunkQueue, Taken
from arena.executor.frames import Begin, Done, Failed, Frames, Result, Work, from_worker
from arena.play import Plan, Report
from arena.process import wait_for_exit
from arena.schedule import Chunk, GameKey

_TRIES = 3
"""How often a chunk may cost a worker its life before the tournament gives up."""
_END_SECONDS = 1.5
"""How long a worker may take to end its bots before it is killed (its guardian ends them then)."""


def cores() -> list[int]:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


class Workers:
    """An executor of `count` local processes, each pinned to a core with its bots."""

    def __init__(self, isolation: str, count: int, concurrency: int = 1) -> None:
        """`concurrency`: how many chunks each of them plays at once."""
        self._isolation = isolation
        self._count = count
        self._concurrency = concurrency
        self.lost = 0
        """How many workers died and were replaced."""

    async def run(self, plan: Plan, chunks: Iterable[Chunk], report: Report) -> None:
        """Play all chunks; a worker that dies is replaced. See `Executor`."""
        queue = ChunkQueue(chunks, _TRIES)
        usable = cores()
        async with trio.open_nursery() as nursery:
            for number in range(self._count):
                core = usable[number % len(usable)] if self._count <= len(usable) else None
                begin = Begin(plan, self._isolation, core)
                nursery.start_soon(self._keep_working, begin, queue, report)

    def remarks(self) -> list[str]:
        """How many workers were lost, if any."""
        lost = f"{self.lost} worker process(es) died and were replaced"
        return [lost] if self.lost else []

    async def _keep_working(self, begin: Begin, queue: ChunkQueue, report: Report) -> None:
        """Feed one worker; start another in its place when it dies."""
        # Not before there is something to play for it.
        while first := await queue.take():
            async with _open_worker() as frames:
                feeder = _Feeder(frames, queue, report)
                await feeder.run(begin, self._concurrency, first)
            self.lost += feeder.is_lost


class _WorkerDied(Exception):
    pass


class _Feeder:
    """Gives one worker chunk after chunk, `slots` at a time, and takes its results."""

    def __init__(self, frames: Frames, queue: ChunkQueue, report: Report) -> None:
        self._frames, self._queue, self._report = frames, queue, report
        self._left: dict[int, set[GameKey]] = {}
        """What is still to be played, by the number of the chunk."""
        self._done: dict[int, trio.Event] = {}
        self.is_lost = False
        """Whether the worker died."""

    async def run(self, begin: Begin, slots: int, first: Taken) -> None:
        """Feed `first` and others until the queue is empty or the worker dies.

        What a dead worker had is put back.
        """
        try:
            # Before any chunk, whichever slot is the first to send one.
            await self._frames.send(begin)
        except trio.BrokenResourceError:
            self.is_lost = True
            number, chunk, tries = first
            return self._queue.put_back(number, chunk, tries + 1)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._receive)
                async with trio.open_nursery() as feeding:
                    feeding.start_soon(self._feed, first)
                    for _ in range(slots - 1):
                        feeding.start_soon(self._feed)
                nursery.cancel_scope.cancel()
        except* _WorkerDied:
            # Its chunks are back in the queue.
            self.is_lost = True

    async def _feed(self, taken: Taken | None = None) -> None:
        taken = taken or await self._queue.take()
        while taken:
            await self._play(taken)
            self._queue.done()
            taken = await self._queue.take()

    async def _play(self, taken: Taken) -> None:
        """Have one chunk played; put back what is left of it where the worker dies."""
        number, chunk, _ = taken
        self._left[number], self._done[number] = set(chunk.games), trio.Event()
        try:
            await self._frames.send(Work(number, chunk))
            await self._done[number].wait()
        except trio.BrokenResourceError:
            # Known to the other slots before they are cancelled.
            self.is_lost = True
            self._put_back(taken)
            raise _WorkerDied from None
        except trio.Cancelled:
            if self.is_lost:
                self._put_back(taken)
            raise
        # Emptied, it would still hold the room that all games of the chunk took.
        del self._left[number], self._done[number]

    def _put_back(self, taken: Taken) -> None:
        number, chunk, tries = taken
        self._queue.put_back(number, _rest(chunk, self._left[number]), tries + 1)

    async def _receive(self) -> None:
        while data := await self._frames.receive():
            message = from_worker.decode(data)
            if isinstance(message, Done):
                self._done[message.number].set()
            elif isinstance(message, Failed):
                raise Trouble(message.message)
            else:
                await self._take(message)
        self.is_lost = True
        raise _WorkerDied

    async def _take(self, message: Result) -> None:
        left = self._left[message.number]
        if message.game:
            record = message.game.record
            left.discard(GameKey(record.match, record.replay, record.rotation))
            await self._report(message.game)
        if message.void:
            match = message.void.key.match
            left.difference_update([key for key in left if key.match == match])
            await self._report(message.void)


def _rest(chunk: Chunk, left: set[GameKey]) -> Chunk:
    games = tuple(key for key in chunk.games if key in left)
    return msgspec.structs.replace(chunk, games=games, last=chunk.last & left)


@asynccontextmanager
async def _open_worker() -> AsyncIterator[Frames]:
    """A worker process for as long as the block runs; at its end it and its bots are gone."""
    process = subprocess.Popen(
        # -P: a file of the folder it is started in must not stand in for a module.
        [sys.executable, "-P", "-m", "arena.executor.worker"],
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    read = trio.lowlevel.FdStream(os.dup(process.stdout.fileno()))
    write = trio.lowlevel.FdStream(os.dup(process.stdin.fileno()))
    process.stdin.close()
    process.stdout.close()
    try:
        yield Frames(read, write)
    finally:
        with trio.CancelScope(shield=True):
            await write.aclose()
            with trio.move_on_after(_END_SECONDS):
                await wait_for_exit(process.pid)
            process.kill()
            process.wait()
            await read.aclose()
