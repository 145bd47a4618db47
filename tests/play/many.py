"""Games of bots in memory that play several at once, on trio's own clock."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
import trio
import trio.testing

from arena.play import FinishedGame, play_chunk
from arena.schedule import Chunk, GameKey, VoidMatch
from arena.testing import Said, ScriptedBot, ScriptedHost, practice_plan
from protocol.messages import Limits
from protocol.records import GameRecord

Make = Callable[[], ScriptedBot]
LIMITS = Limits(boot_ms=10_000, move_ms=1_000, bank_ms=10_000)


def any_legal(turn: dict[str, Any]) -> Iterable[Said]:
    """Answers at once, in every position differently and always the same."""
    drawn = zlib.crc32(f"{turn['hand']}{turn['plays']}".encode())
    chosen = turn["legal"][drawn % len(turn["legal"])]
    return [(0, answer(turn, chosen))]


def answer(turn: dict[str, Any], chosen: dict[str, Any] | None = None) -> dict[str, Any]:
    """The answer by this card, or by the first legal one."""
    said = {"type": "play", "game": turn["game"], "turn": turn["turn"]}
    return said | (chosen or turn["legal"][0])


class Hall:
    """What came of some games between bots, the first of whose processes play many at once."""

    def __init__(
        self,
        bots: Mapping[str, Make],
        batches: Mapping[str, int],
        games: int,
        *,
        rotations: int = 1,
        preset: str = "kseri-plain",
        limits: Limits = LIMITS,
        reuse: bool = True,
        deals: int = 1,
    ) -> None:
        plan = practice_plan(*bots, preset=preset, limits=limits, deals=deals)
        batched = {
            name: msgspec.structs.replace(bot, batch=batches.get(name, 1), reuse=reuse)
            for name, bot in plan.bots.items()
        }
        plan = msgspec.structs.replace(plan, bots=batched)
        self.host = ScriptedHost(bots)
        self.events: list[FinishedGame | VoidMatch] = []
        keys = [GameKey(m, 0, r) for r in range(rotations) for m in range(1, games + 1)]
        chunk = Chunk(tuple(bots), 0, tuple(keys), frozenset(keys))

        async def report(event: FinishedGame | VoidMatch) -> None:
            self.events.append(event)

        async def main() -> None:
            await play_chunk(self.host, plan, chunk, report)  # type: ignore[arg-type]

        trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0))

    @property
    def finished(self) -> list[FinishedGame]:
        """The games that ended, by match."""
        found = [event for event in self.events if isinstance(event, FinishedGame)]
        return sorted(found, key=lambda game: (game.record.rotation, game.record.match))

    @property
    def records(self) -> list[GameRecord]:
        """Their records."""
        return [game.record for game in self.finished]

    @property
    def plays(self) -> dict[str, Any]:
        """By game all that a game is, but for times and processes."""
        return {
            record.game: (
                [[(p.seat, p.card, p.capture) for p in deal.plays] for deal in record.deals],
                [deal.sides for deal in record.deals],
                record.scores,
                record.reason,
                [(fault.seat, fault.turn, fault.kind) for fault in record.faults],
            )
            for record in self.records
        }

    @property
    def faults(self) -> list[list[tuple[str, str]]]:
        """By game the faults, as bot and kind."""
        return [
            [(record.seats[fault.seat].bot, fault.kind) for fault in record.faults]
            for record in self.records
        ]

    def processes(self, name: str) -> list[str]:
        """By game the process that played for a bot."""
        return [
            seat.process for record in self.records for seat in record.seats if seat.bot == name
        ]

    def logs(self, name: str) -> list[list[str]]:
        """By game what was kept for a bot's owner."""
        return [
            next(
                (log.logs for log in game.logs if game.record.seats[log.seat].bot == name),
                [],
            )
            for game in self.finished
        ]


class Recorder(ScriptedBot):
    """A bot that keeps the lines that it is sent, as they are."""

    def __init__(self, *scripted: Any) -> None:
        super().__init__(*scripted)
        self.lines: list[bytes] = []

    def post(self, line: bytes) -> None:
        """Take a line."""
        self.lines.append(line)
        super().post(line)
