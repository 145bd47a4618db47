"""Rule sets: the choices that R1 to R25 leave open, the presets, and what may be combined."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from protocol.complaints import complaint

RULES_VERSION = 1
"""Rises when the meaning of a rule or of a preset changes; ratings never mix versions."""

Value = Annotated[int, Meta(ge=0, le=1000)]
"""What a card or an event is worth, in points of the game."""


class RuleSetError(ValueError):
    """A rule set that cannot be played. The fault of whoever wrote it."""

    def __init__(self, field: str, message: str, rule: str | None = None) -> None:
        self.field = field
        """The field that is wrong, as in `points.kseri`; `preset` for an unknown preset."""
        self.rule = rule
        """The rule that forbids it, as in `R8`; None where a value by itself is wrong."""
        super().__init__(f"{field}: {message}")


class _Frozen(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class Points(_Frozen, frozen=True, kw_only=True):
    """Points of cards and bonuses (R12, R15, R21)."""

    ace: Annotated[Value, Meta(description="Each captured ace (R21).")] = 1
    jack: Annotated[Value, Meta(description="Each captured jack (R21).")] = 1
    ten_of_diamonds: Annotated[Value, Meta(description="Each captured TD (R21).")] = 2
    two_of_clubs: Annotated[Value, Meta(description="Each captured 2C (R21).")] = 2
    majority: Annotated[Value, Meta(description="Strictly the most captured cards (R21).")] = 3
    kseri: Annotated[Value, Meta(description="A kseri (R12, R20).")] = 10
    double_kseri: Annotated[Value, Meta(description="A double kseri (R15).")] = 20


class RuleSet(_Frozen, frozen=True, kw_only=True):
    """One complete rule set; `make_rules` builds and checks it."""

    preset: Annotated[str, Meta(description="The preset that the fields started from.")]
    seats: Annotated[int, Meta(ge=2, le=6, description="Seats, numbered in order of play.")] = 2
    sides: Annotated[
        int, Meta(ge=2, le=6, description="Seat s belongs to side s mod sides; it divides seats.")
    ] = 2
    decks: Annotated[int, Meta(ge=1, le=2, description="Decks of 52 cards (R1).")] = 1
    target: Annotated[
        int, Meta(ge=1, le=1_000_000, description="Score that ends the game (R23).")
    ] = 101
    direction: Annotated[
        Literal["clockwise", "counterclockwise"], Meta(description="For display only.")
    ] = "clockwise"
    deal_order: Annotated[
        Literal["hands-first", "table-first"], Meta(description="Dealing order (R3).")
    ] = "hands-first"
    refill: Annotated[
        Literal["twos", "fours"], Meta(description="How new hands are dealt (R7).")
    ] = "twos"
    centre: Annotated[
        Literal["open", "hidden"], Meta(description="Whether centre cards lie face up (R4).")
    ] = "open"
    opening_jack: Annotated[
        Literal["bury", "cover", "keep"], Meta(description="Jacks in the centre (R5).")
    ] = "bury"
    bottom_card: Annotated[
        Literal["hidden", "exposed"], Meta(description="Whether all see the last card (R6).")
    ] = "hidden"
    capture: Annotated[
        Literal["optional", "mandatory"],
        Meta(description="Whether a card that can capture must (R10)."),
    ] = "optional"
    jack_captures: Annotated[bool, Meta(description="Whether jacks take any pile (R9).")] = True
    points: Annotated[Points, Meta(description="What cards and bonuses are worth.")] = Points()
    double_kseri: Annotated[
        Literal["takes", "keeps", "none"], Meta(description="The double kseri (R15).")
    ] = "takes"
    jack_on_jack: Annotated[
        Value, Meta(description="A jack taking a pile of jacks alone (R14).")
    ] = 0
    first_play_kseri: Annotated[
        bool, Meta(description="Whether a deal's first play can earn a bonus (R16).")
    ] = True
    last_play_kseri: Annotated[
        bool, Meta(description="Whether a deal's last play can earn a bonus (R16).")
    ] = True
    sweep_kseri: Annotated[
        bool, Meta(description="Whether sweeping one last card is a kseri (R20).")
    ] = True
    two_of_clubs_match: Annotated[
        Value, Meta(description="A two taking a pile with the 2C on top (R17).")
    ] = 0
    last_capture_bonus: Annotated[
        Value, Meta(description="The last capture of the deal (R18).")
    ] = 0
    deals: Annotated[
        Annotated[int, Meta(ge=1, le=10_000)] | None,
        Meta(description="Exactly so many deals instead of a target (R24)."),
    ] = None
    max_deals: Annotated[
        int, Meta(ge=1, le=10_000, description="The game ends after so many deals (R25).")
    ] = 200

    @property
    def centre_cards(self) -> int:
        """How many cards the centre is dealt (R8)."""
        return 8 if self.decks == 2 and self.seats != 5 else 4

    @property
    def side_of(self) -> tuple[int, ...]:
        """The side of every seat."""
        return tuple(seat % self.sides for seat in range(self.seats))


class SideScore(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one side made of one deal: points by source (R12 to R21), and the number of cards."""

    cards: Annotated[int, Meta(ge=0, description="Captured cards, R19's included.")] = 0
    aces: Annotated[int, Meta(ge=0, description="Points for aces.")] = 0
    jacks: Annotated[int, Meta(ge=0, description="Points for jacks.")] = 0
    ten_of_diamonds: Annotated[int, Meta(ge=0, description="Points for tens of diamonds.")] = 0
    two_of_clubs: Annotated[int, Meta(ge=0, description="Points for twos of clubs.")] = 0
    majority: Annotated[int, Meta(ge=0, description="Points for the most cards.")] = 0
    kseri: Annotated[
        int, Meta(ge=0, description="Net of what a double kseri took back, R20's included.")
    ] = 0
    double_kseri: Annotated[int, Meta(ge=0, description="Points of R15.")] = 0
    jack_on_jack: Annotated[int, Meta(ge=0, description="Points of R14.")] = 0
    two_of_clubs_match: Annotated[int, Meta(ge=0, description="Points of R17.")] = 0
    last_capture: Annotated[int, Meta(ge=0, description="Points of R18.")] = 0
    total: Annotated[int, Meta(ge=0, description="The sum of all points above.")] = 0


