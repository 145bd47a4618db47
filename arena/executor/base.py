"""What a tournament asks of an executor."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from arena.play import Plan, Report
from arena.schedule import Chunk


class Executor(Protocol):
    """Plays chunks somewhere and reports every game as it ends."""

    async def run(self, plan: Plan, chunks: Iterable[Chunk], report: Report) -> None:
        """Play all chunks, several at once; returns when all are done.

        A game may be reported twice where something was lost in between; whoever takes the
        reports counts it once.
        """


@runtime_checkable
class Remarking(Protocol):
    """An executor that has something to say when all is over."""

    def remarks(self) -> list[str]:
        """What one should know of how it went, a line each."""
