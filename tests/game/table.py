"""Deals made to order: a test names the centre and the plays, the deck follows from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from arena.game import Deal, IllegalPlay, side_scores
from protocol.rules import RuleSet, make_rules
from tests.game import naive


def rules_of(preset: str = "kseri", **overrides: Any) -> RuleSet:
    """A rule set, shorter to write."""
    return make_rules(preset, overrides)


def no_burying(length: int) -> int:
    """For deals whose centre holds no jack."""
    raise AssertionError(f"a jack was buried in a stock of {length}")


def stacked_deck(rules: RuleSet, dealer: int, centre: Sequence[str], plays: Sequence[str]):
    """The deck from which `centre` is dealt and `plays` can be made in this order.

    Cards that are not named go where room is left, in the order of R27 from the king of spades
    down. The centre must not make burying necessary.
    """
    places = list(range(52 * rules.decks))
    size, total = naive.centre_size(rules), len(places)
    hands, centre_places = naive.first_cards(places, rules, dealer)
    play_places = []
    while any(hands):
        for turn in range(4 * rules.seats):
            play_places.append(hands[(dealer + 1 + turn) % rules.seats].pop(0))
        if places:
            naive.refill(places, hands, rules, dealer)
    named = [*centre, *plays]
    rest = list((Counter(naive.ordered_deck(rules)) - Counter(named)).elements())
    assert len(rest) == total - len(named), f"{named} are not {len(named)} cards of the deck"
    assert len(centre) in (0, size)
    rest.sort(key=naive.ordered_deck(rules).index, reverse=True)
    if not centre:
        quiet = [card for card in rest if card[0] != "J"][:size]
        centre = quiet
        for card in quiet:
            rest.remove(card)
    cards = dict(zip([*centre_places, *play_places], [*centre, *plays, *rest], strict=True))
    return [cards[place] for place in range(total)]


def dealt(rules: RuleSet, centre: str = "", plays: str = "", dealer: int = 0) -> Deal:
    """A deal with this centre in which these cards can be played in this order."""
    cards = [word.rstrip("-+") for word in plays.split()]
    return Deal(rules, dealer, stacked_deck(rules, dealer, centre.split(), cards), no_burying)


def put_down(deal: Deal, plays: str) -> Deal:
    """Make the plays: `7H` captures if it can, `7H+` must, `7H-` is laid."""
    for word in plays.split():
        deal.play(word[:2], {"+": True, "-": False}.get(word[2:]))
    return deal


def played(rules: RuleSet, centre: str, plays: str, dealer: int = 0) -> Deal:
    """A deal with this centre after these plays."""
    return put_down(dealt(rules, centre, plays, dealer), plays)


def played_out(rules: RuleSet, centre: str, first: str, last: str, dealer: int = 0) -> Deal:
    """A whole deal that begins and ends with these plays; all cards between are laid.

    The rule set must let them be laid (`capture = optional`).
    """
    named = f"{centre} {first} {last}".replace("-", "").replace("+", "").split()
    rest = Counter(naive.ordered_deck(rules)) - Counter(named)
    between = " ".join(f"{card}-" for card in sorted(rest.elements()))
    return played(rules, centre, f"{first} {between} {last}", dealer)


def refused(deal: Deal, card: str, capture: bool | None = None) -> str:
    """Which rule forbids the play."""
    with pytest.raises(IllegalPlay) as refusal:
        deal.play(card, capture)
    return refusal.value.rule


def scores(deal: Deal) -> list[dict[str, int]]:
    """What every side has made, points worth 0 left out."""
    return [
        {name: value for name, value in msgspec.structs.asdict(side).items() if value}
        for side in side_scores(deal)
    ]


def kseri_points(deal: Deal) -> list[int]:
    """The points of R12, R15's taking back and R20, by side."""
    return [side.kseri for side in side_scores(deal)]
