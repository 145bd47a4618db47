"""The protocol by example, and what each preset changes: for the README and the dashboard. Pure.

Nothing here is written by hand: the messages are those of a game that the referee plays.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import msgspec

from arena.referee import GameSetup, Referee
from protocol.messages import Limits
from protocol.rules import RuleSet, make_rules

_WIDTH = 100
_SHOWN_TURN = 4
"""The turn of the example: late enough that there are plays to show."""


@cache
def example_messages() -> dict[str, dict[str, Any]]:
    """A message of every type, by type, as parsed JSON, in the order in which a bot meets them.

    All are of seat 0 of one game, and `play` answers `turn`; only `error` is of another game, in
    which a bot played a card that it did not hold.
    """
    referee = Referee(_SETUP, [True, True])
    sent: dict[str, dict[str, Any]] = {}
    while referee.to_ask is not None:
        if referee.turn_number == _SHOWN_TURN:
            sent["turn"] = json.loads(referee.turn())
        # The first plays leave cards on the table to look at, the later ones capture.
        options = referee.game.deal.legal()
        card, capture = options[0 if "turn" in sent else -1]
        referee.heard(_line({"type": "play", "card": card, "capture": capture}), 400)
        for message in _taken(referee):
            sent.setdefault(message["type"], message)
    play = {"type": "play", "turn": _SHOWN_TURN, **sent["turn"]["legal"][0], "note": "why not"}
    return {
        "hello": sent["hello"],
        "ready": {"type": "ready", "name": "mybot", "version": "1.0"},
        "turn": sent["turn"],
        "play": play,
        "log": {"type": "log", "text": "two jacks are left"},
        "error": _refusal(),
        "deal_end": sent["deal_end"],
        "game_end": sent["game_end"],
    }


_SETUP = GameSetup(
    game="7a3f09c1d2e4b586",
    rules=make_rules("kseri"),
    seed=bytes(31) + b"\x29",
    salt=bytes(16),
    bot_seeds=[1, 2],
    names=["mybot", "greedy"],
    limits=Limits(),
    reveal=True,
)


def _refusal() -> dict[str, Any]:
    """What a bot is told that plays a card which it does not hold."""
    referee = Referee(_SETUP, [True, True])
    deal = referee.game.deal
    seat = deal.seat
    other = next(card for card in deal.hands[1 - seat] if card not in deal.hands[seat])
    referee.heard(_line({"type": "play", "card": other}), 400)
    return next(message for message in _taken(referee, seat) if message["type"] == "error")


def _line(message: dict[str, Any]) -> bytes:
    return json.dumps(message).encode()


def _taken(referee: Referee, seat: int = 0) -> list[dict[str, Any]]:
    return [json.loads(line) for to, line in referee.take_outbox() if to == seat]


def broken(message: dict[str, Any]) -> str:
    """JSON with line breaks where lines would grow beyond 100 characters."""
    lines, line = [], "{"
    for key, value in message.items():
        item = f"{json.dumps(key)}: {json.dumps(value)}, "
        if len(line) + len(item) > _WIDTH:
            lines.append(line.rstrip())
            line = " "
        line += item
    lines.append(line.removesuffix(", ") + "}")
    return "\n".join(lines)


def preset_changes(name: str) -> list[tuple[str, str]]:
    """What a preset changes of `kseri`, but for `seats` and `sides`: fields, and values in words.

    What cards and bonuses are worth comes last, by their own names without `points` before them.
    """
    base, rules = make_rules("kseri"), make_rules(name)
    fields = [field for field in RuleSet.__struct_fields__ if field not in _NOT_CHANGES]
    return [*_changed(base, rules, fields), *_changed(base.points, rules.points)]


_NOT_CHANGES = ("preset", "points", "seats", "sides")


def _changed(
    base: msgspec.Struct, other: msgspec.Struct, fields: Sequence[str] = ()
) -> Iterator[tuple[str, str]]:
    for field in fields or base.__struct_fields__:
        value = getattr(other, field)
        if value != getattr(base, field):
            yield field, _in_words(value)


def _in_words(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
