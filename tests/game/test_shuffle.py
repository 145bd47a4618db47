"""Shuffling that anyone can check: R26 to R29."""

import hashlib
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.game import DECK, Stream, commitment, first_dealer, make_deal, shuffled
from protocol.rules import PRESETS, make_rules
from tests.game import naive
from tests.game.strategies import bounded, seeds

SEED = bytes(range(32))
NUMBERS = st.integers(0, 2**32 - 1)


class Scripted(Stream):
    """A stream of given words."""

    def __init__(self, words):
        super().__init__(b"", 0, 0)
        self.words = iter(words)


@bounded
@given(seeds, NUMBERS, NUMBERS)
def test_r26_stream_is_sha256_of_seed_deal_attempt_and_block(seed, deal, attempt):
    stream = b"".join(
        hashlib.sha256(
            seed + deal.to_bytes(4, "big") + attempt.to_bytes(4, "big") + block.to_bytes(4, "big")
        ).digest()
        for block in range(3)
    )
    words = [int.from_bytes(stream[i : i + 4], "big") for i in range(0, len(stream), 4)]
    assert list(islice(Stream(seed, deal, attempt).words, len(words))) == words


@pytest.mark.parametrize("k", [1, 2, 3, 5, 7, 51, 52, 103, 104, 2**31 + 1, 2**32 - 1, 2**32])
def test_r26_uniform_rejects_words_from_the_limit_on(k):
    limit = 2**32 // k * k
    highest = limit - 1
    assert Scripted([highest]).uniform(k) == k - 1
    assert Scripted([0]).uniform(k) == 0
    if limit < 2**32:
        assert Scripted([limit, 2**32 - 1, 5]).uniform(k) == 5 % k


def test_r26_rejection_inside_a_shuffle_is_exact():
    """Every place of R27 rejects at its own limit: a word too high is skipped, none is lost."""
    rules = make_rules("kseri")
    words = []
    for k in range(52, 1, -1):
        limit = 2**32 // k * k
        words += [limit] * (limit < 2**32) + [2**32 - 1] * (limit < 2**32) + [limit - 1]
    stream = Scripted([*words, 77])
    # Every accepted word is k - 1 mod k: each card is exchanged with itself.
    assert shuffled(stream, rules) == list(DECK)
    assert next(stream.words) == 77


@pytest.mark.parametrize("preset", PRESETS)
def test_r27_shuffle_and_cuts_as_the_page_says(preset):
    rules = make_rules(preset)
    for number in range(1, 60):
        seed = number.to_bytes(32, "big")
        stream, words = Stream(seed, number, number % 3), naive.Words(seed, number, number % 3)
        deck = shuffled(stream, rules)
        assert deck == naive.shuffled(words, rules)
        assert Counter(deck) == Counter(DECK * rules.decks)
        # What comes next of the stream, burying places for one, is the same too.
        assert [stream.uniform(k) for k in (39, 38)] == [words.uniform(k) for k in (39, 38)]


def test_r27_every_card_comes_everywhere():
    """Chi-square over places of one card in 4,000 decks: 51 degrees, 1 in a million above 113."""
    rules = make_rules("kseri")
    decks = [shuffled(Stream(SEED, number, 0), rules) for number in range(4000)]
    for card in ("AC", "JS", "KS"):
        places = Counter(deck.index(card) for deck in decks)
        expected = len(decks) / 52
        assert sum((places[i] - expected) ** 2 / expected for i in range(52)) < 113


@bounded
@given(st.integers(2, 100), NUMBERS)
def test_r28_burying_places_are_never_on_top_nor_at_the_bottom(length, word):
    place = 1 + Scripted([word, 0]).uniform(length - 1)
    assert 1 <= place <= length - 1


def test_r28_places_are_drawn_from_the_same_stream_after_the_shuffle():
    rules = make_rules("kseri")
    buried = 0
    for number in range(1, 60):
        deal = make_deal(rules, SEED, number, 0)
        table, attempt = naive.make_table(rules, SEED, number, 0)
        assert (deal.attempt, deal.stock) == (attempt, table.stock)
        buried += len(deal.buried)
    assert buried > 5


def test_r29_check():
    expected = "95e66ce408bcb45134e08d159c51e1f4f3432cba4204228e3473e5648bb4408e"
    assert commitment(bytes(range(16)), SEED) == expected
    assert [first_dealer(SEED, seats) for seats in range(2, 7)] == [0, 1, 2, 1, 4]
    deck = shuffled(Stream(SEED, 1, 0), make_rules("kseri"))
    assert deck[:5] == ["KH", "AS", "5C", "JH", "8S"]


def test_r29_commitments_of_two_games_on_the_same_decks_differ():
    assert commitment(bytes(16), SEED) != commitment(bytes([1] * 16), SEED)
