"""The end of a deal: R18 to R22."""

import random

import pytest

from arena.game import DECK, make_deal, ownerless, side_scores
from protocol.rules import PRESETS, make_rules
from tests.game.strategies import play_on
from tests.game.table import dealt, played, played_out, rules_of, scores

CENTRE = "2S 3S 4S 9D"
NO_SWEEP = rules_of("kseri", sweep_kseri=False)


def all_laid(rules, centre=CENTRE):
    """A deal in which nobody captures anything."""
    deal = dealt(rules, centre)
    while not deal.over:
        deal.play(deal.hands[deal.seat][0], False)
    return deal


# R18


@pytest.mark.parametrize("last", ["JC KC-", "KC- JC"])
def test_r18_last_capture_whether_cards_were_left_or_not(last):
    rules = rules_of("kseri-last", sweep_kseri=False)
    deal = played_out(rules, CENTRE, "", last)
    made = [side.last_capture for side in side_scores(deal)]
    assert made == ([0, 10] if last.startswith("JC") else [10, 0])


def test_r18_nobody_captured():
    deal = all_laid(rules_of("kseri-last"))
    assert [side.last_capture for side in side_scores(deal)] == [0, 0]


def test_r18_taking_a_marker_is_a_capture():
    deal = played_out(rules_of("kseri-last"), CENTRE, "", "JC KC KD KH")
    assert [side.last_capture for side in side_scores(deal)] == [10, 0]


def test_r18_is_given_at_the_end_only():
    deal = played(rules_of("kseri-last"), CENTRE, "9S")
    assert [side.last_capture for side in side_scores(deal)] == [0, 0]


# R19


def test_r19_cards_left_go_to_the_last_capturer():
    deal = played_out(NO_SWEEP, CENTRE, "", "JC KC- QC-")
    assert deal.over
    assert deal.captured[0][-2:] == ["KC", "QC"]
    assert deal.pile == ["KC", "QC"]
    assert ownerless(deal) == []
    assert scores(deal)[0]["cards"] == 52


def test_r19_taking_a_marker_decides_who_captured_last():
    deal = played_out(NO_SWEEP, CENTRE, "", "JC KC KD KH 3C-")
    assert deal.last_capture == 1
    assert deal.captured[1] == ["KC", "KH", "3C"]


def test_r19_nobody_captured():
    deal = all_laid(rules_of("kseri"))
    assert scores(deal) == [{}, {}]
    assert sorted(ownerless(deal)) == sorted([*CENTRE.split(), *deal.plays])
    assert ownerless(deal)[:5] == [*CENTRE.split(), deal.plays[0]]


def test_r19_nobody_captured_the_hidden_centre_either():
    deal = all_laid(rules_of("pisti", capture="optional"), "2S 3S 4S JD")
    assert ownerless(deal) == ["2S", "3S", "JD", "4S", *deal.plays]
    assert scores(deal) == [{}, {}]


def test_r19_while_the_deal_lasts_nothing_is_ownerless():
    assert ownerless(played(rules_of("pisti"), CENTRE, "5C")) == []


# R20


@pytest.mark.parametrize(
    ("overrides", "last", "points"),
    [
        ({}, "JC- KC KD 3C-", [10, 10]),  # one card left, whatever its rank
        ({"sweep_kseri": False}, "JC- KC KD 3C-", [0, 0]),
        ({}, "KC KD 3C- 4C-", [0, 0]),  # two cards left
        ({}, "QC- KC KD", [0, 0]),  # none left
        ({}, "KC- JC 3C-", [0, 0]),  # taken by a jack's power
        ({"jack_captures": False}, "JC JD 3C-", [10, 0]),  # a jack like any other rank
    ],
)
def test_r20_sweep_of_exactly_one_card(overrides, last, points):
    rules = rules_of("kseri", **{"double_kseri": "none"} | overrides)
    deal = played_out(rules, CENTRE, "", last)
    sweeper = deal.last_capture
    assert sum(side.kseri for side in side_scores(deal)) == points[0]
    assert side_scores(deal)[sweeper].kseri == points[0]


