"""Bonuses and markers: R12 to R17.

Seat 0 deals where nothing else is said, so that seat 1 and with it side 1 plays first.
"""

import pytest

from arena.game import view
from tests.game.table import (
    dealt,
    kseri_points,
    played,
    played_out,
    put_down,
    refused,
    rules_of,
    scores,
)

KSERI = rules_of("kseri")
PLAIN = rules_of("kseri-plain")
KIDS = rules_of("kseri-kids")
CENTRE = "2S 3S 4S 9D"


# R12, R13


def test_r12_kseri_is_a_pile_of_one_taken_by_rank():
    deal = played(PLAIN, CENTRE, "9S 5C 5D")
    assert deal.bonuses == {2: {"kseri": 10}}
    assert kseri_points(deal) == [0, 10]


def test_r12_pile_of_more_is_no_kseri():
    assert played(PLAIN, CENTRE, "9S 5C 6C 6D").bonuses == {}


def test_r12_open_centre_card_alone_beside_a_hidden_centre_is_a_pile_of_one():
    deal = played(rules_of("pisti", first_play_kseri=True), CENTRE, "9S")
    assert deal.bonuses == {0: {"kseri": 10}}
    assert len(deal.taken[0]) == 5


def test_r12_jack_on_a_single_jack_is_no_kseri():
    assert played(PLAIN, CENTRE, "9S JC JD").bonuses == {}


def test_r12_without_jack_captures_jacks_make_kseris():
    assert played(KIDS, CENTRE, "9S JC JD").bonuses == {2: {"kseri": 10}}


def test_r13_jack_that_takes_a_single_card_earns_nothing():
    deal = played(rules_of("kseri", jack_on_jack=10), CENTRE, "9S 5C JD")
    assert deal.bonuses == {}
    assert deal.captured[1][-2:] == ["5C", "JD"]


# R14


@pytest.mark.parametrize(("preset", "points"), [("kseri-jacks", 10), ("pisti", 20)])
def test_r14_jack_on_a_jack(preset, points):
    deal = played(rules_of(preset), CENTRE, "9S JC JD")
    assert deal.bonuses == {2: {"jack_on_jack": points}}
    side = deal.rules.side_of[deal.seat_of(2)]
    assert scores(deal)[side]["jack_on_jack"] == points


def test_r14_pile_of_several_jacks_alone():
    deal = played(rules_of("kseri-jacks"), CENTRE, "9S JC JD- JH- JS")
    assert deal.bonuses == {4: {"jack_on_jack": 10}}


@pytest.mark.parametrize("plays", ["9S 5C JD- JH", "9S JC 5C JH"])
def test_r14_any_other_card_in_the_pile_spoils_it(plays):
    assert played(rules_of("kseri-jacks"), CENTRE, plays).bonuses == {}


def test_r14_jacks_in_the_centre_count_like_any_others():
    rules = rules_of("kseri-jacks", opening_jack="keep")
    assert played(rules, "JC JD JH 2C", "2D").bonuses == {}
    assert played(rules, "2C JD JH JC", "JS").bonuses == {}
    rules = rules_of("pisti", opening_jack="keep", first_play_kseri=True)
    # The hidden centre is no part of the pile.
    assert played(rules, "2C 3C 4C JC", "JS").bonuses == {0: {"jack_on_jack": 20}}


def test_r14_is_off_with_jack_captures_off():
    rules = rules_of("kseri-kids", jack_on_jack=7)
    assert played(rules, CENTRE, "9S JC JD").bonuses == {2: {"kseri": 10}}
    assert played(rules, CENTRE, "9S JC JD- JH").bonuses == {}


# R15


def test_r15_second_side_takes_the_marker():
    deal = played(KSERI, CENTRE, "9S 5C 5D 5H")
    assert deal.bonuses == {2: {"kseri": 10}, 3: {"double_kseri": 20}}
    assert deal.taken[3] == ["5C", "5H"]
    assert deal.captured[0] == ["5C", "5H"]
    assert deal.captured[1][-1] == "5D"
    assert "5C" not in deal.captured[1]
    assert deal.pile == []
    assert deal.last_capture == 0


@pytest.mark.parametrize(("way", "points"), [("takes", [0, 0]), ("keeps", [0, 10])])
def test_r15_first_side_loses_its_kseri_or_keeps_it(way, points):
    deal = played(rules_of("kseri", double_kseri=way), CENTRE, "9S 5C 5D 5H")
    assert kseri_points(deal) == points
    assert scores(deal)[0]["double_kseri"] == 20
    assert view(deal).bonus == [20, points[1]]


def test_r15_none_leaves_no_marker():
    deal = played(rules_of("kseri", double_kseri="none"), CENTRE, "9S 5C 5D 5H")
    assert deal.marker is None
    assert deal.pile == ["5H"]


def test_r15_marker_may_be_declined_where_capture_is_optional():
    deal = dealt(KSERI, CENTRE, "9S 5C 5D 5H 5S")
    put_down(deal, "9S 5C 5D")
    assert {("5H", True), ("5H", False)} < set(deal.legal())
    put_down(deal, "5H-")
    assert (deal.pile, deal.marker) == (["5H"], None)
    assert kseri_points(deal) == [0, 10]
    # The laid card is an ordinary pile of one.
    put_down(deal, "5S")
    assert kseri_points(deal) == [0, 20]


