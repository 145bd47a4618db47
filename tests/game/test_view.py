"""What one seat may know: R30, R31."""

import random

import pytest
from hypothesis import assume, given

from arena.game import hidden_centre_cards, make_deal, view
from tests.game.rearranged import rearranged
from tests.game.strategies import bounded, play_on, running_deals
from tests.game.table import dealt, played, put_down, rules_of

PISTI = rules_of("pisti")
CENTRE = "2S 3S 4S 9D"


def known(deal):
    """Everything that the seat in turn may know of a deal."""
    taken = [list(cards) for cards in deal.taken]
    if deal.centre_taker not in (None, deal.seat % deal.rules.sides):
        first = next(cards for cards in taken if cards)
        del first[: len(deal.taken_centre)]
    return {
        "view": view(deal),
        "plays": deal.plays,
        "taken": taken,
        "bonuses": deal.bonuses,
        "centre": deal.centre,
        "buried": deal.buried,
        "bottom": deal.bottom,
        "turn": (deal.number, deal.attempt, deal.dealer, deal.leader, deal.seat, deal.over),
        "last": (deal.last_capture, deal.marker, deal.marker_side, deal.centre_taker),
    }


@bounded
@given(running_deals())
def test_seat_cannot_tell_its_deal_from_another_it_may_believe_in(running):
    """R31."""
    _, seed, deal = running
    rng = random.Random(seed)
    tries = (rearranged(deal, seed, rng) for _ in range(200))
    other = next((other for other in tries if other is not None), None)
    assume(other is not None)
    assert known(other) == known(deal)


@pytest.mark.parametrize("preset", ["kseri", "pisti", "faro-6", "kseri-3", "pisti-2"])
def test_other_arrangements_differ_in_all_that_is_hidden(preset):
    """Else the test before would show nothing."""
    rules = rules_of(preset)
    rng = random.Random(preset)
    differs = set()
    for _ in range(150):
        seed = rng.randbytes(32)
        deal = play_on(make_deal(rules, seed, 1, 0), rng, rng.randrange(30))
        other = rearranged(deal, seed, rng)
        if other is None:
            continue
        differs |= {"hands"} if other.hands != deal.hands else set()
        differs |= {"stock"} if other.stock != deal.stock else set()
        if hidden_centre_cards(other) != hidden_centre_cards(deal):
            differs.add("centre taken" if deal.taken_centre else "centre face down")
        jacks = set(deal.buried) & set(deal.stock) & set(other.stock)
        if any(other.stock.index(jack) != deal.stock.index(jack) for jack in jacks):
            differs.add("burying place")
    expected = {"hands", "stock"}
    if preset.startswith("pisti"):
        expected |= {"centre taken", "centre face down"}
    else:
        expected |= {"burying place"}
    assert differs == expected


def test_hidden_centre_is_a_number_until_it_is_taken():
    deal = dealt(PISTI, CENTRE, "5C 6C 7C 8C 9H")
    assert view(deal).hidden_centre == 3
    assert view(deal).taken_centre is None
    assert view(deal).pile == ["9D"]


def test_hidden_centre_is_shown_to_the_side_that_took_it_alone():
    """R11: both partners see it, nobody else does."""
    deal = played(PISTI, CENTRE, "9H 5C 6C 7C")
    shown = {}
    for card in ["TC", "QC", "KC", "AC"]:
        shown[deal.seat] = view(deal).taken_centre
        assert view(deal).hidden_centre == 0
        put_down(deal, deal.hands[deal.seat][0] if card not in deal.hands[deal.seat] else card)
    assert shown == {1: ["2S", "3S", "4S"], 2: None, 3: ["2S", "3S", "4S"], 0: None}


def test_hidden_centre_is_public_at_the_end():
    deal = played(PISTI, CENTRE, "9H 5C 6C 7C")
    play_on(deal, random.Random(1))
    assert list(hidden_centre_cards(deal)) == ["2S", "3S", "4S"]


def test_hidden_centre_that_nobody_took_is_public_at_the_end_too():
    deal = dealt(rules_of("pisti", capture="optional"), CENTRE)
    while not deal.over:
        card = deal.hands[deal.seat][0]
        deal.play(card, False)
    assert list(hidden_centre_cards(deal)) == ["2S", "3S", "4S"]


def test_partners_hand_is_a_number():
    deal = dealt(rules_of("kseri-partners"))
    assert view(deal).hand == deal.hands[1]
    assert view(deal).hands == [4, 4, 4, 4]


def test_bonuses_are_public_and_card_points_are_not():
    deal = played(rules_of("kseri"), "AC 5D 6D 9S", "JC AS AD 3C")
    assert sorted(deal.captured[1]) == ["5D", "6D", "9S", "AC", "AD", "AS", "JC"]
    assert view(deal).bonus == [0, 10]


def test_marker_is_public_while_it_stands():
    deal = played(rules_of("kseri"), "3C 5D 6D 9S", "9C 7D 7H")
    assert view(deal).marker == "7D"
    put_down(deal, deal.hands[0][0])
    assert view(deal).marker is None
