"""Plays on the workers of a scheduler: hires them, keeps each busy, repeats what is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AsyncExitStack

import trio

from arena.bots import BotFiles
from arena.errors import Trouble, UsageError
from arena.executor.chunk_queue import ChunkQueue
from arena.executor.cluster.connection import (
    ConnectionLost,
    cause,
    close_client,
    open_client,
    open_connection,
)
from arena.executor.cluster.crew import Crew, Load
from arena.executor.cluster.hosts import Hosts
from arena.executor.cluster.messages import Played
from arena.play import Plan, Report
from arena.schedule import Chunk

ANSWER_S = 15.0
"""How long a scheduler may take to answer for the first time."""
PATIENCE_S = 120.0
"""How long one that was lost may stay away."""
_TRIES = 5
"""How often a chunk may cost a worker its life: workers of a cluster die for reasons of others."""


class Cluster:
    """An executor of the workers that a scheduler has, whoever they are and however many."""

    def __init__(
        self,
        address: str,
        isolation: str,
        files: Callable[[str], BotFiles],
        concurrency: int = 1,
        say: Callable[[str], None] = lambda line: None,
        patience_s: float = PATIENCE_S,
    ) -> None:
        """`files`: a bot's files by their hash. `concurrency`: how many chunks a task has.

        `say`: told what one should know while it plays.
        """
        self.address = address
        self.isolation = isolation
        self.concurrency = concurrency
        self.patience_s = patience_s
        self.hosts = Hosts()
        self.files = files
        self.say = say

    def check(self) -> None:
        """Return if a scheduler answers. Raises `UsageError`."""
        try:
            close_client(open_client(self.address, ANSWER_S))
        except OSError as error:
            raise UsageError(
                f"--cluster {self.address}: no scheduler answers there, or not to this "
                f"certificate: {cause(error)}"
            ) from None

    def remarks(self) -> list[str]:
        """What one should know after the run, by host."""
        return self.hosts.remarks()

    async def run(self, plan: Plan, chunks: Iterable[Chunk], report: Report) -> None:
        """Play all chunks; see `Executor`.

        Raises `Trouble` where the scheduler stays away, or nobody there can play.
        """
        queue = ChunkQueue(chunks, _TRIES)
        send, receive = trio.open_memory_channel[tuple[Load, Played]](0)
        async with trio.open_nursery() as nursery:
            # Beside the connection: what was received is stored whatever becomes of that.
            nursery.start_soon(self._take, receive, queue, report)
            while not queue.is_done:
                await self._play_connected(plan, queue, send)
            nursery.cancel_scope.cancel()

    async def _take(
        self,
        receive: trio.MemoryReceiveChannel[tuple[Load, Played]],
        queue: ChunkQueue,
        report: Report,
    ) -> None:
        async for load, played in receive:
            self.hosts.played(played.host, played.seconds, played.results)
            for result in played.results:
                event = result.game or result.void
                assert event is not None
                await report(event)
            for _ in load:
                queue.done()

    async def _play_connected(
        self, plan: Plan, queue: ChunkQueue, send: trio.MemorySendChannel[tuple[Load, Played]]
    ) -> None:
        """Play for as long as the connection lasts; then all chunks are back in the queue."""
        async with AsyncExitStack() as stack:
            opening = open_connection(self.address, self.patience_s)
            try:
                connection = await stack.enter_async_context(opening)
            except OSError as error:
                raise Trouble(
                    f"{self.address}: no scheduler has answered for {self.patience_s:g} s "
                    f"({cause(error)}); what was played is stored: the same command goes on from "
                    "there when one runs again"
                ) from None
            try:
                await Crew(self, connection, plan, queue, send).run()
            except* ConnectionLost:
                self.say(f"{self.address}: the connection is lost; waiting for the scheduler")