def test_r15_marker_is_taken_by_itself_where_capture_is_mandatory():
    rules = rules_of("kseri", capture="mandatory")
    deal = dealt(rules, CENTRE, "9S 5C 5D 5H")
    put_down(deal, "9S 5C 5D")
    assert refused(deal, "5H", False) == "R10"
    deal.play("5H")
    assert deal.bonuses[3] == {"double_kseri": 20}


def test_r15_marker_is_gone_after_one_play_of_another_rank():
    deal = dealt(KSERI, CENTRE, "9S 5C 5D 7C 5H")
    put_down(deal, "9S 5C 5D 7C")
    assert deal.marker is None
    assert not deal.can_capture("5H")
    assert refused(deal, "5H", True) == "R10"


def test_r15_jack_does_not_take_a_marker():
    deal = dealt(KSERI, CENTRE, "9S 5C 5D JC")
    put_down(deal, "9S 5C 5D")
    assert refused(deal, "JC", True) == "R10"
    deal.play("JC")
    assert deal.pile == ["JC"]


def test_r15_jacks_are_markers_with_jack_captures_off():
    deal = played(KIDS, CENTRE, "9S JC JD JH")
    assert deal.bonuses == {2: {"kseri": 10}, 3: {"double_kseri": 20}}


def test_r15_double_kseri_leaves_no_marker():
    deal = played(KSERI, CENTRE, "9S 5C 5D 5H 5S")
    assert (deal.pile, deal.marker) == (["5S"], None)


def test_r15_jack_on_jack_leaves_no_marker():
    deal = played(rules_of("kseri-jacks"), CENTRE, "9S JC JD")
    assert deal.marker is None


def test_r15_marker_stands_across_a_new_hand():
    deal = dealt(KSERI, CENTRE, "6C 6D 7C 7D 8C 8D 5C 5D 5H")
    put_down(deal, "6C 6D 7C 7D- 8C 8D 5C 5D")
    assert (deal.seat, deal.marker) == (1, "5C")
    assert len(deal.hands[1]) == 4
    deal.play("5H")
    assert deal.taken[8] == ["5C", "5H"]


def test_r15_marker_does_not_stand_beyond_the_deal():
    deal = played_out(rules_of("kseri", sweep_kseri=False), CENTRE, "", "JC KC KD")
    assert deal.over
    assert deal.marker is None
    assert kseri_points(deal) == [10, 0]


def test_r15_takes_among_three_sides_costs_the_one_that_made_the_kseri():
    deal = dealt(rules_of("kseri-3"), CENTRE, "9S 5C 5D 5H")
    put_down(deal, "9S 5C 5D")
    assert kseri_points(deal) == [10, 0, 0]
    put_down(deal, "5H")
    assert kseri_points(deal) == [0, 0, 0]
    assert [side.get("double_kseri", 0) for side in scores(deal)] == [0, 20, 0]


def test_r15_among_partners_the_opponents_may_take_it():
    """The next play is always one of another side, so no partner ever could."""
    deal = played(rules_of("kseri-partners"), CENTRE, "9S 5C 5D 5H")
    assert kseri_points(deal) == [0, 0]
    assert scores(deal)[0]["double_kseri"] == 20


def test_r15_two_decks_marker_and_its_twin():
    """The first side had a 5C already and keeps it: one of the two goes."""
    rules = rules_of("faro-4")
    deal = dealt(rules, "2S 3S 4S 9D 2H 3H 4H 5C", "5S 5C 5D 5H")
    put_down(deal, "5S 5C 5D 5H")
    # Seat 1 took the centre with a 5C in it; seat 3 made the kseri, seat 0 the double.
    assert [hand.count("5C") for hand in deal.captured] == [1, 1, 0, 0]
    assert deal.captured[3] == ["5D"]


def test_r15_two_decks_first_sides_own_twin_stays():
    rules = rules_of("faro-4", sides=2)
    deal = played(rules, "2S 3S 4S 9D 2H 3H 4H 5C", "5S 5C 5D 5H")
    assert deal.captured[1].count("5C") == 1
    assert deal.captured[0] == ["5C", "5H"]
    assert len(deal.captured[1]) == 10


def test_r15_two_decks_identical_cards_take_each_other():
    deal = played(rules_of("faro-5"), "2S 3S 4S 9D", "9D 5C 5C 5D")
    assert deal.bonuses == {2: {"kseri": 10}, 3: {"double_kseri": 20}}
    assert deal.captured[3] == ["5C"]


def test_r15_kseri_worth_nothing_still_leaves_a_marker():
    rules = rules_of("kseri", points={"kseri": 0})
    deal = played(rules, CENTRE, "9S 5C 5D 5H")
    assert deal.bonuses == {3: {"double_kseri": 20}}


# R16

NO_FIRST = {"first_play_kseri": False, "capture": "optional"}
NO_LAST = {"last_play_kseri": False, "capture": "optional", "sweep_kseri": False}


