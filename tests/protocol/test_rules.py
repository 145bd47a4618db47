"""Presets as the rules page has them, overrides, and what may not be combined."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from protocol.rules import PRESETS, Points, RuleSet, RuleSetError, make_rules

# The table "Presets" of the rules page, a row a field, as it stands there.
COLUMNS = ("kseri", "kseri-plain", "pisti", "pishti", "kseri-kids")
TABLE: dict[str, tuple[Any, ...]] = {
    "seats": (2, 2, 4, 2, 2),
    "sides": (2, 2, 2, 2, 2),
    "decks": (1, 1, 1, 1, 1),
    "target": (101, 101, 151, 101, 101),
    "direction": ("clockwise", "clockwise", "counterclockwise", "clockwise", "clockwise"),
    "deal_order": ("hands-first", "hands-first", "table-first", "hands-first", "hands-first"),
    "refill": ("twos", "twos", "fours", "twos", "twos"),
    "centre": ("open", "open", "hidden", "open", "open"),
    "opening_jack": ("bury", "bury", "cover", "bury", "keep"),
    "bottom_card": ("hidden", "hidden", "exposed", "hidden", "hidden"),
    "capture": ("optional", "mandatory", "mandatory", "optional", "optional"),
    "jack_captures": (True, True, True, True, False),
    "points.ace": (1, 1, 1, 1, 1),
    "points.jack": (1, 1, 1, 1, 1),
    "points.ten_of_diamonds": (2, 2, 3, 3, 2),
    "points.two_of_clubs": (2, 2, 2, 2, 2),
    "points.majority": (3, 3, 3, 3, 3),
    "points.kseri": (10, 10, 10, 10, 10),
    "points.double_kseri": (20, 20, 20, 20, 20),
    "double_kseri": ("takes", "none", "none", "takes", "takes"),
    "jack_on_jack": (0, 0, 20, 0, 0),
    "first_play_kseri": (True, True, False, True, True),
    "last_play_kseri": (True, True, False, True, True),
    "sweep_kseri": (True, False, False, True, True),
    "two_of_clubs_match": (0, 0, 0, 2, 0),
    "last_capture_bonus": (0, 0, 0, 0, 0),
    "deals": (None, None, None, None, None),
    "max_deals": (200, 200, 200, 200, 200),
}
# "More presets", each with its base and what it changes.
MORE: dict[str, tuple[str, dict[str, Any]]] = {
    "kseri-short": ("kseri", {"target": 51}),
    "kseri-3": ("kseri", {"seats": 3, "sides": 3}),
    "kseri-partners": ("kseri", {"seats": 4, "sides": 2, "refill": "fours"}),
    "faro-4": ("kseri", {"decks": 2, "seats": 4, "sides": 4}),
    "faro-5": ("kseri", {"decks": 2, "seats": 5, "sides": 5}),
    "faro-6": ("kseri", {"decks": 2, "seats": 6, "sides": 6}),
    "kseri-jacks": ("kseri", {"jack_on_jack": 10}),
    "kseri-last": ("kseri", {"last_capture_bonus": 10}),
    "pisti-2": ("pisti", {"seats": 2, "sides": 2}),
    "pisti-literal": ("pisti", {"points.jack": 0}),
}


def flat(rules: RuleSet) -> dict[str, Any]:
    """Every field but `preset`, those of `points` as `points.ace`."""
    fields = msgspec.structs.asdict(rules)
    points = msgspec.structs.asdict(fields.pop("points"))
    del fields["preset"]
    return fields | {f"points.{name}": value for name, value in points.items()}


def column(preset: str) -> dict[str, Any]:
    return {field: row[COLUMNS.index(preset)] for field, row in TABLE.items()}


@pytest.mark.parametrize("preset", COLUMNS)
def test_a_preset_is_its_column_of_the_table(preset: str) -> None:
    rules = make_rules(preset)
    assert rules.preset == preset
    assert flat(rules) == column(preset)


@pytest.mark.parametrize("preset", MORE)
def test_a_further_preset_is_its_base_and_what_it_changes(preset: str) -> None:
    base, changes = MORE[preset]
    assert flat(make_rules(preset)) == column(base) | changes


def test_there_are_no_other_presets() -> None:
    assert set(PRESETS) == {*COLUMNS, *MORE}


def test_kseri_is_the_default() -> None:
    assert make_rules() == make_rules("kseri") == RuleSet(preset="kseri")


# A value for every field that differs from kseri's, with what else it needs.
OTHER: dict[str, tuple[Any, dict[str, Any]]] = {
    "seats": (4, {}),
    "sides": (4, {"seats": 4}),
    "decks": (2, {"seats": 4}),
    "target": (1, {}),
    "direction": ("counterclockwise", {}),
    "deal_order": ("table-first", {}),
    "refill": ("fours", {}),
    "centre": ("hidden", {"opening_jack": "keep"}),
    "opening_jack": ("keep", {}),
    "bottom_card": ("exposed", {"opening_jack": "keep"}),
    "capture": ("mandatory", {}),
    "jack_captures": (False, {}),
    "double_kseri": ("keeps", {}),
    "jack_on_jack": (20, {}),
    "first_play_kseri": (False, {}),
    "last_play_kseri": (False, {}),
    "sweep_kseri": (False, {}),
    "two_of_clubs_match": (2, {}),
    "last_capture_bonus": (10, {}),
    "deals": (200, {}),
    "max_deals": (1, {}),
}


@pytest.mark.parametrize("field", OTHER)
def test_every_field_can_be_overridden(field: str) -> None:
    value, needs = OTHER[field]
    rules = make_rules("kseri", {field: value, **needs})
    assert flat(rules) == column("kseri") | needs | {field: value}


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", Points.__struct_fields__)
def test_every_value_can_be_overridden_alone(preset: str, name: str) -> None:
    changed = flat(make_rules(preset, {"points": {name: 7}}))
    assert changed == flat(make_rules(preset)) | {f"points.{name}": 7}


def test_no_field_was_forgotten_above() -> None:
    fields = set(RuleSet.__struct_fields__) - {"preset", "points"}
    assert fields == set(OTHER)
    assert set(TABLE) == fields | {f"points.{name}" for name in Points.__struct_fields__}


def test_an_override_replaces_what_the_preset_says() -> None:
    rules = make_rules("pisti", {"target": 51, "sweep_kseri": True, "points": {"jack": 0}})
    changes = {"target": 51, "sweep_kseri": True, "points.jack": 0}
    assert flat(rules) == column("pisti") | changes


def test_overrides_are_left_as_they_were() -> None:
    overrides = {"points": {"kseri": 5}}
    make_rules("pisti", overrides)
    assert overrides == {"points": {"kseri": 5}}
    assert flat(make_rules("pisti")) == column("pisti")


IMPOSSIBLE: list[tuple[dict[str, Any], str, str | None]] = [
    # R8: sides divide seats
    ({"seats": 3}, "sides", "R8"),
    ({"seats": 4, "sides": 3}, "sides", "R8"),
    ({"sides": 3}, "sides", "R8"),
    ({"decks": 2, "seats": 5}, "sides", "R8"),
    ({"decks": 2, "seats": 6, "sides": 4}, "sides", "R8"),
    # R8: hands come out even
    ({"seats": 5, "sides": 5}, "seats", "R8"),
    ({"seats": 6}, "seats", "R8"),
    ({"decks": 2}, "seats", "R8"),
    ({"decks": 2, "seats": 3, "sides": 3}, "seats", "R8"),
    # R5: burying is seen by all and moves no known card; covering needs something face down
    ({"centre": "hidden"}, "opening_jack", "R5"),
    ({"bottom_card": "exposed"}, "opening_jack", "R5"),
    ({"opening_jack": "cover"}, "opening_jack", "R5"),
    # R25
    ({"deals": 201}, "deals", None),
    ({"deals": 2, "max_deals": 1}, "deals", None),
]


@pytest.mark.parametrize(("overrides", "field", "rule"), IMPOSSIBLE, ids=str)
def test_an_impossible_combination_names_its_field_and_rule(
    overrides: dict[str, Any], field: str, rule: str | None
) -> None:
    with pytest.raises(RuleSetError) as caught:
        make_rules("kseri", overrides)
    assert (caught.value.field, caught.value.rule) == (field, rule)
    assert str(caught.value).startswith(f"{field}: ")


SEATINGS = [(d, seats, sides) for d in (1, 2) for seats in range(2, 7) for sides in range(2, 7)]
# R8 by hand: for each number of decks and seats, the sides that divide the seats.
POSSIBLE = {
    (1, 2): [2],
    (1, 3): [3],
    (1, 4): [2, 4],
    (2, 4): [2, 4],
    (2, 5): [5],
    (2, 6): [2, 3, 6],
}


@pytest.mark.parametrize(("decks", "seats", "sides"), SEATINGS)
def test_a_seating_is_refused_unless_hands_and_sides_come_out_even(
    decks: int, seats: int, sides: int
) -> None:
    seating = {"decks": decks, "seats": seats, "sides": sides}
    if sides not in POSSIBLE.get((decks, seats), []):
        with pytest.raises(RuleSetError, match="seats") as caught:
            make_rules("kseri", seating)
        assert caught.value.rule == "R8"
        return
    rules = make_rules("kseri", seating)
    assert (52 * decks - rules.centre_cards) % (4 * seats) == 0
    assert rules.centre_cards == (8 if (decks, seats) in [(2, 4), (2, 6)] else 4)
    assert rules.side_of == tuple(seat % sides for seat in range(seats))


WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"seats": "4"}, "seats", "Expected `int`, got `str`"),
    ({"seats": 4.0}, "seats", "Expected `int`, got `float`"),
    ({"seats": True}, "seats", "Expected `int`, got `bool`"),
    ({"seats": None}, "seats", "Expected `int`, got `null`"),
    ({"seats": 1}, "seats", ">= 2"),
    ({"seats": 7}, "seats", "<= 6"),
    ({"sides": 1}, "sides", ">= 2"),
    ({"decks": 0}, "decks", ">= 1"),
    ({"decks": 3}, "decks", "<= 2"),
    ({"target": 0}, "target", ">= 1"),
    ({"target": 10**30}, "target", "<= 1000000"),
    ({"deals": 0}, "deals", ">= 1"),
    ({"max_deals": 0}, "max_deals", ">= 1"),
    ({"jack_captures": 1}, "jack_captures", "Expected `bool`, got `int`"),
    ({"sweep_kseri": "yes"}, "sweep_kseri", "Expected `bool`, got `str`"),
    ({"capture": "always"}, "capture", "Expected 'mandatory' or 'optional', got 'always'"),
    ({"capture": True}, "capture", "Expected `str`, got `bool`"),
    ({"jack_on_jack": -1}, "jack_on_jack", ">= 0"),
    ({"points": {"kseri": -10}}, "points.kseri", ">= 0"),
    ({"points": {"kseri": "10"}}, "points.kseri", "Expected `int`, got `str`"),
    ({"points": 10}, "points", "expected an object"),
    ({"points": None}, "points", "expected an object"),
    ({"points": {"queen": 1}}, "points.queen", "no such key"),
    ({"jokers": 2}, "jokers", "no such key"),
    ({"points.kseri": 5}, "points.kseri", "no such key"),
    ({"preset": "pisti"}, "preset", "not overridden"),
]


@pytest.mark.parametrize(("overrides", "field", "expected"), WRONG, ids=str)
def test_a_wrong_value_or_field_is_named(
    overrides: dict[str, Any], field: str, expected: str
) -> None:
    with pytest.raises(RuleSetError) as caught:
        make_rules("kseri", overrides)
    assert (caught.value.field, caught.value.rule) == (field, None)
    assert str(caught.value).startswith(f"{field}: ")
    assert expected in str(caught.value)


def test_an_unknown_preset_is_refused_with_the_known_ones() -> None:
    with pytest.raises(RuleSetError, match=r"'whist'; known: kseri, .*pisti") as caught:
        make_rules("whist")
    assert (caught.value.field, caught.value.rule) == ("preset", None)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_rule_set_survives_json(preset: str) -> None:
    rules = make_rules(preset, {"deals": 3, "points": {"majority": 0}})
    text = msgspec.json.encode(rules)
    assert msgspec.json.decode(text, type=RuleSet) == rules
    fields = msgspec.json.decode(text)
    assert make_rules(fields.pop("preset"), fields) == rules
