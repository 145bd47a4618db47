"""Worker processes that die, fail or are slow to begin: no game is lost or asked for in vain."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager

import msgspec
import pytest
import trio
import trio.testing
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import Trouble
from arena.executor import Workers
from arena.executor.frames import (
    Begin,
    Done,
    Failed,
    Frames,
    Result,
    Work,
    from_worker,
    to_worker,
)
from arena.play import FinishedGame
from arena.schedule import Chunk, GameKey, VoidMatch
from arena.testing import practice_plan
from tests.cli.program import environment
from tests.store.games import played

PLAN = practice_plan("a", "b")
CHUNKS = [
    Chunk(("a", "b"), number, tuple(GameKey(number * 2 + m, 0, r) for r in (0, 1) for m in (1, 2)))
    for number in range(4)
]


BASE = played()[0].record


def game(key: GameKey) -> FinishedGame:
    """A finished game that says that it is this one."""
    record = msgspec.structs.replace(
        BASE, match=key.match, replay=key.replay, rotation=key.rotation, pairing=["a", "b"]
    )
    return FinishedGame(record, [])


async def send_all(frames: Frames, work: Work, upto: int) -> None:
    """Play the first games of a chunk, and say that it is done where that is all."""
    for key in work.chunk.games[:upto]:
        await frames.send(Result(work.number, game=game(key)))
    if upto >= len(work.chunk.games):
        await frames.send(Done(work.number))


Behaviour = Callable[[Frames, Work, int], object]


class FakeWorkers:
    """Stands in for worker processes: what each does with a chunk is a function's doing."""

    def __init__(self, behaviour: Behaviour) -> None:
        self.started = 0
        self.asked: list[tuple[int, Chunk]] = []
        """Which worker was asked for what."""
        self._behaviour = behaviour

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Frames]:
        ours, theirs = trio.testing.memory_stream_pair()
        number, self.started = self.started, self.started + 1
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._serve, Frames(theirs, theirs), theirs, number)
            yield Frames(ours, ours)
            nursery.cancel_scope.cancel()

    async def _serve(self, frames: Frames, stream: trio.abc.Stream, number: int) -> None:
        async with stream:
            while data := await frames.receive():
                message = to_worker.decode(data)
                if isinstance(message, Work):
                    self.asked.append((number, message.chunk))
                    if await self._behaviour(frames, message, number) == "dies":  # type: ignore[misc]
                        return


def run(
    monkeypatch: pytest.MonkeyPatch,
    behaviour: Behaviour,
    count: int = 2,
    concurrency: int = 1,
    chunks: Iterable[Chunk] = CHUNKS,
) -> tuple[Workers, FakeWorkers, list[FinishedGame | VoidMatch]]:
    """Play all chunks with such workers; returns what was reported."""
    fakes, executor = FakeWorkers(behaviour), Workers("none", count, concurrency)
    monkeypatch.setattr("arena.executor.workers._open_worker", fakes.open)
    reported: list[FinishedGame | VoidMatch] = []

    async def report(event: FinishedGame | VoidMatch) -> None:
        reported.append(event)

    async def main() -> None:
        with trio.fail_after(60):
            await executor.run(PLAN, iter(chunks), report)

    trio.run(main)
    return executor, fakes, reported


def keys(reported: list[FinishedGame | VoidMatch]) -> list[GameKey]:
    records = [event.record for event in reported if isinstance(event, FinishedGame)]
    return sorted(GameKey(r.match, r.replay, r.rotation) for r in records)


ALL = sorted(key for chunk in CHUNKS for key in chunk.games)


@pytest.mark.parametrize(("count", "concurrency"), [(1, 1), (2, 1), (3, 2), (9, 1)])
def test_every_chunk_is_played_once(
    monkeypatch: pytest.MonkeyPatch, count: int, concurrency: int
) -> None:
    async def works(frames: Frames, work: Work, number: int) -> None:
        await send_all(frames, work, 4)

    executor, _, reported = run(monkeypatch, works, count, concurrency)
    assert keys(reported) == ALL
    assert executor.lost == 0


