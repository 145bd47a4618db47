"""What another bot, or another version of it, does with the lines of a recorded game."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.rerun import Step
from arena.seen import captures
from arena.transcript import Event, Failed, Sent
from protocol.codec import ProtocolError, decode_bot_line
from protocol.messages import Hello, Play, ToBot, Turn
from protocol.rules import RuleSet

_decode = msgspec.json.Decoder(ToBot).decode


def rules_of_events(events: Sequence[Event]) -> RuleSet:
    """The rules of the game that these lines are of, by its `hello`."""
    for event in events:
        if isinstance(event, Sent) and isinstance(message := _decode(event.line), Hello):
            return message.rules
    raise AssertionError("every game begins with hello")


def is_accepted(step: Step, rules: RuleSet) -> bool:
    """Whether the arena would have taken what the bot did: one legal answer, and nothing else."""
    if step.answer is None or step.unasked:
        return False
    try:
        play = decode_bot_line(step.answer)
    except ProtocolError:
        return False
    turn = _decode(step.sent)
    assert isinstance(turn, Turn)
    if not isinstance(play, Play) or play.card not in turn.hand:
        return False
    is_choice = sum(option.card == play.card for option in turn.legal) > 1
    return is_choice or play.capture in (None, captures(turn, play.card, rules))


def outcome(steps: Sequence[Step], rules: RuleSet) -> tuple[str, bool]:
    """What came of it, in words, and whether every turn got a legal answer."""
    wrong = next((step for step in steps if not is_accepted(step, rules)), None)
    same = sum(step.same is True for step in steps if not isinstance(step.recorded, Failed))
    text = f"{len(steps)} turns, {same} answers as recorded"
    if wrong:
        return f"{text}; no legal answer to turn {wrong.turn}", False
    for step in steps:
        if isinstance(step.recorded, Failed):
            kind = step.recorded.fault.kind
            text += f"; a legal answer to turn {step.turn}, where the record has a fault ({kind})"
    return f"{text}; all answers are legal", True
