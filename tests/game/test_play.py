"""One play after the other: R9 to R11.

Seat 0 deals where nothing else is said, so that seat 1 and with it side 1 plays first.
"""

import pytest

from tests.game.table import dealt, played, played_out, put_down, refused, rules_of

KSERI = rules_of("kseri")
PLAIN = rules_of("kseri-plain")
KIDS = rules_of("kseri-kids")
CENTRE = "2S 3S 4S 9D"


# R9


@pytest.mark.parametrize(
    ("rules", "card", "can"),
    [
        (KSERI, "9S", True),
        (KSERI, "4D", False),
        (KSERI, "JC", True),
        (KIDS, "JC", False),
        (KIDS, "9H", True),
    ],
)
def test_r9_rank_of_the_top_card_or_a_jack_captures(rules, card, can):
    deal = dealt(rules, CENTRE, card)
    assert deal.can_capture(card) is can
    deal.play(card)
    assert bool(deal.taken[0]) is can


@pytest.mark.parametrize("card", ["5C", "JC"])
def test_r9_on_an_empty_table_every_card_is_laid(card):
    deal = played(KSERI, CENTRE, f"9S {card}")
    assert deal.pile == [card]
    assert deal.taken[1] == ()


def test_r9_jack_that_was_laid_is_captured_by_a_jack_only():
    deal = dealt(KSERI, CENTRE, "9S JC QH JD 5C JH")
    put_down(deal, "9S JC")
    assert not deal.can_capture("QH")
    put_down(deal, "QH-")
    assert deal.can_capture("JD")


def test_r9_without_jack_captures_a_jack_takes_jacks():
    deal = played(KIDS, "2S 3S 4S JC", "JD")
    assert deal.taken[0] == ["2S", "3S", "4S", "JC", "JD"]


def test_r9_only_cards_of_the_hand():
    deal = dealt(KSERI, CENTRE, "9S JC")
    assert refused(deal, "JC") == "R9"
    assert refused(deal, "9D") == "R9"
    assert refused(deal, "joker") == "R9"
    assert refused(deal, "JC", True) == "R9"


def test_r9_card_once_played_is_gone_and_its_twin_is_not():
    deal = dealt(rules_of("faro-4"), plays="5C 6C 7C 8C 5C")
    put_down(deal, "5C- 6C- 7C- 8C- 5C-")
    deal = dealt(KSERI, CENTRE, "5C 6C 7C")
    put_down(deal, "5C 6C")
    assert refused(deal, "5C") == "R9"


def test_r9_nothing_is_played_after_the_end():
    deal = played_out(KSERI, CENTRE, "", "KC- KD-")
    assert deal.over
    assert refused(deal, "KC") == "R9"
    assert refused(deal, "KC", False) == "R9"


# R10


def test_r10_mandatory_card_that_can_capture_does():
    deal = dealt(PLAIN, CENTRE, "9S")
    assert refused(deal, "9S", False) == "R10"
    assert ("9S", None) in deal.legal()
    deal.play("9S")
    assert deal.pile == []


def test_r10_optional_card_may_be_laid_and_becomes_the_top():
    deal = dealt(KSERI, CENTRE, "9S 9C")
    assert {("9S", True), ("9S", False)} < set(deal.legal())
    put_down(deal, "9S- 9C+")
    assert deal.taken[1] == ["2S", "3S", "4S", "9D", "9S", "9C"]


@pytest.mark.parametrize("rules", [KSERI, PLAIN])
def test_r10_false_is_always_allowed_on_a_card_that_cannot(rules):
    assert played(rules, CENTRE, "5C-").pile[-1] == "5C"


@pytest.mark.parametrize("rules", [KSERI, PLAIN])
def test_r10_true_needs_a_card_that_can(rules):
    assert refused(dealt(rules, CENTRE, "5C"), "5C", True) == "R10"
    empty = dealt(rules, CENTRE, "9S JC")
    empty.play("9S")
    assert refused(empty, "JC", True) == "R10"


@pytest.mark.parametrize("rules", [KSERI, PLAIN])
def test_r10_where_nothing_is_said_a_card_captures(rules):
    assert played(rules, CENTRE, "JC").pile == []


# R11


def test_r11_capture_takes_the_whole_pile_and_the_played_card():
    deal = played(KSERI, CENTRE, "5C 6C 6D")
    assert deal.taken[2] == ["2S", "3S", "4S", "9D", "5C", "6C", "6D"]
    assert deal.captured == [[], deal.taken[2]]
    assert deal.last_capture == 1


def test_r11_first_capture_takes_the_hidden_centre_in_dealt_order():
    deal = played(rules_of("pisti"), CENTRE, "5C 5D 5H 5S")
    assert deal.taken[1] == ["2S", "3S", "4S", "9D", "5C", "5D"]
    assert deal.taken[3] == ["5H", "5S"]
    assert (deal.hidden_centre, deal.centre_taker) == ([], 0)
