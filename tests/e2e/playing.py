"""Games of real processes on the real clock: who plays, what came of it, what is left."""

from __future__ import annotations

import os
import sys
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import trio

from arena.play import Bot, FinishedGame, Observer, Plan, play_chunk
from arena.process import open_host
from arena.sandbox import select_backend
from arena.sandbox.scratch import watchers
from arena.schedule import Chunk, GameKey
from protocol.messages import Limits
from protocol.records import GameRecord
from protocol.rules import make_rules

PROGRAMS = Path(__file__).parent.parent / "hostile" / "programs"
PATIENT = Limits(boot_ms=20_000, move_ms=10_000, bank_ms=10_000)
"""For bots that answer, on a machine under load."""
SHORT = Limits(boot_ms=20_000, move_ms=100, bank_ms=900)
"""For bots that are ready and then do not answer."""


def program(file: str, *words: str, name: str = "", reuse: bool = True, batch: int = 1) -> Bot:
    """One of the misbehaving programs as a bot."""
    return Bot(
        name=name or file,
        version="1.0",
        hash="",
        folder=str(PROGRAMS),
        run=(sys.executable, "-B", "-S", "-E", f"{file}.py", *words),
        reuse=reuse,
        batch=batch,
    )


def command(*words: str, folder: Path = PROGRAMS, name: str = "command") -> Bot:
    """Any command as a bot."""
    return Bot(name=name, version="1.0", hash="", folder=str(folder), run=words)


def plan_of(bots: Sequence[Bot], limits: Limits, preset: str, **overrides: object) -> Plan:
    """A plan for these bots, which must have different names."""
    return Plan(
        tournament=None,
        rules=make_rules(preset, overrides),
        overrides=overrides,
        limits=limits,
        names_hidden=True,
        rated=False,
        practice=True,
        master=bytes(32),
        bots={bot.name: bot for bot in bots},
    )


def chunk_of(bots: Sequence[Bot], games: int) -> Chunk:
    """So many games of one deal order, one after another."""
    keys = tuple(GameKey(match, 0, 0) for match in range(1, games + 1))
    return Chunk(tuple(bot.name for bot in bots), 0, keys, frozenset(keys))


Meddle = Callable[[trio.CancelScope, str], Observer | None]


@dataclass
class Played:
    """What came of some games."""

    events: list[FinishedGame] = field(default_factory=list)
    at_report: Callable[[], None] = lambda: None
    """Called after every game."""

    async def report(self, event: FinishedGame) -> None:
        """Take a finished game."""
        self.events.append(event)
        self.at_report()

    @property
    def records(self) -> list[GameRecord]:
        """The games' records, in order."""
        return [event.record for event in self.events]

    @property
    def faults(self) -> list[list[tuple[str, str]]]:
        """By game the faults, as bot and kind."""
        return [
            [(record.seats[fault.seat].bot, fault.kind) for fault in record.faults]
            for record in self.records
        ]

    def stderr(self, name: str) -> str:
        """What a bot wrote to standard error in all games."""
        seats = [(event, seat.bot) for event in self.events for seat in event.record.seats]
        return "".join(
            log.stderr for event, bot in seats if bot == name for log in event.logs
            if event.record.seats[log.seat].bot == name
        )  # fmt: skip


def play(
    *bots: Bot,
    limits: Limits = PATIENT,
    preset: str = "kseri-plain",
    games: int = 1,
    deals: int = 1,
    more: Sequence[Sequence[Bot]] = (),
    at_report: Callable[[], None] = lambda: None,
    meddle: Meddle | None = None,
) -> Played:
    """Play `games` games, and at the same time one each between `more`; nothing may be left.

    `meddle` is given the scope in which the host lives, and the marker that stands on the command
    line of every process, before the first of them starts; what it returns observes every turn.
    """
    played, before = Played(at_report=at_report), descriptors()
    marker = f"marker-{uuid.uuid4().hex}"

    async def main() -> None:
        with trio.CancelScope() as scope:
            observer = meddle(scope, marker) if meddle else None
            async with open_host(select_backend("none")) as host, trio.open_nursery() as nursery:
                for table, number in [(bots, games), *((table, 1) for table in more)]:
                    marked = [mark(bot, marker) for bot in table]
                    plan = plan_of(marked, limits, preset, deals=deals)
                    chunk = chunk_of(marked, number)
                    nursery.start_soon(play_chunk, host, plan, chunk, played.report, observer)

    trio.run(main)
    assert processes_with(marker) == []
    assert zombies() == []
    assert descriptors() == before
    return played


def mark(bot: Bot, marker: str) -> Bot:
    """The same bot, with a word on its command line by which its processes can be found."""
    return msgspec.structs.replace(bot, run=(*bot.run, marker))


def processes_with(marker: str) -> list[int]:
    """Every process of this machine that has `marker` on its command line and is no zombie."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if marker.encode() in path.read_bytes():
                found.append(int(path.parent.name))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def children() -> list[int]:
    """Every child of this process, but for those that wait to tidy up after it."""
    tasks = Path("/proc/self/task").glob("*/children")
    found = [int(pid) for task in tasks for pid in task.read_text().split()]
    return [pid for pid in found if pid not in watchers]


def zombies() -> list[int]:
    """Children that have ended and that nobody has reaped."""
    return [pid for pid in children() if _state(pid) == "Z"]


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return ""


def descriptors() -> int:
    """How many file descriptors this process has open."""
    return len(os.listdir("/proc/self/fd"))
