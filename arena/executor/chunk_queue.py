"""Chunks on their way to whoever plays them: handed out once, and again where they are lost."""

from __future__ import annotations

from collections.abc import Iterable

import trio

from arena.errors import Trouble
from arena.schedule import Chunk

Taken = tuple[int, Chunk, int]
"""A chunk: its number, itself, and how often it has cost a worker its life."""


class ChunkQueue:
    """Chunks that are still to be played, those of lost workers first."""

    def __init__(self, chunks: Iterable[Chunk], tries: int) -> None:
        """`tries`: how often a chunk may cost a worker its life before `put_back` gives up."""
        self._chunks = enumerate(chunks)
        self._next = next(self._chunks, None)
        self._again: list[Taken] = []
        self._out = 0
        self._tries = tries
        self._changed = trio.Event()

    @property
    def is_done(self) -> bool:
        """Whether nothing is left, neither here nor with those who play."""
        return not (self._again or self._next or self._out)

    async def take(self) -> Taken | None:
        """The next chunk; None when all are done."""
        while not self._again and self._next is None:
            if not self._out:
                return None
            await self._changed.wait()
        return self.take_now()

    def take_now(self) -> Taken | None:
        """The next chunk; None where there is none at the moment."""
        if self._again:
            self._out += 1
            return self._again.pop()
        if self._next is None:
            return None
        self._out += 1
        (number, chunk), self._next = self._next, next(self._chunks, None)
        return number, chunk, 0

    def done(self) -> None:
        """A chunk that was taken is finished."""
        self._out -= 1
        self._wake()

    def put_back(self, number: int, chunk: Chunk, tries: int) -> None:
        """A chunk that was taken is lost with its worker, but for what it reported.

        Raises `Trouble` for one that has cost too many workers their lives.
        """
        if tries >= self._tries:
            raise Trouble(f"a worker process died {tries} times on {', '.join(chunk.pairing)}")
        if chunk.games:
            self._again.append((number, chunk, tries))
        self._out -= 1
        self._wake()

    async def wait_until_done(self) -> None:
        """Return when all chunks are done."""
        while not self.is_done:
            await self._changed.wait()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = trio.Event()
