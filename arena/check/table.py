"""The table at which a bot is tried: the arena's own, with one player in this process.

`play_chunk` plays here as everywhere. Only what the bot reads may be altered on its way, and its
process may be kept for the next games.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import trio

from arena.process import BotProcess, Host, Judge, Outcome, ProcessFacts
from arena.sandbox import Launch
from protocol.codec import encode_line
from protocol.messages import Legal, Play

OPPONENT: tuple[str, ...] = ()
"""The command of the player in this process: no bot's command is empty."""

Alteration = Callable[[bytes], list[bytes]]
"""From a line to those that the bot is sent in its place, the last of them what it stands for."""


def unaltered(line: bytes) -> list[bytes]:
    """The line as it is."""
    return [line]


class _Question(msgspec.Struct):
    """What the opponent reads of a message: these stand in a turn."""

    game: str
    turn: int = 0
    legal: list[Legal] = []


_decoder = msgspec.json.Decoder(_Question | list[_Question])


class Opponent:
    """Stands in for a `BotProcess`: captures with most of what can, else lays any card."""

    def __init__(self) -> None:
        self.games = 0
        self.has_answered = True
        self.heard_in_game = True
        self.has_flooded = False
        self.was_out_of_memory = False
        self.sandbox_failure: str | None = None
        self.charges_cpu = False
        self.lasted_us = 0
        self._drawn = 1

    def new_game(self) -> None:
        """A game begins."""
        self.games += 1

    def new_game_beside(self) -> None:
        """A game begins while others go on."""
        self.games += 1

    def take_batches(self, games: int) -> None:
        """It takes as many as there are."""

    def post(self, line: bytes) -> None:
        """It needs to hear nothing but its turns."""

    def early_lines(self) -> list[bytes]:
        """It never speaks unasked."""
        return []

    async def turn(
        self, line: bytes, judge: Judge, alone: bool, slow: Callable[[], None] | None = None
    ) -> Outcome:
        """Answer at once."""
        read = _decoder.decode(line)
        for asked in read if isinstance(read, list) else [read]:
            if asked.legal:
                judge.heard(self._answer(asked), 1)
        await trio.lowlevel.checkpoint()
        return Outcome.ANSWERED

    def _answer(self, asked: _Question) -> bytes:
        # A generator of its own, the same for every run (Lehmer's, modulus 2^31 - 1).
        self._drawn = self._drawn * 48271 % 0x7FFF_FFFF
        options = [option for option in asked.legal if option.capture]
        if not options or self._drawn % 4 == 0:
            options = asked.legal
        chosen = options[self._drawn % len(options)]
        play = Play(game=asked.game, turn=asked.turn, card=chosen.card, capture=chosen.capture)
        return encode_line(play)[:-1]

    def freeze(self) -> None:
        """It does not think in others' turns."""

    def facts(self) -> ProcessFacts:
        """It is no process."""
        return ProcessFacts()

    def exit_text(self) -> str:
        """It does not end."""
        return "still runs"

    def kill(self) -> None:
        """There is nothing to kill."""

    def cpu_us(self) -> int:
        """Its time is the arena's."""
        return 0

    def peak_memory_kb(self) -> int:
        """Its memory is the arena's."""
        return 0

    def stderr_text(self) -> str:
        """It writes nothing."""
        return ""

    def forget_stderr(self) -> None:
        """There is nothing to forget."""


class Altered:
    """A bot's process that reads altered lines; all else is the process's own."""

    def __init__(self, inner: BotProcess, alter: Alteration) -> None:
        self.inner = inner
        self.was_killed = False
        self.boot_ms: float | None = None
        """From its start to the end of its first turn."""
        self._alter = alter
        self._started = trio.current_time()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def post(self, line: bytes) -> None:
        """Send a line that asks for no answer."""
        for each in self._alter(line):
            self.inner.post(each)

    async def turn(
        self, line: bytes, judge: Judge, alone: bool, slow: Callable[[], None] | None = None
    ) -> Outcome:
        """Send what stands for the turn."""
        *before, asked = self._alter(line)
        for each in before:
            self.inner.post(each)
        outcome = await self.inner.turn(asked, judge, alone, slow)
        if self.boot_ms is None:
            self.boot_ms = (trio.current_time() - self._started) * 1000
        return outcome

    def kill(self) -> None:
        """Kill it: it has forfeited."""
        self.was_killed = True
        self.inner.kill()


Make = Callable[[Host, Launch], Altered]
"""Starts the bot that is tried."""


class CheckHost:
    """Stands in for a `Host`: starts bots by it, the opponent without, and keeps processes."""

    def __init__(self, host: Host, make: Make, keep: bool = False) -> None:
        """`keep`: a process whose chunk has ended plays the next one."""
        self.backend = host.backend
        self.games = 0
        self.started: list[Altered] = []
        """Every process of the bot, in order."""
        self._host = host
        self._make = make
        self._keep = keep
        self._idle: list[Altered] = []

    def start(self, launch: Launch) -> Altered | Opponent:
        """Start a bot, or take up one that is idle; raises like `Host.start`."""
        if launch.command == OPPONENT:
            return Opponent()
        while self._idle:
            process = self._idle.pop()
            if process.returncode is None:
                return process
        process = self._make(self._host, launch)
        self.started.append(process)
        return process

    async def end(self, process: Altered | Opponent) -> None:
        """End it, or keep it where it may play on."""
        if isinstance(process, Opponent):
            await trio.lowlevel.checkpoint()
        elif self._keep and not process.was_killed and process.returncode is None:
            self._idle.append(process)
            await trio.lowlevel.checkpoint()
        else:
            await self._host.end(process.inner)

    async def close(self) -> None:
        """End all processes that are kept."""
        idle, self._idle = self._idle, []
        for process in idle:
            await self._host.end(process.inner)
