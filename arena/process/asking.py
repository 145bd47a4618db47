"""Who is asked for plays, who starts and who judges them, and how a turn went."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Protocol

from arena.process.ends import ProcessFacts
from arena.sandbox import Backend, Launch


class Judge(Protocol):
    """Whoever decides what the lines of a turn mean."""

    @property
    def budget_us(self) -> int:
        """The deadline, in µs from when the turn was written; a line may change it."""

    def heard(self, line: bytes, at_us: int) -> bool:
        """A line that came `at_us` after the turn was written; returns whether it ends the turn."""


class Outcome(enum.Enum):
    """How a turn went."""

    ANSWERED = enum.auto()
    TIMED_OUT = enum.auto()
    ENDED = enum.auto()
    """The process is no more."""
    FLOODED = enum.auto()


class Asked(Protocol):
    """Whoever is asked for plays: a `BotProcess`, or a stand-in with what its games ask of it."""

    pid: int
    games: int
    """How many games it has been given."""
    has_answered: bool
    """Whether it has said anything yet."""
    heard_in_game: bool
    """Whether it has said anything in this game."""
    lasted_us: int
    """How long the turn has lasted when something was last heard in it."""
    charges_cpu: bool
    """Whether CPU time is charged."""

    @property
    def has_flooded(self) -> bool:
        """Whether it wrote more than it may between two turns."""

    @property
    def has_unread(self) -> bool:
        """Whether it has not taken all that it was sent."""

    @property
    def was_out_of_memory(self) -> bool:
        """Whether its end is due to memory."""

    @property
    def sandbox_failure(self) -> str | None:
        """Why the sandbox, not the bot, is to blame for the end; None where it is not."""

    def new_game(self) -> None:
        """A game begins, and no other goes on."""

    def new_game_beside(self) -> None:
        """A game begins beside others."""

    def take_batches(self, games: int) -> None:
        """So many games may go on in it at once."""

    def post(self, line: bytes) -> None:
        """Send a line that asks for no answer; never waits."""

    def early_lines(self) -> list[bytes]:
        """Lines that can be read before a turn is written, some at a time; [] after the last."""

    async def turn(
        self, line: bytes, judge: Judge, alone: bool, slow: Callable[[], None] | None = None
    ) -> Outcome:
        """Write `line`, and hand the judge what comes until it is satisfied or time runs out."""

    async def go_on(self, judge: Judge, slow: Callable[[], None] | None = None) -> Outcome:
        """Listen further in a turn with whose lines the judge was not satisfied."""

    def freeze(self) -> None:
        """Stop it until its next turn."""

    def kill(self) -> None:
        """Kill it, and all that it has started."""

    async def end(self, grace_ms: int) -> None:
        """Close its input, and kill it if it does not end in time."""

    def exit_text(self) -> str:
        """How it ended, in words."""

    def facts(self) -> ProcessFacts:
        """What is known of it now."""

    def cpu_us(self) -> int:
        """CPU time used by now."""

    def peak_memory_kb(self) -> int:
        """The most memory that it has had."""

    def stderr_text(self) -> str:
        """What it wrote to standard error in this game."""

    def forget_stderr(self) -> None:
        """What it wrote to standard error is told."""


class Starter(Protocol):
    """Whoever starts and ends those that are asked: a `Host`, or a stand-in."""

    backend: Backend
    games: int
    """How many games are going on: one alone may wait in the kernel instead of in the loop."""

    def start(self, launch: Launch) -> Asked:
        """Start a bot; raises like `Host.start`."""

    async def end(self, process: Asked) -> None:
        """End it, and what it has started."""
