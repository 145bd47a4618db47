"""Waits for the answer to one turn, with no clock, and tells what is known meanwhile."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable

import msgspec
import trio

from arena.process import BotProcess, Outcome
from protocol.codec import ProtocolError, decode_bot_line, game_named_in
from protocol.messages import Log, Ready

FIRST_LOOK_S = 5.0
"""After this it is told what is known; then again whenever it has lasted twice as long."""
_KEPT = 3


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a turn to which no answer has come."""

    turn: int
    seconds: float
    """How long it has been waited for."""
    limit_us: int | None
    """After what time no answer was waited for any more in the game, if it was so."""
    cpu_us: int
    """CPU time of the process so far."""
    begun: str
    """The beginning of a line that has not ended."""
    ignored: list[bytes]
    """The first plays that were ignored: they are for another turn, or another game."""
    last_words: list[bytes] = []
    """The answers that came once its input was closed."""


class Listener:
    """The judge of a turn: takes the first line that is meant as an answer."""

    def __init__(self, turn: int, line: bytes, process: BotProcess, limit_us: int | None) -> None:
        """`line` asks for the turn; `limit_us`: see `Waiting`."""
        self.budget_us = 0
        self.answer: bytes | None = None
        self.line = line
        self.process = process
        self._turn, self._game = turn, game_named_in(line)
        self._limit_us = limit_us
        self._ignored: list[bytes] = []
        self._started = time.monotonic()

    @property
    def seconds(self) -> float:
        """How long the turn has lasted."""
        return time.monotonic() - self._started

    def heard(self, line: bytes, at_us: int) -> bool:
        """Take the line if it answers the turn."""
        if is_meant(line, self._turn, self._game):
            self.answer = line
            return True
        if is_meant(line) and len(self._ignored) < _KEPT:
            self._ignored.append(line)
        return False

    def waiting(self) -> Waiting:
        """What is known now."""
        facts = self.process.facts()
        return Waiting(
            turn=self._turn,
            seconds=self.seconds,
            limit_us=self._limit_us,
            cpu_us=facts.cpu_us,
            begun=facts.unfinished,
            ignored=list(self._ignored),
        )


def is_meant(line: bytes, turn: int | None = None, game: str | None = None) -> bool:
    """Whether a line is a play, or nothing that can be read.

    A play must be for this `turn` and this `game`, or name none; those left out are not looked at.
    """
    try:
        message = decode_bot_line(line)
    except ProtocolError:
        return True
    if isinstance(message, Ready | Log):
        return False
    if game is not None and message.game not in (None, game):
        return False
    return turn is None or message.turn in (None, turn)


async def listen(
    listener: Listener, waits: Callable[[Waiting], None], most_s: float | None
) -> Outcome | None:
    """Send the turn and wait, at most `most_s`; None where Ctrl-C has ended that."""
    outcome: Outcome | None = None
    with trio.open_signal_receiver(signal.SIGINT) as signals:
        async with trio.open_nursery() as nursery:

            async def stop() -> None:
                async for _ in signals:
                    nursery.cancel_scope.cancel()

            nursery.start_soon(stop)
            waits(listener.waiting())
            outcome = await _outcome(listener, waits, most_s)
            nursery.cancel_scope.cancel()
    return outcome


async def _outcome(
    listener: Listener, waits: Callable[[Waiting], None], most_s: float | None
) -> Outcome:
    process, line = listener.process, listener.line
    told_s = FIRST_LOOK_S
    listener.budget_us = _us(told_s, most_s)
    outcome = await process.turn(line, listener, alone=True)
    while outcome is Outcome.TIMED_OUT and (most_s is None or listener.seconds < most_s):
        if listener.seconds >= told_s:
            waits(listener.waiting())
            told_s *= 2
        listener.budget_us = _us(told_s, most_s)
        # What could not be written yet is of the turn's line, or of those before.
        again = process.turn(b"", listener, alone=True) if process.has_unread else None
        outcome = await (again or process.go_on(listener))
    return outcome


def _us(seconds: float, most_s: float | None) -> int:
    return int(1e6 * (seconds if most_s is None else min(seconds, most_s))) + 1
