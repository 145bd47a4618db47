"""Feeds a bot what it was sent in a recorded game, line by line, and compares its answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from arena.errors import ArenaFault
from arena.faults import ran_out
from arena.play import Bot
from arena.process import GRACE_MS, BotProcess, Outcome, open_host
from arena.rerun.waiting import Listener, Waiting, is_meant, listen
from arena.sandbox import Backend, Launch
from arena.transcript import Answered, Event, Failed, Sent
from protocol.codec import ProtocolError, decode_bot_line, quoted
from protocol.messages import Limits, Play

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
    waiting: Waiting | None = None
    """What was known when its answer was waited for no longer, where it was not."""
    interrupted: bool = False
    """Whether that was because of Ctrl-C."""


def is_same(
    recorded: Answered | Failed | None, answer: bytes | None, gave_up: bool = False
) -> bool | None:
    """Whether an answer is what the record has; None where that can't be told.

    `gave_up`: there is none, though it was waited for longer than in the game.
    """
    if isinstance(recorded, Answered):
        return answer is not None and _is_same_play(recorded, answer)
    if recorded is None or recorded.fault.kind == "unasked":
        return None
    if ran_out(recorded.fault):
        return gave_up or None
    if gave_up:
        return False
    if recorded.fault.kind in _ENDINGS:
        return answer is None
    return answer is not None and quoted(answer) == recorded.fault.got


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
    waits: Callable[[Waiting], None] = lambda waiting: None,
    after: Callable[[Step], None] = lambda step: None,
    patience: float | None = None,
) -> list[Step]:
    """Start the bot and send it all lines of a transcript, however long its answers take.

    `before` is called with every turn before it is sent, `waits` as soon as that is done and then
    now and then while there is no answer, `after` with what came of it. `patience`: how many times
    as long as in the game an answer is waited for; None: for ever. Ends early where the process
    ends, an answer is given up for good, or Ctrl-C ends the waiting. Raises `BotCannotStart` and
    `ArenaFault`.
    """
    launch = Launch(
        bot.run, Path(bot.folder), limits.memory_mb, processes=bot.processes, hosted=True
    )
    steps: list[Step] = []
    async with open_host(backend) as host:
        process = host.start(launch)
        process.new_game()
        feed = _Feed(process, limits, waits, patience)
        for sent, recorded in _pairs(events):
            if sent.turn is None:
                process.post(sent.line)
                continue
            before(sent.turn, sent.line)
            step = await feed.step(sent.turn, sent.line, recorded)
            steps.append(step)
            after(step)
            if step.ended or _is_last(step):
                break
        await host.end(process)
    return steps


class _Feed:
    """One process, turn after turn."""

    def __init__(
        self,
        process: BotProcess,
        limits: Limits,
        waits: Callable[[Waiting], None],
        patience: float | None,
    ) -> None:
        self._process, self._limits = process, limits
        self._waits, self._patience = waits, patience
        self._errors = ""

    async def step(self, turn: int, line: bytes, recorded: Answered | Failed | None) -> Step:
        """Send a turn and wait for what comes of it."""
        process = self._process
        unasked = [line for line in process.early_lines() if is_meant(line)]
        listener = Listener(turn, line, process, _limit_us(recorded))
        outcome = await listen(listener, self._waits, self._most_s(recorded))
        if outcome is Outcome.ENDED and process.sandbox_failure:
            raise ArenaFault(process.sandbox_failure)
        gave_up = outcome is Outcome.TIMED_OUT
        step = Step(
            turn=turn,
            sent=line,
            recorded=recorded,
            unasked=unasked,
            answer=listener.answer,
            same=None if outcome is None else is_same(recorded, listener.answer, gave_up),
            ended=_ending(process, outcome),
            stderr="",
            waiting=listener.waiting() if gave_up or outcome is None else None,
            interrupted=outcome is None,
        )
        if step.waiting and _is_last(step):
            late = [line for line in await process.last_words(GRACE_MS) if is_meant(line)]
            waiting = msgspec.structs.replace(step.waiting, last_words=late)
            step = msgspec.structs.replace(step, waiting=waiting)
        return msgspec.structs.replace(step, stderr=self._new_errors())

    def _most_s(self, recorded: Answered | Failed | None) -> float | None:
        """How long to wait, in seconds."""
        if self._patience is None:
            return None
        limits = self._limits
        whole_us = 1000 * (limits.boot_ms + limits.move_ms + limits.bank_ms)
        return self._patience * (_limit_us(recorded) or whole_us) / 1e6

    def _new_errors(self) -> str:
        """What it has written to standard error since this was asked last."""
        before, self._errors = self._errors, self._process.stderr_text()
        # Only the last 64 KiB are kept: then all of it is new.
        return self._errors[len(before) :] if self._errors.startswith(before) else self._errors


def _limit_us(recorded: Answered | Failed | None) -> int | None:
    """After what time no answer was waited for any more in the game, if it was so."""
    if isinstance(recorded, Failed) and ran_out(recorded.fault):
        return recorded.fault.limit_us
    return None


def _is_last(step: Step) -> bool:
    """Whether nothing more is sent after an answer that did not come."""
    if step.waiting is None:
        return False
    goes_on = isinstance(step.recorded, Failed) and not step.recorded.fatal and bool(step.same)
    return step.interrupted or not goes_on


def _ending(process: BotProcess, outcome: Outcome | None) -> str:
    if outcome is Outcome.FLOODED:
        return "wrote more than 1 MiB without an answer"
    return f"the process {process.exit_text()}" if outcome is Outcome.ENDED else ""


def _pairs(events: Sequence[Event]) -> Iterator[tuple[Sent, Answered | Failed | None]]:
    """Every line that was sent, with what the seat did about it."""
    for number, event in enumerate(events):
        if isinstance(event, Sent):
            after = next((e for e in events[number + 1 :] if not isinstance(e, Sent)), None)
            yield event, after if isinstance(after, Answered | Failed) else None
