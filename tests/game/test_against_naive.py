"""The engine against a second reading of the rules page that shares no code with it."""

import random

import msgspec
import pytest

from arena.game import make_deal, ownerless, side_scores
from protocol.rules import PRESETS, make_rules
from tests.game.naive import make_table

DEALS = 120

VARIATIONS = {
    "kseri, every bonus": (
        "kseri",
        {
            "jack_on_jack": 7,
            "two_of_clubs_match": 5,
            "last_capture_bonus": 4,
            "double_kseri": "keeps",
        },
    ),
    "kseri, none at the ends": ("kseri", {"first_play_kseri": False, "last_play_kseri": False}),
    "kseri, jacks kept": ("kseri", {"opening_jack": "keep", "jack_on_jack": 10}),
    "kids, jacks worth a bonus to nobody": ("kseri-kids", {"jack_on_jack": 10}),
    "pisti, optional and double": ("pisti", {"capture": "optional", "double_kseri": "takes"}),
    "pisti, hidden centre kept": ("pisti-2", {"opening_jack": "keep", "sweep_kseri": True}),
    "faro, hidden centre": ("faro-6", {"opening_jack": "cover", "centre": "hidden", "sides": 3}),
    "kseri, each for themselves": ("kseri-partners", {"sides": 4, "capture": "mandatory"}),
    "kseri, kseris worth nothing": ("kseri", {"points": {"kseri": 0, "double_kseri": 5}}),
}
GAMES = {preset: (preset, {}) for preset in PRESETS} | VARIATIONS


def engine_outcome(deal):
    """What the engine has of a deal, in the words of the deal scripts."""
    return {
        "plays": [
            {
                "seat": deal.seat_of(number),
                "card": card,
                "captured": list(deal.taken[number]),
                "bonus": deal.bonuses.get(number, {}),
            }
            for number, card in enumerate(deal.plays)
        ],
        "sides": [msgspec.structs.asdict(side) for side in side_scores(deal)],
        "ownerless": ownerless(deal),
        "complete": deal.over,
    }


def assert_same_table(deal, table):
    assert (deal.seat, deal.hands, deal.stock) == (table.seat, table.hands, table.stock)
    assert (deal.pile, deal.hidden_centre) == (table.pile, table.hidden)
    marker = table.marker()
    assert deal.marker == (marker[0] if marker else None)
    said = [
        (card, table.can_capture(card) if capture is None else capture)
        for card, capture in deal.legal()
    ]
    assert said == table.answers()


@pytest.mark.parametrize("name", GAMES)
def test_random_deals_come_to_the_same(name):
    preset, overrides = GAMES[name]
    rules = make_rules(preset, overrides)
    rng = random.Random(name)
    for number in range(1, DEALS + 1):
        seed, dealer = rng.randbytes(32), number % rules.seats
        deal = make_deal(rules, seed, number, dealer)
        table, attempt = make_table(rules, seed, number, dealer)
        assert deal.attempt == attempt
        incomplete_at = rng.randrange(table.total_plays)
        while not deal.over:
            assert_same_table(deal, table)
            if len(deal.plays) == incomplete_at:
                assert engine_outcome(deal) == table.outcome()
            card, capture = rng.choice(deal.legal())
            deal.play(card, capture)
            table.play(card, capture)
        assert engine_outcome(deal) == table.outcome()