def test_r20_adds_to_the_kseris_of_the_deal():
    deal = played_out(rules_of("kseri", double_kseri="none"), CENTRE, "", "JC KC KD 3C-")
    sweeper = deal.last_capture
    assert side_scores(deal)[sweeper].kseri == 20
    assert deal.kseri[sweeper] == 10


def test_r20_jack_that_took_a_jack_used_its_power_all_the_same():
    deal = played_out(rules_of("kseri-jacks"), CENTRE, "", "5C- JC- JD 3C-")
    assert [side.kseri for side in side_scores(deal)] == [0, 0]


def test_r20_after_a_marker_was_taken():
    deal = played_out(rules_of("kseri"), CENTRE, "", "JC KC KD KH 3C-")
    assert side_scores(deal)[1].kseri == 10
    assert side_scores(deal)[0].kseri == 0


def test_r20_standing_marker_of_the_last_play_but_one_and_one_card_left():
    deal = played_out(rules_of("kseri"), CENTRE, "", "JC KC KD KH-")
    assert [side.kseri for side in side_scores(deal)] == [0, 20]


def test_r20_r16_does_not_touch_the_sweep():
    rules = rules_of("kseri", last_play_kseri=False, double_kseri="none")
    deal = played_out(rules, CENTRE, "", "JC KC KD 3C-")
    assert sum(side.kseri for side in side_scores(deal)) == 20


def test_r20_nobody_swept():
    assert [side.kseri for side in side_scores(all_laid(rules_of("kseri")))] == [0, 0]


# R21


@pytest.mark.parametrize(("preset", "ten", "jack"), [("kseri", 2, 1), ("pisti-literal", 3, 0)])
def test_r21_points_of_cards(preset, ten, jack):
    rules = rules_of(preset, capture="optional")
    deal = played(rules, "AD 2C TD 4S", "4C 5C")
    side = scores(deal)[1]
    assert (side["aces"], side["two_of_clubs"], side["ten_of_diamonds"]) == (1, 2, ten)
    deal = played(rules, "AD AS TD 4S", "JC")
    side = scores(deal)[1]
    assert (side["aces"], side.get("jacks", 0)) == (2, jack)


def test_r21_other_tens_and_twos_are_worth_nothing():
    assert scores(played(rules_of("kseri"), "TC TH 2D 2H", "2S"))[1] == {"cards": 5}


def test_r21_two_decks_every_copy_counts():
    rules = rules_of("faro-5")
    deal = played(rules, "TD TD 2C 2C", "2S")
    expected = {"cards": 5, "ten_of_diamonds": 4, "two_of_clubs": 4, "total": 8}
    assert scores(deal)[1] == expected


def test_r21_no_majority_on_a_tie():
    """A jack takes the centre and 21 cards, another 24, and one card is left to it."""
    rest = sorted(set(DECK) - set(CENTRE.split()) - {"JC", "JS"})
    laid = [f"{card}-" for card in rest]
    plays = " ".join([*laid[:21], "JC+", *laid[21:45], "JS+", laid[45]])
    deal = played(rules_of("kseri"), CENTRE, plays)
    assert deal.over
    assert [side.cards for side in side_scores(deal)] == [26, 26]
    assert [side.majority for side in side_scores(deal)] == [0, 0]


def test_r21_majority_is_to_the_most_not_to_the_half():
    deal = make_deal(rules_of("faro-6"), bytes(32), 1, 0)
    play_on(deal, random.Random(3))
    sizes = [side.cards for side in side_scores(deal)]
    assert max(sizes) < 52
    assert sizes.count(max(sizes)) == 1
    assert [side.majority for side in side_scores(deal)] == [
        3 * (size == max(sizes)) for size in sizes
    ]


def test_r21_no_majority_before_the_end():
    assert scores(played(rules_of("kseri"), CENTRE, "9S"))[1] == {"cards": 5}


# R22


@pytest.mark.parametrize("preset", PRESETS)
def test_r22_card_points_of_a_deck(preset):
    rules = make_rules(preset)
    points = rules.points
    total = 4 * points.ace + 4 * points.jack + points.ten_of_diamonds + points.two_of_clubs
    assert total == {"pisti": 13, "pisti-2": 13, "pishti": 13, "pisti-literal": 9}.get(preset, 12)
