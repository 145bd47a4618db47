"""The line of a turn, put together by hand, is what the struct `Turn` encodes to."""

from __future__ import annotations

import random

import msgspec
import pytest

from arena.referee import GameSetup, Referee
from protocol.codec import encode_line
from protocol.messages import Limits, Turn
from protocol.rules import PRESETS, make_rules


@pytest.mark.parametrize("preset", PRESETS)
def test_every_turn_is_the_struct_in_its_order_and_types(preset: str) -> None:
    rules = make_rules(preset)
    setup = GameSetup(
        game="0011223344556677",
        rules=rules,
        seed=preset.encode().ljust(32, b"."),
        salt=bytes(16),
        bot_seeds=[0] * rules.seats,
        names=None,
        limits=Limits(bank_ms=12_345, move_ms=777),
        reveal=True,
    )
    chance = random.Random(preset)
    referee = Referee(setup, [True] * rules.seats)
    seen: set[str] = set()
    while referee.to_ask is not None:
        line = referee.turn()
        turn = msgspec.json.decode(line, type=Turn)
        assert encode_line(turn) == line
        assert turn.turn == referee.turn_number
        assert turn.clock.move_ms == 777
        seen |= {name for name in ("marker", "taken_centre") if getattr(turn, name)}
        answer = msgspec.structs.asdict(chance.choice(turn.legal))
        play = msgspec.json.encode({"type": "play", **answer, "turn": turn.turn})
        assert referee.heard(play, chance.randrange(900_000))
    assert "taken_centre" in seen or rules.centre != "hidden"
