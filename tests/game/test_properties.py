"""What holds of every deal of every rule set."""

import copy
import random
from collections import Counter

import pytest
from hypothesis import given

from arena.game import DECK, Deal, IllegalPlay, make_deal, ownerless, side_scores, view
from tests.game.naive import Table, ordered_deck
from tests.game.strategies import bounded, play_on, rule_sets, running_deals, seeds


def state(deal):
    """Everything in a deal, to be compared."""
    return {name: copy.deepcopy(getattr(deal, name)) for name in Deal.__slots__}


def all_cards(deal):
    """Every card, wherever it lies."""
    swept = deal.over and deal.last_capture is not None
    open_pile = [] if swept else deal.pile
    piles = [*deal.hands, deal.stock, deal.hidden_centre, open_pile, *deal.captured]
    return sum(map(Counter, piles), Counter())


@bounded
@given(running_deals())
def test_no_card_is_lost_or_doubled(running):
    """R22, at any point of a deal and at its end."""
    rules, _, deal = running
    whole_deck = Counter(ordered_deck(rules))
    assert all_cards(deal) == whole_deck
    play_on(deal, random.Random(0))
    assert all_cards(deal) == whole_deck
    captured = sum(map(Counter, deal.captured), Counter())
    assert captured + Counter(ownerless(deal)) == whole_deck


@bounded
@given(running_deals())
def test_card_points_sum_to_what_the_deck_is_worth(running):
    """R22: all cards' points less the ownerless ones', plus the majority or nothing."""
    rules, _, deal = running
    play_on(deal, random.Random(0))
    points = rules.points
    named = {"TD": points.ten_of_diamonds, "2C": points.two_of_clubs}
    named |= {"A" + suit: points.ace for suit in "CDHS"}
    named |= {"J" + suit: points.jack for suit in "CDHS"}
    sides = side_scores(deal)
    of_cards = sum(s.aces + s.jacks + s.ten_of_diamonds + s.two_of_clubs for s in sides)
    in_deck = rules.decks * sum(named.values())
    assert of_cards == in_deck - sum(named.get(card, 0) for card in ownerless(deal))
    assert sum(side.majority for side in sides) in (0, points.majority)
    for side in sides:
        assert side.total == sum(getattr(side, name) for name in side.__struct_fields__[1:-1])


@bounded
@given(running_deals())
def test_exactly_the_legal_answers_are_accepted(running):
    """R9, R10: what `legal` lists, and each card with nothing said; all else changes nothing."""
    _, _, deal = running
    table = {card: deal.can_capture(card) for card in deal.hands[deal.seat]}
    optional = deal.rules.capture == "optional"
    allowed = {(card, None) for card in table}
    allowed |= {(card, can) for card, can in table.items()}
    allowed |= {(card, False) for card in table if optional}
    assert set(deal.legal()) <= allowed
    before = state(deal)
    for card in [*DECK, "", "XX", "7", "7H "]:
        for capture in (None, True, False):
            if (card, capture) in allowed:
                after = copy.deepcopy(deal)
                after.play(card, capture)
                wanted = table[card] if capture is None else capture
                assert bool(after.taken[-1]) is wanted
            else:
                with pytest.raises(IllegalPlay) as refusal:
                    deal.play(card, capture)
                assert refusal.value.rule == ("R10" if card in table else "R9")
    assert state(deal) == before


@bounded
@given(running_deals())
def test_legal_lists_every_different_play_once_in_the_hands_order(running):
    rules, _, deal = running
    expected = []
    for card in dict.fromkeys(deal.hands[deal.seat]):
        choice = deal.can_capture(card) and rules.capture == "optional"
        expected += [(card, True), (card, False)] if choice else [(card, None)]
    assert deal.legal() == expected


@bounded
@given(running_deals())
def test_asking_changes_nothing(running):
    _, _, deal = running
    before = state(deal)
    deal.legal()
    view(deal)
    side_scores(deal)
    ownerless(deal)
    assert state(deal) == before


@bounded
@given(running_deals())
def test_view_counts_what_lies_where(running):
    """R30."""
    rules, _, deal = running
    seen = view(deal)
    assert seen.hand == deal.hands[deal.seat]
    assert seen.hands == [len(hand) for hand in deal.hands]
    assert (seen.stock, seen.hidden_centre) == (len(deal.stock), len(deal.hidden_centre))
    lying = [*seen.hands, seen.stock, seen.hidden_centre, len(seen.pile), *seen.captured]
    assert sum(lying) == 52 * rules.decks
    scored = side_scores(deal)
    assert seen.bonus == [
        side.kseri + side.double_kseri + side.jack_on_jack + side.two_of_clubs_match
        for side in scored
    ]


@bounded
@given(rule_sets(), seeds)
def test_same_seed_and_plays_give_the_same_deal(rules, seed):
    deal = play_on(make_deal(rules, seed, 3, 1), random.Random(seed))
    again = make_deal(rules, seed, 3, 1)
    for number, card in enumerate(deal.plays):
        again.play(card, bool(deal.taken[number]))
    assert state(again) == state(deal)


@bounded
@given(running_deals())
def test_seats_play_in_turn_from_the_leader(running):
    """R2."""
    rules, _, deal = running
    play_on(deal, random.Random(0))
    table = Table(rules, deal.dealer, ordered_deck(rules), lambda length: 1)
    assert len(deal.plays) == table.total_plays
    assert deal.leader == deal.seat_of(0) == (deal.dealer + 1) % rules.seats
    assert deal.seat_of(len(deal.plays) - 1) == deal.dealer
    assert deal.legal() == []
