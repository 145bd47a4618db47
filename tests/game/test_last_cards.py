"""Every way in which the last cards of a deal can be played, against the second reading."""

import random
from collections import Counter

import pytest

from arena.game import make_deal
from protocol.rules import make_rules
from tests.game.naive import make_table, ordered_deck
from tests.game.strategies import play_on
from tests.game.test_against_naive import engine_outcome

# Name: preset, overrides, deals, plays that are walked in all ways.
WALKS = {
    "kseri": ("kseri", {}, 8, 6),
    "kseri, the whole last hands": ("kseri", {}, 1, 8),
    "kseri-plain": ("kseri-plain", {}, 8, 6),
    "kseri, first keeps": ("kseri", {"double_kseri": "keeps", "last_capture_bonus": 5}, 8, 6),
    "kseri, no last": ("kseri", {"last_play_kseri": False, "two_of_clubs_match": 2}, 8, 6),
    "kseri-kids": ("kseri-kids", {}, 8, 6),
    "pisti-2": ("pisti-2", {}, 8, 6),
    "pisti-2, optional": ("pisti-2", {"capture": "optional", "sweep_kseri": True}, 8, 6),
    "kseri-3": ("kseri-3", {}, 6, 6),
    "pisti": ("pisti", {}, 10, 8),
    "kseri-partners": ("kseri-partners", {}, 8, 8),
    "faro-5": ("faro-5", {}, 2, 9),
}


class Walk:
    """All continuations of one deal from some play on."""

    def __init__(self, rules, seed, from_the_end):
        self.rules, self.seed = rules, seed
        deal = make_deal(rules, seed, 1, 0)
        left = sum(map(len, deal.hands)) + len(deal.stock) - from_the_end
        play_on(deal, random.Random(seed), left)
        self.so_far = [
            (card, bool(taken)) for card, taken in zip(deal.plays, deal.taken, strict=True)
        ]

    def ends(self, tail=()):
        """Every end of the deal, with the plays that led there."""
        deal = make_deal(self.rules, self.seed, 1, 0)
        for play in [*self.so_far, *tail]:
            deal.play(*play)
        if deal.over:
            yield deal, tail
        for option in deal.legal():
            yield from self.ends((*tail, option))

    def naive(self, tail):
        table, _ = make_table(self.rules, self.seed, 1, 0)
        for play in [*self.so_far, *tail]:
            table.play(*play)
        return table.outcome()


@pytest.mark.parametrize("name", WALKS)
def test_every_end_of_a_deal_is_scored_alike(name):
    preset, overrides, deals, from_the_end = WALKS[name]
    rules = make_rules(preset, overrides)
    rng = random.Random(name)
    whole_deck = Counter(ordered_deck(rules))
    for _ in range(deals):
        walk = Walk(rules, rng.randbytes(32), from_the_end)
        for deal, tail in walk.ends():
            outcome = engine_outcome(deal)
            assert outcome == walk.naive(tail)
            captured = sum(map(Counter, deal.captured), Counter())
            assert captured + Counter(outcome["ownerless"]) == whole_deck
