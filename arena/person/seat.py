"""The person's seat in a game: in a bot's process's place, and in a host's."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Callable, Iterable
from typing import Protocol, cast

import msgspec
import trio

from arena.person.entry import NOBODY
from arena.play import FinishedGame, Plan, Report, play_chunk
from arena.process import Asked, Host, Judge, Outcome, ProcessFacts, open_host
from arena.sandbox import Backend, Launch
from arena.schedule import Chunk, VoidMatch
from protocol.codec import LINE_LIMIT
from protocol.messages import Play, ToBot, Turn
from protocol.records import GameRecord


class Player(Protocol):
    """Shows the table to a person and asks for plays."""

    leaving: str
    """Why the person has gone, once an answer was None; as in "who gave up"."""

    def told(self, message: ToBot) -> None:
        """A message that asks for nothing."""

    async def asked(self, turn: Turn) -> Play | None:
        """The person's answer, one of `turn.legal`; None: gives the game up."""

    def finished(self, record: GameRecord) -> None:
        """The game is over, for everybody."""


class Keyboard:
    """Lines of text from a terminal, a pipe or a file, without a thread that waits for them."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._data = b""
        self._is_open = True

    async def line(self) -> str | None:
        """The next line without its end; None after the last. Longer ones are cut to 64 KiB."""
        while b"\n" not in self._data and len(self._data) < LINE_LIMIT and self._is_open:
            await self._read()
        line, found, self._data = self._data.partition(b"\n")
        return line.decode("utf-8", "replace") if line or found else None

    async def _read(self) -> None:
        # A file is always readable, and no event loop waits for it.
        if select.select([self._fd], [], [], 0)[0]:
            await trio.lowlevel.checkpoint()
        else:
            await trio.lowlevel.wait_readable(self._fd)
        data = os.read(self._fd, 4096)
        self._is_open = bool(data)
        self._data += data


async def stop() -> None:
    """What the end of the keyboard does: the same as Ctrl-C."""
    signal.raise_signal(signal.SIGINT)
    await trio.sleep_forever()


_decode = msgspec.json.Decoder(ToBot).decode
_encode = msgspec.json.encode


class _Person:
    """Has of `Asked` what a game with a person needs."""

    has_answered = heard_in_game = True
    has_flooded = was_out_of_memory = charges_cpu = False
    sandbox_failure = None
    lasted_us = 0

    def __init__(self, player: Player) -> None:
        self.games = 0
        self._player = player

    def new_game(self) -> None:
        self.games += 1

    def post(self, line: bytes) -> None:
        self._player.told(_decode(line))

    def early_lines(self) -> list[bytes]:
        return []

    async def turn(
        self, line: bytes, judge: Judge, alone: bool, slow: Callable[[], None] | None = None
    ) -> Outcome:
        """Ask the person. Nothing is charged: people take the time that they take."""
        if slow:
            slow()
        turn = _decode(line)
        assert isinstance(turn, Turn)
        play = await self._player.asked(turn)
        if play is None:
            return Outcome.ENDED
        accepted = judge.heard(_encode(play), 0)
        assert accepted, "the player's answers are legal"
        return Outcome.ANSWERED

    def exit_text(self) -> str:
        return f"is a person, {self._player.leaving}"

    def facts(self) -> ProcessFacts:
        return ProcessFacts()

    def freeze(self) -> None: ...

    def kill(self) -> None: ...

    def cpu_us(self) -> int:
        return 0

    def peak_memory_kb(self) -> int:
        return 0

    def stderr_text(self) -> str:
        return ""


class _TableHost:
    """Has of `Host` what a chunk asks of it: starts bots, and seats the person."""

    def __init__(self, host: Host, player: Player) -> None:
        self.backend = host.backend
        self._host, self._player = host, player

    @property
    def games(self) -> int:
        return self._host.games

    @games.setter
    def games(self, games: int) -> None:
        self._host.games = games

    def start(self, launch: Launch) -> Asked:
        if launch.command == NOBODY:
            return cast(Asked, _Person(self._player))
        return self._host.start(launch)

    async def end(self, process: Asked | _Person) -> None:
        if isinstance(process, _Person):
            await trio.lowlevel.cancel_shielded_checkpoint()
        else:
            await self._host.end(process)


class AtTheTable:
    """An executor for games with a person, one after another."""

    def __init__(self, backend: Backend, player: Player) -> None:
        self._backend, self._player = backend, player

    async def run(self, plan: Plan, chunks: Iterable[Chunk], report: Report) -> None:
        """Play all chunks; see `arena.executor.Executor`."""
        async with open_host(self._backend) as host:
            await AmongTables(host, self._player).run(plan, chunks, report)


class AmongTables:
    """The same where one host has the bots of several tables."""

    def __init__(self, host: Host, player: Player) -> None:
        self._table = _TableHost(host, player)
        self._player = player

    async def run(self, plan: Plan, chunks: Iterable[Chunk], report: Report) -> None:
        """Play all chunks; see `arena.executor.Executor`."""

        async def report_and_tell(event: FinishedGame | VoidMatch) -> None:
            await report(event)
            if isinstance(event, FinishedGame):
                self._player.finished(event.record)

        for chunk in chunks:
            # Somebody sees them: one after another, also where a bot could play several at once.
            await play_chunk(self._table, plan, chunk, report_and_tell, lambda referee: None)
