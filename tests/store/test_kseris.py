"""Kseris counted from plays alone are those that the rules engine sees."""

from __future__ import annotations

import random
from typing import Any

import pytest

from arena.game import Game
from arena.store.kseris import kseris_of
from protocol.records import DealRecord, PlayRecord
from protocol.rules import PRESETS, RuleSet, make_rules

GAMES = 12
OTHERS: list[tuple[str, dict[str, Any]]] = [
    ("kseri", {"first_play_kseri": False, "last_play_kseri": False}),
    ("kseri", {"double_kseri": "keeps", "jack_captures": False, "opening_jack": "keep"}),
    ("kseri", {"centre": "hidden", "opening_jack": "keep"}),
    ("pisti", {"sweep_kseri": True, "last_play_kseri": True}),
]


def by_engine(rules: RuleSet, seed: int) -> tuple[list[DealRecord], list[list[int]]]:
    """A game of careless play: its deals as records, and kseris by side as it noted them."""
    chance = random.Random(seed)
    game = Game(rules, seed.to_bytes(32, "big"))
    records, made = [], []
    while game.reason is None:
        deal, plays = game.deal, []
        while not deal.over:
            seat = deal.seat
            card, capture = chance.choice(deal.legal())
            deal.play(card, capture)
            taken = bool(deal.taken[-1])
            plays.append(PlayRecord(seat=seat, card=card, capture=taken, elapsed_us=1))
        counts = [0] * rules.sides
        for number, kinds in deal.bonuses.items():
            side = deal.seat_of(number) % rules.sides
            counts[side] += ("kseri" in kinds) + ("double_kseri" in kinds)
        if rules.sweep_kseri and len(deal.pile) == 1 and not deal.last_by_jack:
            assert deal.last_capture is not None
            counts[deal.last_capture] += 1
        records.append(
            DealRecord(number=deal.number, attempt=deal.attempt, dealer=deal.dealer, plays=plays)
        )
        made.append(counts)
        game.finish_deal()
    return records, made


@pytest.mark.parametrize(
    ("preset", "overrides"), [*((preset, {}) for preset in PRESETS), *OTHERS], ids=str
)
def test_every_deal_has_the_kseris_that_the_engine_saw(
    preset: str, overrides: dict[str, Any]
) -> None:
    rules = make_rules(preset, overrides)
    total = 0
    for seed in range(GAMES):
        records, made = by_engine(rules, seed)
        assert [kseris_of(deal, rules) for deal in records] == made
        total += sum(map(sum, made))
    assert total > 3


def test_the_sweep_of_a_deal_that_was_left_is_none() -> None:
    rules = make_rules("kseri")
    cut = 0
    for seed in range(GAMES):
        records, made = by_engine(rules, seed)
        for deal, whole in zip(records, made, strict=True):
            left = DealRecord(number=1, attempt=0, dealer=deal.dealer, plays=deal.plays[:-1])
            cut += sum(whole) - sum(kseris_of(left, rules))
    assert cut > 0