def test_chunks_that_are_done_take_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[int] = []

    def chunks() -> Iterator[Chunk]:
        for number in range(301):
            if number % 100 == 0:
                held.append(tracemalloc.get_traced_memory()[0])
            keys = tuple(GameKey(number * 50 + match, 0, 0) for match in range(1, 51))
            yield Chunk(("a", "b"), number, keys)

    async def works(frames: Frames, work: Work, number: int) -> None:
        await frames.send(Done(work.number))

    tracemalloc.start()
    try:
        run(monkeypatch, works, chunks=chunks())
    finally:
        tracemalloc.stop()
    # The fakes keep what they were asked for, 5 KB a chunk; an emptied set of keys has 7 KB.
    assert held[3] - held[1] < 200 * 8_000


@pytest.mark.parametrize("after", range(5))
def test_what_a_dead_worker_has_not_reported_is_played_by_another(
    monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    async def first_dies(frames: Frames, work: Work, number: int) -> str:
        if number == 0:
            for key in work.chunk.games[:after]:
                await frames.send(Result(work.number, game=game(key)))
            return "dies"
        await send_all(frames, work, len(work.chunk.games))
        return ""

    executor, fakes, reported = run(monkeypatch, first_dies)
    assert keys(reported) == ALL, "nothing is missing, nothing is played twice"
    assert executor.lost == 1
    [lost] = [chunk.number for worker, chunk in fakes.asked if worker == 0]
    again = [chunk for worker, chunk in fakes.asked if worker and chunk.number == lost]
    assert [len(chunk.games) for chunk in again] == ([4 - after] if after < 4 else [])
    assert all(chunk.last <= set(chunk.games) for chunk in again)


def test_a_void_match_of_a_dead_worker_is_not_begun_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def void_and_dies(frames: Frames, work: Work, number: int) -> str:
        if number == 0:
            key = work.chunk.games[0]
            await frames.send(Result(work.number, void=VoidMatch(work.chunk.pairing, key, "no")))
            return "dies"
        await send_all(frames, work, len(work.chunk.games))
        return ""

    _, _, reported = run(monkeypatch, void_and_dies, count=1)
    [void] = [event for event in reported if isinstance(event, VoidMatch)]
    assert keys(reported) == [key for key in ALL if key.match != void.key.match]


def test_a_chunk_that_kills_every_worker_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    async def dies(frames: Frames, work: Work, number: int) -> str:
        return "dies" if work.number == 0 else await send_all(frames, work, 4) or ""

    with pytest.raises(BaseExceptionGroup) as error:
        run(monkeypatch, dies)
    assert error.group_contains(Trouble, match="a worker process died 3 times on a, b")


def test_a_worker_that_can_not_work_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(frames: Frames, work: Work, number: int) -> None:
        await frames.send(Failed("no sandbox here"))

    with pytest.raises(BaseExceptionGroup) as error:
        run(monkeypatch, fails)
    assert error.group_contains(Trouble, match="no sandbox here")


@given(st.lists(st.integers(1, 7), min_size=1), st.integers(1, 5))
def test_frames_come_through_in_whatever_pieces(sizes: list[int], count: int) -> None:
    messages = [Begin(PLAN, "none", None), *(Work(n, CHUNKS[n % 4]) for n in range(count))]

    class Pieces:
        async def receive_some(self, _: int) -> bytes:
            await trio.lowlevel.checkpoint()
            size = sizes[len(sent) % len(sizes)]
            piece = bytes(sent[:size])
            del sent[:size]
            return piece

    class Wire:
        async def send_all(self, data: bytes) -> None:
            await trio.lowlevel.checkpoint()
            sent.extend(data)

    sent = bytearray()

    async def main() -> None:
        frames = Frames(Pieces(), Wire())  # type: ignore[arg-type]
        async with trio.open_nursery() as nursery:
            for message in messages:
                nursery.start_soon(frames.send, message)
        received = []
        while data := await frames.receive():
            received.append(to_worker.decode(data))
        assert sorted(map(repr, received)) == sorted(map(repr, messages))

    trio.run(main)


def test_results_come_through_as_they_were() -> None:
    for finished in played("kseri-3") + played("kseri", 5):
        message = Result(7, game=finished)
        assert from_worker.decode(msgspec.msgpack.encode(message)) == message


@pytest.mark.parametrize("given", [b"", b"\x00\x00", b"\x00\x00\x10\x00half"])
def test_a_worker_whose_input_is_closed_ends(given: bytes) -> None:
    result = subprocess.run(
        [sys.executable, "-P", "-m", "arena.executor.worker"],
        input=given,
        capture_output=True,
        env=environment(),
        timeout=60,
        check=False,
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
