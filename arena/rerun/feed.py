"""Feeds a bot what it was sent in a recorded game, line by line, and compares its answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from arena.errors import ArenaFault
from arena.play import Bot
from arena.process import BotProcess, Outcome, open_host
from arena.sandbox import Backend, Launch
from arena.transcript import Answered, Event, Failed, Sent
from protocol.codec import ProtocolError, decode_bot_line
from protocol.messages import Limits, Log, Play, Ready

_FOREVER_US = 30 * 86_400 * 1_000_000
"""No clock: longer than anybody sits at a debugger."""
_GOT_CHARS = 200
_CANNOT_TELL = ("timeout", "unasked")
_ENDINGS = ("crash", "boot", "memory", "flood")


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """What the bot did to one turn, and what it had done in the game."""

    turn: int
    sent: bytes
    """The turn's line."""
    recorded: Answered | Failed | None
    """What the record has of it; None where the game ended without."""
    unasked: list[bytes]
    """What it had written before it was sent the turn; `ready` and `log` are left out."""
    answer: bytes | None
    """Its line; None if it ended without."""
    same: bool | None
    """Whether it did the same; None where the record can't tell: its time ran out."""
    ended: str
    """How the process ended, if it did."""
    stderr: str
    """What it has written to standard error since the step before."""


class _Listener:
    """The judge of a turn: takes the first line that is meant as an answer."""

    budget_us = _FOREVER_US

    def __init__(self, turn: int) -> None:
        self.answer: bytes | None = None
        self._turn = turn

    def heard(self, line: bytes, at_us: int) -> bool:
        """Take the line if it answers the turn."""
        if not is_meant(line, self._turn):
            return False
        self.answer = line
        return True


def is_meant(line: bytes, turn: int | None = None) -> bool:
    """Whether a line is a play (for this turn or for none), or nothing that can be read."""
    try:
        message = decode_bot_line(line)
    except ProtocolError:
        return True
    if isinstance(message, Ready | Log):
        return False
    return turn is None or message.turn in (None, turn)


def is_same(recorded: Answered | Failed | None, answer: bytes | None) -> bool | None:
    """Whether an answer is what the record has; None where that can't be told."""
    if isinstance(recorded, Answered):
        return answer is not None and _is_same_play(recorded, answer)
    if recorded is None or recorded.fault.kind in _CANNOT_TELL:
        return None
    if recorded.fault.kind in _ENDINGS:
        return answer is None
    return answer is not None and _cut(answer) == recorded.fault.got


def _cut(line: bytes) -> str:
    return line[: 4 * _GOT_CHARS].decode("utf-8", "replace")[:_GOT_CHARS]


def _is_same_play(recorded: Answered, answer: bytes) -> bool:
    try:
        given = decode_bot_line(answer)
    except ProtocolError:
        return False
    wanted = decode_bot_line(recorded.line)
    if not isinstance(given, Play) or not isinstance(wanted, Play) or given.card != wanted.card:
        return False
    # Where nothing is said, a card that can capture captures (R10).
    if given.capture is None:
        return wanted.capture is not False
    return given.capture == recorded.captured


async def rerun(
    backend: Backend,
    bot: Bot,
    limits: Limits,
    events: Sequence[Event],
    *,
    before: Callable[[int, bytes], None] = lambda turn, line: None,
    after: Callable[[Step], None] = lambda step: None,
) -> list[Step]:
    """Start the bot and send it all lines of a transcript, however long its answers take.

    `before` is called with every turn before it is sent, `after` with what came of it. Ends early
    where the process ends. Raises `BotCannotStart` and `ArenaFault`.
    """
    launch = Launch(
        bot.run, Path(bot.folder), limits.memory_mb, processes=bot.processes, hosted=True
    )
    steps: list[Step] = []
    async with open_host(backend) as host:
        process = host.start(launch)
        process.new_game()
        errors = ""
        for sent, recorded in _pairs(events):
            if sent.turn is None:
                process.post(sent.line)
                continue
            before(sent.turn, sent.line)
            step, errors = await _step(process, sent.turn, sent.line, recorded, errors)
            steps.append(step)
            after(step)
            if step.ended:
                break
        await host.end(process)
    return steps


async def _step(
    process: BotProcess, turn: int, line: bytes, recorded: Answered | Failed | None, errors: str
) -> tuple[Step, str]:
    unasked = [line for line in process.early_lines() if is_meant(line)]
    listener = _Listener(turn)
    outcome = await process.turn(line, listener, alone=True)
    if outcome is Outcome.ENDED and process.sandbox_failure:
        raise ArenaFault(process.sandbox_failure)
    text = process.stderr_text()
    return Step(
        turn=turn,
        sent=line,
        recorded=recorded,
        unasked=unasked,
        answer=listener.answer,
        same=is_same(recorded, listener.answer),
        ended="" if outcome is Outcome.ANSWERED else _ending(process, outcome),
        # Only the last 64 KiB are kept: then all of it is new.
        stderr=text[len(errors) :] if text.startswith(errors) else text,
    ), text


def _ending(process: BotProcess, outcome: Outcome) -> str:
    if outcome is Outcome.FLOODED:
        return "wrote more than 1 MiB without an answer"
    return f"the process {process.exit_text()}"


def _pairs(events: Sequence[Event]) -> Iterator[tuple[Sent, Answered | Failed | None]]:
    """Every line that was sent, with what the seat did about it."""
    for number, event in enumerate(events):
        if isinstance(event, Sent):
            after = next((e for e in events[number + 1 :] if not isinstance(e, Sent)), None)
            yield event, after if isinstance(after, Answered | Failed) else None