def test_r16_first_play_captures_without_bonus_and_leaves_no_marker():
    rules = rules_of("pisti", double_kseri="takes", **NO_FIRST)
    deal = dealt(rules, CENTRE, "9S 9C")
    deal.play("9S")
    assert (deal.taken[0][-1], deal.bonuses, deal.marker) == ("9S", {}, None)
    assert refused(deal, "9C", True) == "R10"


def test_r16_first_play_jack_on_jack():
    rules = rules_of("pisti", opening_jack="keep", **NO_FIRST)
    assert played(rules, "2C 3C 4C JC", "JD").bonuses == {}


def test_r16_plays_after_the_first_earn():
    assert played(rules_of("pisti", **NO_FIRST), CENTRE, "9S 5C 5D").bonuses == {2: {"kseri": 10}}
    kept = rules_of("pisti", opening_jack="keep", **NO_FIRST)
    deal = played(kept, "2C 3C 4C JC", "JD- JH")
    assert deal.bonuses == {1: {"jack_on_jack": 20}}


@pytest.mark.parametrize("on", [True, False])
def test_r16_last_play_kseri(on):
    rules = rules_of("kseri", **NO_LAST | {"last_play_kseri": on})
    deal = played_out(rules, CENTRE, "", "JC KC KD")
    assert deal.bonuses == ({47: {"kseri": 10}} if on else {})
    assert kseri_points(deal) == ([10, 0] if on else [0, 0])
    assert deal.taken[47] == ["KC", "KD"]


@pytest.mark.parametrize("on", [True, False])
def test_r16_last_play_jack_on_jack(on):
    rules = rules_of("kseri", **NO_LAST | {"last_play_kseri": on, "jack_on_jack": 10})
    deal = played_out(rules, CENTRE, "", "JC JD JH")
    assert deal.bonuses == ({47: {"jack_on_jack": 10}} if on else {})


def dealt_to_the_last(rules, last):
    """The deal before its last play, whose last plays are these cards."""
    deal = played_out(rules, CENTRE, "", " ".join(last))
    again = dealt(rules, CENTRE, " ".join(deal.plays))
    for number, card in enumerate(deal.plays[:-1]):
        again.play(card, bool(deal.taken[number]))
    return again


@pytest.mark.parametrize("on", [True, False])
def test_r16_last_play_may_not_take_a_marker(on):
    rules = rules_of("kseri", **NO_LAST | {"last_play_kseri": on})
    deal = dealt_to_the_last(rules, ["JC", "KC", "KD", "KH"])
    assert deal.marker == "KC"
    if on:
        assert ("KH", True) in deal.legal()
        deal.play("KH")
        assert deal.taken[47] == ["KC", "KH"]
    else:
        assert deal.legal() == [("KH", None)]
        assert refused(deal, "KH", True) == "R10"
        deal.play("KH")
        assert deal.taken[47] == ()
        assert deal.captured[1][-1] == "KH"  # swept by the side that made the kseri


def test_r16_last_but_one_play_earns():
    deal = played_out(rules_of("kseri", **NO_LAST), CENTRE, "", "JC KC KD 3C-")
    assert deal.bonuses == {46: {"kseri": 10}}


def test_r16_does_not_touch_the_two_of_clubs_match():
    rules = rules_of("kseri", **NO_LAST, two_of_clubs_match=2)
    assert played_out(rules, CENTRE, "", "JC 2C 2D").bonuses == {47: {"two_of_clubs_match": 2}}
    rules = rules_of("pisti", **NO_FIRST, two_of_clubs_match=2)
    assert played(rules, "3C 4C 5C 2C", "2D").bonuses == {0: {"two_of_clubs_match": 2}}


# R17

MATCH = rules_of("pishti", double_kseri="takes")


def test_r17_two_takes_a_pile_with_the_two_of_clubs_on_top():
    deal = played(MATCH, CENTRE, "2C 2D")
    assert deal.bonuses == {1: {"two_of_clubs_match": 2}}
    assert scores(deal)[0]["two_of_clubs_match"] == 2


def test_r17_adds_to_a_kseri():
    deal = played(MATCH, CENTRE, "9S 2C 2D")
    assert deal.bonuses == {2: {"kseri": 10, "two_of_clubs_match": 2}}


@pytest.mark.parametrize("plays", ["2C JD", "2D 2C", "2C- 2D- 2H", "2C 5C JC"])
def test_r17_only_a_two_and_only_from_the_top(plays):
    assert played(MATCH, CENTRE, plays).bonuses == {}


def test_r17_marker_is_no_pile():
    deal = played(MATCH, CENTRE, "9S 2C 2D 2H")
    assert deal.bonuses[3] == {"double_kseri": 20}


def test_r17_two_decks_two_of_clubs_takes_its_twin():
    rules = rules_of("faro-5", two_of_clubs_match=3)
    assert played(rules, CENTRE, "2C 2C").bonuses == {1: {"two_of_clubs_match": 3}}


def test_r17_is_off_by_default():
    assert played(KSERI, CENTRE, "2C 2D").bonuses == {}
