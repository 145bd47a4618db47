"""The frozen baseline: what it plays, and that it stays what it was."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from arena.game import DECK, Deal, make_deal
from arena.luck.baseline import BASELINE, play_out, replayed
from protocol.rules import PRESETS, make_rules

FROZEN = "17a1dc733afe57cd"
"""Of the points of five deals by every preset, four replays each."""


@pytest.mark.parametrize("preset", PRESETS)
def test_replays_are_deals_of_the_same_cards_played_differently(preset: str) -> None:
    rules = make_rules(preset)
    points = replayed(rules, bytes(32), 1, 0, 8)
    assert points.shape == (8, rules.sides)
    assert len(np.unique(points, axis=0)) > 1


def test_more_replays_begin_like_fewer() -> None:
    rules = make_rules("kseri")
    eight = replayed(rules, b"7" * 32, 3, 1, 8)
    assert eight[:3].tolist() == replayed(rules, b"7" * 32, 3, 1, 3).tolist()
    assert eight.tolist() != replayed(rules, b"8" * 32, 3, 1, 8).tolist()


def test_the_baseline_plays_as_it_did_when_it_was_frozen() -> None:
    """Whoever changes its play raises `BASELINE` and renews this."""
    text = hashlib.sha256()
    for preset in PRESETS:
        for number in range(1, 6):
            points = replayed(make_rules(preset), bytes(32), number, 0, 4)
            text.update(repr(points.tolist()).encode())
    assert (BASELINE, text.hexdigest()[:16]) == (1, FROZEN)


def first_play(hand: list[str], centre: list[str], prefer: list[str], preset: str = "kseri") -> str:
    """What the baseline plays first from this hand, where of equal cards it likes later ones."""
    rest = [card for card in DECK if card not in {*hand, *centre} and card[0] != "J"]
    rest += [card for card in DECK if card not in {*hand, *centre} and card[0] == "J"]
    deck = [*hand[:2], *rest[:2], *hand[2:], *rest[2:4], *centre, *rest[4:]]
    deal = Deal(make_rules(preset), 1, deck, lambda length: length - 1)
    worths = {card: (1 << 32) * (card[0] in "AJ") + place for place, card in enumerate(DECK)}
    worths |= {card: worths[card] + 100 + place for place, card in enumerate(prefer)}
    play_out(deal, worths)
    return deal.plays[0]


@pytest.mark.parametrize(
    ("hand", "centre", "prefer", "expected"),
    [
        (["3C", "4C", "5C", "6C"], ["7D", "8D", "9D", "5D"], ["6C"], "5C"),
        (["3C", "4C", "5C", "JC"], ["7D", "8D", "9D", "5D"], [], "JC"),
        (["3C", "4C", "5C", "JC"], ["7D", "8D", "9D", "QD"], [], "JC"),
        (["3C", "AC", "5C", "6C"], ["7D", "8D", "9D", "QD"], ["3C", "6C"], "5C"),
        (["3C", "AC", "5C", "6C"], ["7D", "8D", "9D", "QD"], ["6C", "5C"], "3C"),
        (["3C", "5S", "5C", "6C"], ["7D", "8D", "9D", "5D"], ["5C"], "5C"),
        (["3C", "5S", "5C", "6C"], ["7D", "8D", "9D", "5D"], ["5S"], "5S"),
    ],
    ids=[
        "captures what it can",
        "with the card that counts more",
        "with a jack for want of a match",
        "lays what counts least",
        "lays the first of its order among equals",
        "captures with the last of its order among equals",
        "captures with the last of another order",
    ],
)
def test_what_it_plays(
    hand: list[str], centre: list[str], prefer: list[str], expected: str
) -> None:
    assert first_play(hand, centre, prefer) == expected


def test_it_makes_a_kseri_rather_than_using_a_jack() -> None:
    rules = make_rules("pisti-2")
    worths = {card: (1 << 32) * (card[0] in "AJ") + place for place, card in enumerate(DECK)}
    made = 0
    for number in range(1, 200):
        deal = make_deal(rules, bytes(32), number, dealer=1)
        (top, *more), ranks = deal.pile, {card[0] for card in deal.hands[0]}
        if not more and top[0] != "J" and {"J", top[0]} <= ranks:
            play_out(deal, worths)
            assert deal.plays[0][0] == top[0]
            made += 1
    assert made
