"""Whole tournaments with bots in memory: everything but processes is the real thing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import trio

from arena.bots import find_bot
from arena.play import FinishedGame, Plan, Report, play_chunk
from arena.schedule import Chunk, GameKey, VoidMatch, labels_of
from arena.testing import Said, ScriptedBot, ScriptedHost
from arena.tournament import Entry, Progress, enter, run
from protocol.tournament import Tournament


def varied(turn: dict[str, Any]) -> Iterable[Said]:
    """Plays something that depends on the cards, so that games differ."""
    choice = turn["legal"][turn["turn"] * 7 % len(turn["legal"])]
    return [(0, {"type": "play", "turn": turn["turn"], **choice})]


class InMemory:
    """An executor whose bots are made by `make`, and whose arena can be made to fail."""

    def __init__(
        self,
        make: Callable[[], ScriptedBot] = lambda: ScriptedBot(varied),
        fails: Callable[[tuple[str, ...], GameKey], bool] = lambda pairing, key: False,
        stops_after: int = 10**9,
    ) -> None:
        self.fails = fails
        self.stops_after = stops_after
        self.played: list[tuple[tuple[str, ...], GameKey]] = []
        self.chunks: list[Chunk] = []
        self._make = make

    async def run(self, plan: Plan, chunks: Iterable[Chunk], report: Report) -> None:
        for chunk in chunks:
            self.chunks.append(chunk)
            host = ScriptedHost({"python3": self._make})
            await play_chunk(host, plan, chunk, self._failing(chunk, report))  # type: ignore[arg-type]

    def _failing(self, chunk: Chunk, report: Report) -> Report:
        void: set[int] = set()

        async def failing(event: FinishedGame | VoidMatch) -> None:
            assert isinstance(event, FinishedGame)
            record = event.record
            key = GameKey(record.match, record.replay, record.rotation)
            if key.match in void:
                return
            if self.fails(chunk.pairing, key):
                void.add(key.match)
                await report(VoidMatch(chunk.pairing, key, "made to fail"))
                return
            if len(self.played) == self.stops_after:
                raise Stopped
            self.played.append((chunk.pairing, key))
            await report(event)

        return failing


class Stopped(Exception):
    """The executor was made to stop in the middle."""


def entered(database: Path, *names: str, seed: int | None = 1, **settings: Any) -> Entry:
    """A tournament of shipped bots, entered into the database."""
    tournament = Tournament(**{"name": "t", "bots": list(names), "matches": 3, **settings})
    bots = [find_bot(name) for name in names]
    labels = labels_of([bot.manifest.name for bot in bots])
    return enter(
        database,
        tournament,
        dict(zip(labels, bots, strict=True)),
        kind=tournament.kind,
        master=None if seed is None else seed.to_bytes(32, "big"),
        isolation="none",
    )


def played(database: Path, entry: Entry, executor: InMemory) -> Progress:
    """Play what is missing of a tournament."""
    progress = Progress()
    trio.run(run, database, entry, executor, progress)
    return progress
