"""The worked examples that other implementations of the rules are checked against."""

import json
from pathlib import Path

import msgspec
import pytest

from arena.deal_script import run_script
from arena.game import Deal, Stream, first_dealer, make_deal, shuffled
from protocol.rules import make_rules

DATA = Path(__file__).parent / "data"


def _lines(name):
    return [json.loads(line) for line in (DATA / name).read_text().splitlines()]


@pytest.mark.parametrize("example", _lines("deal_scripts.jsonl"))
def test_deal_script_comes_to_what_is_expected(example):
    outcome = msgspec.to_builtins(run_script(json.dumps(example["script"]).encode()))
    if "error" in outcome:
        outcome["error"]["message"] = "…"  # the wording is everybody's own
    assert outcome == example["expect"]


@pytest.mark.parametrize("example", _lines("shuffles.jsonl"))
def test_shuffle_gives_dealers_decks_and_burying_places(example):
    rules = make_rules(example["preset"], example.get("overrides"))
    seed = bytes.fromhex(example["seed"])
    assert first_dealer(seed, rules.seats) == example["first_dealer"]
    for expected in example["deals"]:
        number, dealer = expected["number"], expected["dealer"]
        assert dealer == (example["first_dealer"] + number - 1) % rules.seats
        attempt = make_deal(rules, seed, number, dealer).attempt
        stream = Stream(seed, number, attempt)
        deck = shuffled(stream, rules)
        places = []

        def bury_at(length, stream=stream, places=places):
            places.append(1 + stream.uniform(length - 1))
            return places[-1]

        Deal(rules, dealer, deck, bury_at)
        assert (deck, places) == (expected["deck"], expected["bury"])
