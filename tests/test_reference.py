"""The protocol by example: every message there is, as the arena sends it and takes it."""

from __future__ import annotations

import json
from typing import get_args

from jsonschema import Draft202012Validator

from arena.reference import broken, example_messages, preset_changes
from protocol.codec import decode_bot_line
from protocol.messages import FromBot, ToBot
from protocol.rules import PRESETS, make_rules
from protocol.schema import schema_text


def test_every_type_of_message_has_its_example() -> None:
    types = {struct.__struct_config__.tag for struct in (*get_args(ToBot), *get_args(FromBot))}
    assert set(example_messages()) == types


def test_examples_fit_the_schemas() -> None:
    from_arena, from_bot = (
        Draft202012Validator(json.loads(schema_text(name))) for name in ("from-arena", "from-bot")
    )
    for name, message in example_messages().items():
        judge = from_bot if name in ("ready", "play", "log") else from_arena
        assert not list(judge.iter_errors(message)), name


def test_answers_are_lines_that_the_arena_takes() -> None:
    for name in ("ready", "play", "log"):
        line = json.dumps(example_messages()[name]).encode()
        assert decode_bot_line(line).__struct_config__.tag == name


def test_the_game_of_the_examples_is_played_to_a_result() -> None:
    messages = example_messages()
    assert messages["game_end"]["winner"] is not None
    assert sum(side["cards"] for side in messages["deal_end"]["sides"]) == 52
    assert messages["error"]["code"] == "illegal"
    assert messages["play"]["card"] in messages["turn"]["hand"]


def test_broken_lines_are_the_same_message() -> None:
    for message in example_messages().values():
        assert json.loads(broken(message)) == message


def test_every_preset_is_told_by_its_changes() -> None:
    assert preset_changes("kseri") == []
    for name in PRESETS:
        rules = make_rules(name)
        for field, value in preset_changes(name):
            known = [getattr(place, field, None) for place in (rules, rules.points)]
            assert value in [*map(str, known), *("yes" if each else "no" for each in known)]
