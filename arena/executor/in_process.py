"""Plays in this very process and loop: for games that somebody watches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import trio

from arena.play import Observer, Plan, Report, play_chunk
from arena.process import Host, open_host
from arena.sandbox import Backend
from arena.schedule import Chunk


class InProcess:
    """An executor without processes of its own but the bots'."""

    def __init__(
        self, backend: Backend, concurrency: int = 1, observer: Observer | None = None
    ) -> None:
        """`concurrency`: how many chunks are played at once."""
        self._backend = backend
        self._concurrency = concurrency
        self._observer = observer

    async def run(self, plan: Plan, chunks: Iterable[Chunk], report: Report) -> None:
        """Play all chunks; see `Executor`."""
        queue = iter(chunks)
        async with open_host(self._backend) as host, trio.open_nursery() as nursery:
            for _ in range(self._concurrency):
                nursery.start_soon(self._play, host, plan, queue, report)

    async def _play(self, host: Host, plan: Plan, queue: Iterator[Chunk], report: Report) -> None:
        for chunk in queue:
            await play_chunk(host, plan, chunk, report, self._observer)
