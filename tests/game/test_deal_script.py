"""Deal scripts: what is refused, with which rule, and which failure is reported first."""

import json

import msgspec
import pytest

from arena.deal_script import run_script
from arena.game import Deal
from tests.game.table import rules_of, stacked_deck

KSERI = rules_of("kseri")
QUIET = stacked_deck(KSERI, 0, ["2S", "3S", "4S", "9D"], ["9S", "5C", "6C"])
WITH_JACK = stacked_deck(KSERI, 0, ["2S", "3S", "JC", "9D"], ["9S"])
JACKS = stacked_deck(rules_of("pisti"), 0, ["JC", "JD", "JH", "JS"], ["9S"])
JACK_LAST = [*QUIET[:-1], "JC"]
JACK_LAST[QUIET.index("JC")] = QUIET[-1]


def script(preset="kseri", overrides=None, **fields):
    """A script that is all right, but for what is said."""
    rules = {"preset": preset} | ({"overrides": overrides} if overrides is not None else {})
    return {"rules": rules, "dealer": 0, "deck": QUIET} | fields


def answer(fields):
    line = fields if isinstance(fields, bytes) else json.dumps(fields).encode()
    return msgspec.to_builtins(run_script(line))


def fault(fields):
    error = answer(fields)["error"]
    assert error["message"]
    return error["rule"], error["play"]


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"{}",
        b"[" * 100_000,
        b'{"rules": {}, "dealer": 0}',
        b"\xff\xfe",
        json.dumps(script(dealer="0")).encode(),
        json.dumps(script(dealer=True)).encode(),
        json.dumps(script(dealer=0.5)).encode(),
        json.dumps(script(deck="AS")).encode(),
        json.dumps(script(deck=None)).encode(),
        json.dumps(script(more=1)).encode(),
        json.dumps(script(bury=["1"])).encode(),
        json.dumps(script(plays=["7H"])).encode(),
        json.dumps(script(plays=[{"card": "7H", "capture": 1}])).encode(),
        json.dumps(script(plays=[{"card": "7H", "take": True}])).encode(),
        json.dumps(script(plays=[{"capture": True}])).encode(),
        json.dumps(script() | {"rules": {"preset": "kseri", "override": {}}}).encode(),
    ],
)
def test_what_is_no_script_is_refused_without_a_rule(line):
    assert fault(line) == (None, None)


@pytest.mark.parametrize(
    ("preset", "overrides", "rule"),
    [
        ("tavli", {}, None),
        ("kseri", {"seats": "2"}, None),
        ("kseri", {"seats": 7}, None),
        ("kseri", {"colour": 1}, None),
        ("kseri", {"preset": "pisti"}, None),
        ("kseri", {"points": {"queen": 1}}, None),
        ("kseri", {"points": {"ace": -1}}, None),
        ("kseri", {"points": 3}, None),
        ("kseri", {"jack_captures": 1}, None),
        ("kseri", {"deals": 300}, None),
        ("kseri", {"seats": 3}, "R8"),
        ("kseri", {"decks": 2}, "R8"),
        ("faro-5", {"decks": 1}, "R8"),
        ("kseri", {"centre": "hidden"}, "R5"),
        ("kseri", {"bottom_card": "exposed"}, "R5"),
        ("kseri", {"opening_jack": "cover"}, "R5"),
    ],
)
def test_wrong_rule_set(preset, overrides, rule):
    """Reported before the dealer, who is wrong too."""
    assert fault(script(preset, overrides, dealer=9)) == (rule, None)


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        (script(dealer=2, deck=[]), "R2"),
        (script(dealer=-1, deck=[]), "R2"),
        (script("kseri-3", dealer=3), "R2"),
        (script(deck=[]), "R1"),
        (script(deck=QUIET[:-1]), "R1"),
        (script(deck=[*QUIET, "2C"]), "R1"),
        (script(deck=[*QUIET[:-1], QUIET[0]]), "R1"),
        (script(deck=[*QUIET[:-1], "1C"]), "R1"),
        (script("faro-5"), "R1"),
        (script("faro-5", deck=QUIET * 2), None),
        (script("pisti", deck=JACK_LAST), "R6"),
        (script("pisti", {"bottom_card": "hidden"}, deck=JACK_LAST), None),
        (script("pisti", deck=JACKS, bury=[5]), "R5"),
        (script("pisti", bury=[5]), "R28"),
        (script(bury=[5]), "R28"),
        (script("kseri-kids", deck=WITH_JACK), None),
        (script("kseri-kids", deck=WITH_JACK, bury=[5]), "R28"),
        (script(deck=WITH_JACK), "R28"),
        (script(deck=WITH_JACK, bury=[]), "R28"),
        (script(deck=WITH_JACK, bury=[0]), "R28"),
        (script(deck=WITH_JACK, bury=[-1]), "R28"),
        (script(deck=WITH_JACK, bury=[1]), None),
        (script(deck=WITH_JACK, bury=[38]), None),
        (script(deck=WITH_JACK, bury=[39]), "R28"),
        (script(deck=WITH_JACK, bury=[5, 5]), "R28"),
        (script(deck=WITH_JACK, bury=[5, 5], plays=[{"card": "XX"}]), "R28"),
    ],
)
def test_wrong_setup_is_reported_in_the_pages_order(fields, rule):
    outcome = answer(fields)
    if rule is None:
        assert outcome["plays"] == []
        assert outcome["complete"] is False
    else:
        assert (outcome["error"]["rule"], outcome["error"]["play"]) == (rule, None)


