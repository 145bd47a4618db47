"""What the property tests draw: rule sets that R5 and R8 allow, and deals at any point."""

from __future__ import annotations

import random

from hypothesis import settings
from hypothesis import strategies as st

from arena.game import Deal, make_deal
from protocol.rules import PRESETS, RuleSet, make_rules

bounded = settings(deadline=None, max_examples=150)
"""No property may be a timing test; many deals, but not for long."""

SHAPES = [
    {"decks": decks, "seats": seats, "sides": sides}
    for decks, tables in ((1, (2, 3, 4)), (2, (4, 5, 6)))
    for seats in tables
    for sides in range(2, seats + 1)
    if seats % sides == 0
]
"""Every combination of R8."""

CENTRES = [
    {"centre": centre, "opening_jack": jack, "bottom_card": bottom}
    for centre, jacks in (("open", ("bury", "keep")), ("hidden", ("cover", "keep")))
    for jack in jacks
    for bottom in ("hidden", "exposed")
    if (jack, bottom) != ("bury", "exposed")
]
"""Every combination of R5."""

_POINTS = st.integers(0, 30)
_CHOICES = {
    "deal_order": st.sampled_from(["hands-first", "table-first"]),
    "refill": st.sampled_from(["twos", "fours"]),
    "capture": st.sampled_from(["optional", "mandatory"]),
    "double_kseri": st.sampled_from(["takes", "keeps", "none"]),
    "jack_captures": st.booleans(),
    "first_play_kseri": st.booleans(),
    "last_play_kseri": st.booleans(),
    "sweep_kseri": st.booleans(),
    "jack_on_jack": _POINTS,
    "two_of_clubs_match": _POINTS,
    "last_capture_bonus": _POINTS,
    "points": st.fixed_dictionaries(
        {},
        optional={
            name: _POINTS
            for name in (
                "ace",
                "jack",
                "ten_of_diamonds",
                "two_of_clubs",
                "majority",
                "kseri",
                "double_kseri",
            )
        },
    ),
}


seeds = st.binary(min_size=32, max_size=32)


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    """A preset as it is, or with any fields overridden."""
    preset = draw(st.sampled_from(list(PRESETS)))
    if draw(st.booleans()):
        return make_rules(preset)
    fixed = draw(st.sampled_from(SHAPES)) | draw(st.sampled_from(CENTRES))
    return make_rules(preset, fixed | draw(st.fixed_dictionaries({}, optional=_CHOICES)))


def play_on(deal: Deal, rng: random.Random, plays: int | None = None) -> Deal:
    """Go on at random for so many plays, or to the end."""
    while not deal.over and plays != 0:
        deal.play(*rng.choice(deal.legal()))
        plays = None if plays is None else plays - 1
    return deal


@st.composite
def running_deals(draw: st.DrawFn) -> tuple[RuleSet, bytes, Deal]:
    """A deal before one of its plays, with the rule set and seed that it is made from."""
    rules, seed = draw(rule_sets()), draw(seeds)
    deal = make_deal(rules, seed, 1, seed[0] % rules.seats)
    left = sum(map(len, deal.hands)) + len(deal.stock)
    plays = draw(st.integers(0, left - 1))
    return rules, seed, play_on(deal, random.Random(seed), plays)
