"""The line of a turn, put together by hand, is what the struct `Turn` encodes to."""

from __future__ import annotations

import random

import msgspec
import pytest

from arena.game import view
from arena.referee import GameSetup, Referee
from protocol.codec import encode_line
from protocol.messages import ClockState, DealInfo, Legal, Limits, SeenPlay, Turn
from protocol.rules import PRESETS, make_rules

LIMITS = Limits(bank_ms=12_345, move_ms=777)


def turn_of(referee: Referee) -> Turn:
    """The turn that is due, from what the engine says that its seat may know."""
    deal = referee.game.deal
    seen, clock = view(deal), referee.seats[deal.seat].clock
    return Turn(
        game=referee.setup.game,
        turn=referee.turn_number,
        seat=deal.seat,
        deal=DealInfo(
            number=deal.number,
            dealer=deal.dealer,
            centre=list(deal.centre),
            buried=deal.buried,
            bottom=deal.bottom,
        ),
        hand=seen.hand,
        legal=[Legal(*option) for option in seen.legal],
        pile=seen.pile,
        hidden_centre=seen.hidden_centre,
        taken_centre=seen.taken_centre,
        marker=seen.marker,
        stock=seen.stock,
        hands=seen.hands,
        captured=seen.captured,
        bonus=seen.bonus,
        scores=referee.game.scores,
        plays=[
            SeenPlay(deal.seat_of(number), card, len(deal.taken[number]))
            for number, card in enumerate(deal.plays)
        ],
        clock=ClockState(
            move_ms=777, bank_ms=clock.bank_us // 1000, used_ms=-(-clock.used_us // 1000)
        ),
    )


@pytest.mark.parametrize("preset", PRESETS)
def test_every_turn_tells_what_the_seat_may_know_as_the_struct_does(preset: str) -> None:
    rules = make_rules(preset)
    seen = set().union(*(play_game(preset, seed) for seed in range(5)))
    assert "taken_centre" in seen or rules.centre != "hidden"
    assert "marker" in seen or rules.double_kseri == "none"


def play_game(preset: str, seed: int) -> set[str]:
    """Compare every turn of a game; which of the rare keys stood in one."""
    rules = make_rules(preset)
    setup = GameSetup(
        game="0011223344556677",
        rules=rules,
        seed=bytes([seed]) * 32,
        salt=bytes(16),
        bot_seeds=[0] * rules.seats,
        names=None,
        limits=LIMITS,
        reveal=True,
    )
    chance = random.Random(seed)
    referee = Referee(setup, [True] * rules.seats)
    seen: set[str] = set()
    while referee.to_ask is not None:
        turn = turn_of(referee)
        assert referee.turn() == encode_line(turn)
        seen |= {name for name in ("marker", "taken_centre") if getattr(turn, name)}
        answer = msgspec.structs.asdict(chance.choice(turn.legal))
        play = msgspec.json.encode({"type": "play", **answer, "turn": turn.turn})
        assert referee.heard(play, chance.randrange(900_000))
    return seen
