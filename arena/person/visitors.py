"""Visitors of the dashboard at tables with bots: their games are taken from the database.

A process of its own runs this. The pages write what a visitor plays, and read what the visitor's
seat was sent; whatever ends this process, a game that was not over is void.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import trio

from arena.bots import BotFiles, CannotBuild, find_bot
from arena.errors import ArenaError, UsageError
from arena.person.entry import person_files, sit_down
from arena.person.seat import AmongTables
from arena.play import FinishedGame
from arena.process import Host, open_host
from arena.sandbox import select_backend
from arena.schedule import VoidMatch, labels_of
from arena.store import (
    GAME_S,
    PLAY_S,
    VISITOR,
    Database,
    Reader,
    Sitting,
    SittingState,
    StoredTournament,
    answers,
    ask_sitting,
    end_sitting,
    note_table,
    playing_sittings,
    submitted_in,
    take_sittings,
    void_sittings,
    writing,
)
from arena.tournament import Entry, Progress, run, until_stopped
from protocol.messages import DealEnd, Hello, Play, ToBot, Turn
from protocol.records import GameRecord, Isolation
from protocol.rules import make_rules
from protocol.tournament import Tournament

_LOOK_S = 0.05
"""How often it is looked whether a visitor has sat down or played."""
_STOPPED = "the arena was stopped before this game was over"
_FAILED = "the arena failed in this game; its organiser is told why"
_TOO_SLOW = "who did not play in time"
_NOWHERE = Path("/nonexistent")
"""Beside which no bot is found by its path: visitors choose by names."""


@dataclass(frozen=True)
class Room:
    """Where visitors play."""

    database: Path
    isolation: Isolation
    """Of the bots."""
    say: Callable[[str], None] = lambda line: None
    """Takes a line for the organiser where a game failed."""
    play_s: float = PLAY_S
    game_s: float = GAME_S


def run_tables(room: Room) -> None:
    """Play the games of visitors until stopped. Raises `Trouble` where another process does so."""
    trio.run(until_stopped, partial(play_visitors, room))


async def play_visitors(room: Room) -> None:
    """The same until cancelled: then the games that go on are void."""
    with playing_sittings(room.database), writing(room.database) as db:
        void_sittings(db, _STOPPED)
        async with open_host(select_backend(room.isolation)) as host:
            await _Tables(room, db, host).watch()


class _Tables:
    """The games that go on."""

    def __init__(self, room: Room, db: Database, host: Host) -> None:
        self._room, self._db, self._host = room, db, host
        self._one_writes = trio.CapacityLimiter(1)
        self._visitors: dict[int, _Visitor] = {}

    async def watch(self) -> None:
        """Seat whoever comes, and hand on what they play."""
        with Reader(self._room.database) as reader:
            async with trio.open_nursery() as nursery:
                while True:
                    before = reader.data_version()
                    for sitting in await self.write(take_sittings):
                        visitor = _Visitor(self, sitting.id)
                        self._visitors[sitting.id] = visitor
                        nursery.start_soon(self._play, sitting, visitor)
                    for number, turn, play in await self.write(answers):
                        if number in self._visitors:
                            self._visitors[number].hear(turn, play)
                    # Of another process's writing SQLite tells only those who ask.
                    while reader.data_version() == before:
                        await trio.sleep(_LOOK_S)

    async def write(self, change: Callable[..., Any], *words: Any, **named: Any) -> Any:
        """Let a function of the store work, where no bot waits for the disk."""
        work = partial(change, self._db, *words, **named)
        return await trio.to_thread.run_sync(work, limiter=self._one_writes)

    async def _play(self, sitting: Sitting, visitor: _Visitor) -> None:
        ended = _Ended("void", _STOPPED)
        try:
            ended = await self._ended(sitting, visitor)
        except ArenaError as error:
            # Of one table: the others, and all else of the arena, go on.
            ended = self._failed(str(error))
        finally:
            with trio.CancelScope(shield=True):
                await self.write(
                    end_sitting, sitting.id, ended.state, text=ended.text, game=ended.game
                )
            del self._visitors[sitting.id]

    async def _ended(self, sitting: Sitting, visitor: _Visitor) -> _Ended:
        try:
            entry = await trio.to_thread.run_sync(self._sit_down, sitting)
        except CannotBuild as error:
            self._room.say(str(error))
            return _Ended("refused", "a bot of this table can't be built here")
        except UsageError as error:
            return _Ended("refused", str(error))
        await self.write(note_table, sitting.id, entry.stored.id)
        game = _OneGame()
        table = AmongTables(self._host, visitor)
        visitor.begin(self._room)
        await run(self._room.database, entry, table, Progress(), game)
        return self._failed(game.cause) if game.cause else _Ended("over", game=game.id)

    def _failed(self, why: str) -> _Ended:
        self._room.say(f"a visitor's game is void: {why}")
        return _Ended("void", _FAILED)

    def _sit_down(self, sitting: Sitting) -> Entry:
        """Enter the game: the visitor first, then the bots; the last takes the seats left."""
        rules = make_rules(sitting.rules)
        find = submitted_in(self._room.database)
        bots = [find_bot(name, _NOWHERE, find) for name in sitting.bots]
        table = bots + [bots[-1]] * (rules.seats - 1 - len(bots))
        files = [person_files(), *table]
        labels = labels_of([VISITOR, *(bot.manifest.name for bot in table)])
        return sit_down(
            self._room.database,
            _tournament(labels, sitting.rules, has_partners=rules.seats > rules.sides),
            dict[str, BotFiles](zip(labels, files, strict=True)),
            kind="person",
            master=None,
            isolation=self._room.isolation,
        )


def _tournament(labels: Sequence[str], rules: str, *, has_partners: bool) -> Tournament:
    return Tournament(
        name=" v ".join(labels)[:80],
        bots=list(labels),
        rules=rules,
        matches=1,
        rotations=1,
        partners="drawn" if has_partners else "self",
        rated=False,
        names_hidden=False,
    )


@dataclass(frozen=True)
class _Ended:
    """How a sitting ends."""

    state: SittingState
    text: str = ""
    game: str | None = None


@dataclass
class _OneGame:
    """Ends a table after its only game: not with other partners, and not again if it was void."""

    id: str | None = None
    """Of the game, once it is over."""
    cause: str = ""

    def begin(self, db: Database, stored: StoredTournament) -> None: ...

    def take(self, event: FinishedGame | VoidMatch) -> None:
        """Note how it ended."""
        if isinstance(event, VoidMatch):
            self.cause = event.cause
        else:
            self.id = event.record.game

    @property
    def is_enough(self) -> bool:
        """Whether there was a game."""
        return bool(self.id or self.cause)


@dataclass
class _Visitor:
    """A `Player` who is asked by a page and has a clock."""

    tables: _Tables
    sitting_id: int
    leaving: str = "who gave up"
    _play_s: float = PLAY_S
    _until: float = 0.0
    """When the whole game is to be over, on trio's clock."""
    _told: list[ToBot] = field(default_factory=list)
    _turn: int = 0
    _play: Play | None = None
    _heard: trio.Event = field(default_factory=trio.Event)

    def begin(self, room: Room) -> None:
        """Start the clock of the game."""
        self._play_s = room.play_s
        self._until = trio.current_time() + room.game_s

    def hear(self, turn: int, play: Play | None) -> None:
        """Take an answer, or None for giving up; one for another turn is none."""
        if turn == self._turn and not self._heard.is_set():
            self._play = play
            self._heard.set()

    def told(self, message: ToBot) -> None:
        """Keep what the page shows."""
        if isinstance(message, Hello | DealEnd):
            self._told.append(message)

    async def asked(self, turn: Turn) -> Play | None:
        """Ask by the page, and wait as long as a visitor may take."""
        self._turn, self._heard = turn.turn, trio.Event()
        self._told.append(turn)
        await self.tables.write(ask_sitting, self.sitting_id, self._told, turn.turn)
        self._told = [self._told[0], turn]
        left_s = self._until - trio.current_time()
        with trio.move_on_after(max(min(self._play_s, left_s), 0)):
            await self._heard.wait()
            return self._play
        is_long = left_s < self._play_s
        self.leaving = "who used up the time for the game" if is_long else _TOO_SLOW
        return None

    def finished(self, record: GameRecord) -> None:
        """Its page is told by the end of the sitting."""
