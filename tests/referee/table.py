"""A referee driven by hand: the tests say what every seat does, and read every line it is sent."""

from __future__ import annotations

from typing import Any

import msgspec

from arena.referee import GameSetup, Referee
from protocol.messages import Limits, Turn
from protocol.rules import RuleSet, make_rules

SEED, SALT = bytes(range(32)), bytes(range(16))
GAME = "0123456789abcdef"
LIMITS = Limits(boot_ms=1_000, move_ms=100, bank_ms=500)


def rules_of(preset: str = "kseri-plain", **overrides: Any) -> RuleSet:
    """A rule set, shorter to write."""
    return make_rules(preset, overrides)


def setup_of(
    rules: RuleSet | None = None,
    *,
    seed: bytes = SEED,
    reveal: bool = True,
    names: list[str] | None = None,
    **limits: Any,
) -> GameSetup:
    """What a game begins with; `limits` are changes of `LIMITS`."""
    rules = rules or rules_of()
    return GameSetup(
        game=GAME,
        rules=rules,
        seed=seed,
        salt=SALT,
        bot_seeds=list(range(100, 100 + rules.seats)),
        names=names,
        limits=msgspec.structs.replace(LIMITS, **limits),
        reveal=reveal,
    )


class Table:
    """One game and all that was sent in it."""

    def __init__(self, setup: GameSetup, booted: bool = True) -> None:
        self.setup = setup
        self.referee = Referee(setup, [booted] * setup.rules.seats)
        self.sent: list[list[bytes]] = [[] for _ in range(setup.rules.seats)]
        """Every line by seat, in order."""
        self.deliver()

    def deliver(self) -> None:
        """Send what asks for no answer."""
        for seat, line in self.referee.take_outbox():
            self.sent[seat].append(line)

    @property
    def seat(self) -> int:
        """The seat in turn."""
        seat = self.referee.to_ask
        assert seat is not None
        return seat

    def messages(self, seat: int, kind: str | None = None) -> list[dict[str, Any]]:
        """What the seat was sent, of one type or of all."""
        read = [msgspec.json.decode(line) for line in self.sent[seat]]
        return [message for message in read if kind in (None, message["type"])]

    def ask(self) -> Turn:
        """Send the turn that is due."""
        line = self.referee.turn()
        self.sent[self.seat].append(line)
        return msgspec.json.decode(line, type=Turn)

    def hear(self, message: dict[str, Any] | bytes, at_us: int = 0) -> bool:
        """The seat in turn says something; whether that closed the turn."""
        line = message if isinstance(message, bytes) else msgspec.json.encode(message)
        closed = self.referee.heard(line, at_us)
        self.deliver()
        return closed

    def early(self, message: dict[str, Any] | bytes) -> None:
        """The seat in turn has said something before its turn was written."""
        line = message if isinstance(message, bytes) else msgspec.json.encode(message)
        self.referee.early(self.seat, line)
        self.deliver()

    def play(self, option: int = 0, at_us: int = 0, **more: Any) -> Turn:
        """Ask, and answer with the legal answer number `option`; returns the question."""
        turn = self.ask()
        legal = msgspec.to_builtins(turn.legal[option % len(turn.legal)])
        assert self.hear({"type": "play", "turn": turn.turn, **legal, **more}, at_us)
        return turn

    def time_out(self) -> None:
        """Ask, and hear nothing."""
        self.ask()
        self.referee.timed_out()
        self.deliver()

    def play_until(self, seat: int) -> None:
        """Play until it is this seat's turn."""
        while self.seat != seat:
            self.play()

    def play_out(self) -> None:
        """Play to the end, always the first legal answer."""
        while self.referee.to_ask is not None:
            self.play()