_PISTI: dict[str, Any] = {
    "seats": 4,
    "target": 151,
    "direction": "counterclockwise",
    "deal_order": "table-first",
    "refill": "fours",
    "centre": "hidden",
    "opening_jack": "cover",
    "bottom_card": "exposed",
    "capture": "mandatory",
    "points": {"ten_of_diamonds": 3},
    "double_kseri": "none",
    "jack_on_jack": 20,
    "first_play_kseri": False,
    "last_play_kseri": False,
    "sweep_kseri": False,
}

PRESETS: dict[str, dict[str, Any]] = {
    "kseri": {},
    "kseri-plain": {"capture": "mandatory", "double_kseri": "none", "sweep_kseri": False},
    "kseri-short": {"target": 51},
    "kseri-3": {"seats": 3, "sides": 3},
    "kseri-partners": {"seats": 4, "sides": 2, "refill": "fours"},
    "faro-4": {"decks": 2, "seats": 4, "sides": 4},
    "faro-5": {"decks": 2, "seats": 5, "sides": 5},
    "faro-6": {"decks": 2, "seats": 6, "sides": 6},
    "kseri-jacks": {"jack_on_jack": 10},
    "kseri-last": {"last_capture_bonus": 10},
    "kseri-kids": {"opening_jack": "keep", "jack_captures": False},
    "pishti": {"points": {"ten_of_diamonds": 3}, "two_of_clubs_match": 2},
    "pisti": _PISTI,
    "pisti-2": _PISTI | {"seats": 2},
    "pisti-literal": _PISTI | {"points": {"ten_of_diamonds": 3, "jack": 0}},
}
"""What each preset changes of the defaults of `RuleSet`, which are those of `kseri`."""


def make_rules(preset: str = "kseri", overrides: Mapping[str, Any] | None = None) -> RuleSet:
    """Build the rule set of `preset` with some fields replaced.

    `overrides` has fields of `RuleSet`; `points` is a mapping of its own, of which only what is
    named is replaced. Raises `RuleSetError` for an unknown preset or field, a wrong value, and
    combinations that R5, R8 and R25 forbid.
    """
    if preset not in PRESETS:
        raise RuleSetError("preset", f"unknown preset {preset!r}; known: {', '.join(PRESETS)}")
    overrides = dict(overrides or {})
    if "preset" in overrides:
        raise RuleSetError("preset", "a preset is chosen by its name, not overridden")
    base = PRESETS[preset]
    points = overrides.get("points", {})
    if not isinstance(points, Mapping):
        raise RuleSetError("points", "expected an object such as {'kseri': 10}")
    fields = base | overrides | {"points": base.get("points", {}) | dict(points)}
    rules = _convert(fields | {"preset": preset})
    _check_combination(rules)
    return rules


def _convert(fields: dict[str, Any]) -> RuleSet:
    try:
        return msgspec.convert(fields, RuleSet)
    except msgspec.ValidationError as error:
        raise RuleSetError(*complaint(error, RuleSet)) from None


def _check_combination(rules: RuleSet) -> None:
    if rules.seats % rules.sides:
        raise RuleSetError("sides", f"{rules.sides} sides do not divide {rules.seats} seats", "R8")
    if rules.seats not in ((2, 3, 4) if rules.decks == 1 else (4, 5, 6)):
        seats = "2, 3 or 4" if rules.decks == 1 else "4, 5 or 6"
        message = f"{rules.decks} deck(s) come out even for {seats} seats, not for {rules.seats}"
        raise RuleSetError("seats", message, "R8")
    if rules.opening_jack == "bury" and rules.centre == "hidden":
        raise RuleSetError("opening_jack", "'bury' needs an open centre", "R5")
    if rules.opening_jack == "bury" and rules.bottom_card == "exposed":
        raise RuleSetError("opening_jack", "'bury' needs a hidden bottom card", "R5")
    if rules.opening_jack == "cover" and rules.centre == "open":
        raise RuleSetError("opening_jack", "'cover' needs a hidden centre", "R5")
    if rules.deals is not None and rules.deals > rules.max_deals:
        raise RuleSetError(
            "deals", f"{rules.deals} deals are more than max_deals, {rules.max_deals}"
        )
