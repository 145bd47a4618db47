"""What a page tells from one seat's messages, held against the engine that has all the cards."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from arena.game import Deal
from arena.seen import after, taken_by, unheard
from protocol.messages import Play, SeenPlay, Turn
from protocol.rules import PRESETS, make_rules
from tests.referee.table import Table, setup_of

SEEDS = 1


def plays(preset: str) -> Iterator[tuple[Turn, Play, Deal]]:
    """Every turn of some games at random, its answer, and the deal right after that."""
    for seed in range(SEEDS):
        chance = random.Random(seed)
        table = Table(setup_of(make_rules(preset), seed=bytes([seed + 1]) * 32))
        while table.referee.to_ask is not None:
            deal = table.referee.game.deal
            number = chance.randrange(60)
            turn = table.play(number)
            legal = turn.legal[number % len(turn.legal)]
            yield turn, Play(card=legal.card, capture=legal.capture), deal


@pytest.mark.parametrize("preset", PRESETS)
def test_the_table_after_an_own_play_is_that_of_the_engine(preset: str) -> None:
    rules = make_rules(preset)
    for turn, play, deal in plays(preset):
        seen = after(turn, play, rules)
        assert seen.plays[-1] == SeenPlay(turn.seat, play.card, len(deal.taken[-1]))
        if deal.over:
            continue
        assert seen.pile == deal.pile
        assert seen.hidden_centre == len(deal.hidden_centre)
        side = rules.side_of[turn.seat]
        assert seen.captured[side] == len(deal.captured[side])
        if len(deal.stock) == turn.stock:
            assert seen.hand == deal.hands[turn.seat]
            assert seen.hands == list(map(len, deal.hands))


@pytest.mark.parametrize("preset", PRESETS)
def test_what_was_captured_is_told_but_for_cards_that_lay_face_down(preset: str) -> None:
    for turn, _, deal in plays(preset):
        told = taken_by(turn.deal, turn.plays)
        for seen, cards in zip(told, deal.taken[: len(told)], strict=True):
            hidden = seen.count(None)
            assert seen == [*[None] * hidden, *cards[hidden:]]
            assert hidden in (0, len(deal.taken_centre))


def test_unheard_are_the_plays_after_the_own_last_one() -> None:
    made = [SeenPlay(0, "7H", 0), SeenPlay(1, "8H", 0), SeenPlay(0, "9H", 0)]
    assert unheard(made, 0) == []
    assert unheard(made, 1) == made[2:]
    assert unheard(made, 2) == made
