"""What one seat may know of a running deal (R30). Nothing else of a deal may reach a bot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arena.game.deal import Deal, Option


class View(NamedTuple):
    """The table as one seat sees it in its turn."""

    hand: list[str]
    """The own hand, in the order dealt."""
    legal: list[Option]
    """Every legal answer."""
    pile: list[str]
    """Open cards, bottom to top."""
    hidden_centre: int
    """How many centre cards still lie face down."""
    taken_centre: list[str] | None
    """Those cards, for the side that took them."""
    marker: str | None
    """The card of a kseri just made, where it may be taken (R15)."""
    stock: int
    """How many cards are still to be dealt."""
    hands: list[int]
    """How many cards every seat holds."""
    captured: list[int]
    """How many cards every side has captured."""
    bonus: list[int]
    """Points of R12 to R17 that every side has made in this deal."""


def view(deal: Deal) -> View:
    """What the seat in turn may know, beside the plays, which were all in the open."""
    return View(
        deal.hands[deal.seat],
        deal.legal(),
        deal.pile,
        len(deal.hidden_centre),
        taken_centre(deal, deal.seat % deal.rules.sides),
        deal.marker,
        len(deal.stock),
        held_cards(deal),
        captured_cards(deal),
        bonus_points(deal),
    )


def taken_centre(deal: Deal, side: int) -> list[str] | None:
    """The hidden centre, where `side` took it (R11)."""
    return list(deal.taken_centre) if deal.taken_centre and deal.centre_taker == side else None


def held_cards(deal: Deal) -> list[int]:
    """How many cards every seat holds."""
    return [*map(len, deal.hands)]


def captured_cards(deal: Deal) -> list[int]:
    """How many cards every side has captured."""
    return [*map(len, deal.captured)]


def bonus_points(deal: Deal) -> list[int]:
    """Points of R12 to R17 by side in this deal so far."""
    if not deal.bonuses:
        return [0] * deal.rules.sides
    kinds = deal.kseri, deal.double_kseri, deal.jack_on_jack, deal.two_of_clubs_match
    return [a + b + c + d for a, b, c, d in zip(*kinds, strict=True)]


def hidden_centre_cards(deal: Deal) -> Sequence[str]:
    """The centre cards that lay face down, public when the deal is over (R30)."""
    return deal.taken_centre or deal.hidden_centre
