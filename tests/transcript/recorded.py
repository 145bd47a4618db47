"""Games of bots in memory that keep the bytes they were sent, to compare transcripts with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import trio
import trio.testing

from arena.play import FinishedGame, Plan, play_chunk
from arena.schedule import Chunk, GameKey
from arena.testing import Script, ScriptedBot, ScriptedHost, first_legal
from arena.transcript import Event, sent_bytes, transcript
from protocol.records import GameRecord


class Recorder(ScriptedBot):
    """A scripted bot that keeps its input as bytes, game by game."""

    def __init__(self, script: Script = first_legal, **more: Any) -> None:
        super().__init__(script, **more)
        self.lines: list[bytes] = []
        # As with any real process, no turn is over in no time.
        self.lasted_us = 1

    def post(self, line: bytes) -> None:
        """Keep what a process that has not ended is sent."""
        if not self.has_ended:
            self.lines.append(line)
        super().post(line)

    def of_game(self, game: str) -> bytes:
        """What it was sent of one game."""
        return b"".join(line for line in self.lines if b'"game":"%s"' % game.encode() in line)


def play(
    plan: Plan, makers: Mapping[str, Callable[[], ScriptedBot]], *keys: GameKey
) -> tuple[list[GameRecord], ScriptedHost]:
    """Play games of all the bots in `makers`, in the order of seats; and who played them."""
    reports: list[FinishedGame] = []
    host = ScriptedHost(makers)
    keys = keys or (GameKey(1, 0, 0),)

    async def report(event: Any) -> None:
        reports.append(event)

    async def main() -> None:
        chunk = Chunk(tuple(makers), 0, tuple(keys), frozenset(keys[-1:]))
        await play_chunk(host, plan, chunk, report)  # type: ignore[arg-type]

    trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0))
    return [event.record for event in reports], host


def retold(record: GameRecord, seat: int, last: GameRecord) -> list[Event]:
    """The transcript of a seat; `last` is the game after which the seed was told."""
    return transcript(record, seat, seed_told=record.game == last.game)


def assert_same(records: list[GameRecord], host: ScriptedHost) -> None:
    """Every process was sent what the transcripts of its games say, byte for byte."""
    streams: dict[str, list[bytes]] = {}
    for record in records:
        for seat, seated in enumerate(record.seats):
            lines = sent_bytes(retold(record, seat, records[-1]))
            streams.setdefault(f"{seat} {seated.process}", []).append(lines)
    told = sorted(b"".join(lines) for lines in streams.values())
    received = sorted(b"".join(bot.lines) for bot in host.started)  # type: ignore[attr-defined]
    assert told == received
