"""An arena as a process of its own: plays the tables it is told to, and looks for what is left.

One JSON object on standard input (see `Order`), one on standard output (see `Told`).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import msgspec
import trio

from arena.errors import SandboxUnavailable
from arena.play import Bot, FinishedGame, Plan, play_chunk
from arena.process import Host, open_host
from arena.referee import Referee
from arena.sandbox import select_backend
from arena.schedule import VoidMatch
from protocol.messages import Limits
from protocol.records import BotLog, GameRecord
from tests.e2e.playing import children, chunk_of, descriptors, plan_of


class Table(msgspec.Struct):
    """Some games of the same bots, one after another."""

    bots: list[Bot]
    limits: Limits
    games: int = 1


class Order(msgspec.Struct):
    """What is wanted."""

    isolation: str
    tables: list[Table]
    concurrency: int
    turns: bool = False
    """Whether to say so of every turn."""


class Game(msgspec.Struct):
    """What came of one game."""

    record: GameRecord
    logs: list[BotLog]

    @property
    def faults(self) -> list[tuple[str, str]]:
        """As bot and kind."""
        return [(self.record.seats[fault.seat].bot, fault.kind) for fault in self.record.faults]

    def stderr(self, seat: int) -> str:
        """What that seat's bot wrote to standard error."""
        return "".join(log.stderr for log in self.logs if log.seat == seat)


class Told(msgspec.Struct):
    """What came of all tables, and what the arena found of them when its host had ended."""

    unavailable: str = ""
    games: list[list[Game]] = []
    """By table."""
    void: list[str] = []
    left: list[str] = []


class _Hall:
    """All tables, so many played at the same time."""

    def __init__(self, order: Order) -> None:
        self.told = Told(games=[[] for _ in order.tables])
        self._order = order
        self._queue = enumerate(order.tables)

    async def play(self) -> None:
        backend = select_backend(self._order.isolation)
        async with open_host(backend) as host, trio.open_nursery() as nursery:
            for _ in range(self._order.concurrency):
                nursery.start_soon(self._play_on, host)

    async def _play_on(self, host: Host) -> None:
        for number, table in self._queue:
            await self._play_table(host, number, table)

    async def _play_table(self, host: Host, number: int, table: Table) -> None:
        plan: Plan = plan_of(table.bots, table.limits, "kseri-plain", deals=1)

        async def report(event: FinishedGame | VoidMatch) -> None:
            if isinstance(event, VoidMatch):
                self.told.void.append(event.cause)
            else:
                self.told.games[number].append(Game(event.record, event.logs))

        observer = _say_turn if self._order.turns else None
        await play_chunk(host, plan, chunk_of(table.bots, table.games), report, observer)


def _say_turn(_: Referee) -> None:
    os.write(1, b".")


def groups_of(pid: int) -> list[str]:
    """The control groups that the arena with this process id has made and not taken away."""
    # Others' groups come and go meanwhile, which this way of looking does not mind.
    walk = os.walk("/sys/fs/cgroup")
    return [name for _, names, _ in walk for name in names if name.startswith(f"kseri-{pid}-")]


def _left(before: tuple[int, list[str]]) -> list[str]:
    """Descendants (the arena adopts those whose parent has died), groups, mounts, descriptors."""
    files, mounts = before
    found = [f"process {pid}" for pid in children()] + groups_of(os.getpid())
    found += [f"mount {line}" for line in _mounts() if line not in mounts]
    if descriptors() != files:
        found.append(f"{descriptors() - files} descriptors")
    return found


def _mounts() -> list[str]:
    return Path("/proc/self/mounts").read_text().splitlines()


def main() -> None:
    """Play, and tell."""
    hall = _Hall(msgspec.json.decode(sys.stdin.buffer.read(), type=Order))
    before = descriptors(), _mounts()
    try:
        trio.run(hall.play)
        hall.told.left = _left(before)
    except SandboxUnavailable as error:
        hall.told.unavailable = str(error)
    sys.stdout.buffer.write(msgspec.json.encode(hall.told))


if __name__ == "__main__":
    main()