@pytest.mark.parametrize(
    ("preset", "plays", "expected"),
    [
        ("kseri", [("9D", None)], ("R9", 0)),
        ("kseri", [("5C", None)], ("R9", 0)),  # in the other hand
        ("kseri", [("XX", True)], ("R9", 0)),
        ("kseri", [("9S", None), ("9S", None)], ("R9", 1)),
        ("kseri", [("6C", True)], ("R10", 0)),
        ("kseri", [("9S", True), ("5C", True)], ("R10", 1)),
        ("kseri", [("9S", True), ("7C", True)], ("R9", 1)),
        ("kseri-plain", [("9S", False)], ("R10", 0)),
        ("kseri-plain", [("9S", None), ("5C", False), ("6C", True)], ("R10", 2)),
    ],
)
def test_illegal_play_is_reported_with_its_number(preset, plays, expected):
    made = [_play(card, capture) for card, capture in plays]
    assert fault(script(preset, plays=made)) == expected


@pytest.mark.parametrize("capture", [None, True, False])
def test_capture_may_be_said_or_left_out(capture):
    outcome = answer(script(plays=[_play("9S", capture), _play("5C", False)]))
    assert bool(outcome["plays"][0]["captured"]) is (capture is not False)
    assert outcome["plays"][1]["captured"] == []


def _play(card, capture):
    return {"card": card} if capture is None else {"card": card, "capture": capture}


def test_play_after_the_end():
    plays = [{"card": card} for card in _all_plays()]
    assert answer(script(plays=plays))["complete"] is True
    assert fault(script(plays=[*plays, {"card": "2C"}])) == ("R9", 48)


def _all_plays():
    deal = Deal(KSERI, 0, QUIET, lambda length: 1)
    while not deal.over:
        deal.play(deal.legal()[0][0])
    return deal.plays


def test_script_may_stop_anywhere():
    """Nothing of the deal's end is counted yet; a standing marker and its kseri are."""
    plays = ["9S", "5C", "5D"]
    deck = stacked_deck(KSERI, 0, ["2S", "3S", "4S", "9D"], plays)
    rules = {"sweep_kseri": True, "last_capture_bonus": 5}
    outcome = answer(script("kseri", rules, deck=deck, plays=[{"card": card} for card in plays]))
    side = outcome["sides"][1]
    assert (side["cards"], side["kseri"], side["total"]) == (7, 10, 10)
    assert (side["majority"], side["last_capture"]) == (0, 0)
    assert (outcome["ownerless"], outcome["complete"]) == ([], False)
    assert outcome["plays"][0]["captured"] == ["2S", "3S", "4S", "9D", "9S"]
    assert outcome["plays"][2] == {
        "seat": 1,
        "card": "5D",
        "captured": ["5C", "5D"],
        "bonus": {"kseri": 10},
    }
