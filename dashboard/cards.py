"""Playing cards as SVG: the drawings of a sprite, and how a card is named."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache
from typing import Any

from markupsafe import Markup

from arena.game import DECK

_RANK_NAMES = {
    "A": "ace",
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "T": "ten",
    "J": "jack",
    "Q": "queen",
    "K": "king",
}
_SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
# The variation selector keeps a phone from drawing the suit as a coloured emoji.
_SUIT_SIGNS = {"C": "♣\ufe0e", "D": "♦\ufe0e", "H": "♥\ufe0e", "S": "♠\ufe0e"}

_LEFT, _MIDDLE, _RIGHT = 30, 50, 70
_PIPS: dict[str, list[tuple[int, int]]] = {
    "2": [(_MIDDLE, 32), (_MIDDLE, 108)],
    "3": [(_MIDDLE, 32), (_MIDDLE, 70), (_MIDDLE, 108)],
    "4": [(x, y) for x in (_LEFT, _RIGHT) for y in (32, 108)],
    "5": [(x, y) for x in (_LEFT, _RIGHT) for y in (32, 108)] + [(_MIDDLE, 70)],
    "6": [(x, y) for x in (_LEFT, _RIGHT) for y in (32, 70, 108)],
    "7": [(x, y) for x in (_LEFT, _RIGHT) for y in (32, 70, 108)] + [(_MIDDLE, 51)],
    "8": [(x, y) for x in (_LEFT, _RIGHT) for y in (32, 70, 108)] + [(_MIDDLE, 51), (_MIDDLE, 89)],
    "9": [(x, y) for x in (_LEFT, _RIGHT) for y in (30, 57, 83, 110)] + [(_MIDDLE, 70)],
    "T": [(x, y) for x in (_LEFT, _RIGHT) for y in (30, 57, 83, 110)]
    + [(_MIDDLE, 43), (_MIDDLE, 97)],
}
"""Where the pips lie on a card of 100 by 140; those of the lower half stand on their heads."""

_SUITS = {
    "C": '<circle cy="-4.8" r="4.7"/><circle cx="-4.9" cy="2" r="4.7"/>'
    '<circle cx="4.9" cy="2" r="4.7"/>'
    '<path d="M-1-1H1C1.1 5 1.8 8 3.6 10H-3.6C-1.8 8-1.1 5-1-1Z"/>',
    "D": '<path d="M0-10.5C2-6.5 5-2.5 7.5 0 5 2.5 2 6.5 0 10.5-2 6.5-5 2.5-7.5 0-5-2.5-2-6.5'
    ' 0-10.5Z"/>',
    "H": '<path d="M0 9.5C-3 5.5-9.2 1.5-9.2-3.8-9.2-7.2-7-9.2-4.5-9.2-2.4-9.2-.7-8 0-5.6'
    ' .7-8 2.4-9.2 4.5-9.2 7-9.2 9.2-7.2 9.2-3.8 9.2 1.5 3 5.5 0 9.5Z"/>',
    "S": '<path d="M0-10C3-5 9.2-1.5 9.2 3.2 9.2 8 4.2 8.8 1.2 5.4 1.4 7.4 2.2 9 3.6 10H-3.6'
    'C-2.2 9-1.4 7.4-1.2 5.4-4.2 8.8-9.2 8-9.2 3.2-9.2-1.5-3-5 0-10Z"/>',
}
"""The suits, about 20 by 20 around the origin."""

_FIGURES = {
    "J": '<path d="M35 58V50C35 40 42 33 52 33C62 33 68 41 67 50V58Z"/>'
    '<path class="gold" d="M33 56H69V61H33Z"/>'
    '<path d="M62 36C66 26 74 26 77 29 74 36 68 39 64 40Z"/>',
    "Q": '<path d="M31 58L27 38 39 48 44 33 50 46 56 33 61 48 73 38 69 58Z"/>'
    '<circle cx="27" cy="35" r="3"/><circle cx="44" cy="30" r="3"/>'
    '<circle cx="56" cy="30" r="3"/><circle cx="73" cy="35" r="3"/>'
    '<path class="gold" d="M31 56H69V61H31Z"/>',
    "K": '<path d="M32 58L28 34 40 46 50 28 60 46 72 34 68 58Z"/>'
    '<path d="M48 20H52V24H56V28H52V34H48V28H44V24H48Z"/>'
    '<path class="gold" d="M32 56H68V61H32Z"/>',
}
"""Hat, tiara and crown: what the upper half of a court card shows."""


def card_name(card: str) -> str:
    """The card in words, as in "seven of hearts"."""
    return f"{_RANK_NAMES[card[0]]} of {_SUIT_NAMES[card[1]]}"


def card_sign(card: str) -> Markup:
    """The card in a line of text, as in 7♥, in its colour and with its name."""
    return Markup('<span class="sign {}"><span aria-hidden="true">{}</span>{}</span>').format(
        f"suit-{card[1]}",
        card_text(card),
        Markup('<span class="unseen">{}</span>').format(card_name(card)),
    )


def card_text(card: str) -> str:
    """The card as bare text, as in 7♥."""
    return f"{'10' if card[0] == 'T' else card[0]}{_SUIT_SIGNS[card[1]]}"


def cards_line(cards: Sequence[str | None], valued: Collection[str] = ()) -> Markup:
    """Many cards in a line of text under one name; None is face down, `valued` ones stand out."""
    signs = Markup(" ").join(_small(card, card in valued) for card in cards)
    return Markup('<span class="cards" role="img" aria-label="{}">{}</span>').format(
        cards_told(cards), signs
    )


def _small(card: str | None, is_valued: bool) -> Markup:
    if card is None:
        return Markup('<i class="down"></i>')
    tag = Markup("b" if is_valued else "span")
    return Markup('<{0} class="suit-{1}">{2}</{0}>').format(tag, card[1], card_text(card))


def cards_told(cards: Sequence[str | None]) -> str:
    """Cards in words, those face down counted."""
    down = sum(card is None for card in cards)
    told = [card_name(card) for card in cards if card is not None]
    return ", ".join(told + ([f"{down} face down"] if down else [])) or "none"


def card_svg(card: str, classes: str = "", note: str = "") -> Markup:
    """The card as a picture; `note` goes into its name, as in "…, next to be played"."""
    name = f"{card_name(card)}, {note}" if note else card_name(card)
    return Markup(
        '<svg class="card {}" viewBox="0 0 100 140" role="img" aria-label="{}" data-card="{}">'
        '<use href="#card-{}"/></svg>'
    ).format(classes, name, card, card)


def back_svg(name: str, classes: str = "") -> Markup:
    """A card's back with that name."""
    return Markup(
        '<svg class="card {}" viewBox="0 0 100 140" role="img" aria-label="{}">'
        '<use href="#card-back"/></svg>'
    ).format(classes, name)


@cache
def sprite() -> Markup:
    """The drawings that `card_svg` and `back_svg` refer to; once a page, before them."""
    suits = "".join(f'<g id="suit-{suit}">{path}</g>' for suit, path in _SUITS.items())
    faces = "".join(map(_face, DECK))
    return Markup(
        f'<svg class="sprite" width="0" height="0" aria-hidden="true"><defs>{suits}'
        f'<rect id="blank" x="1" y="1" width="98" height="138" rx="8"/>{_back()}{faces}'
        "</defs></svg>"
    )


def _face(card: str) -> str:
    corner = _corner(card)
    return (
        f'<g id="card-{card}" class="face suit-{card[1]}"><use href="#blank" class="paper"/>'
        f'{corner}<g transform="rotate(180 50 70)">{corner}</g>{_middle(card)}</g>'
    )


def _corner(card: str) -> str:
    rank, fit = card[0], ""
    if rank == "T":
        rank, fit = "10", ' textLength="20" lengthAdjust="spacingAndGlyphs"'
    return (
        f'<text x="13" y="21"{fit}>{rank}</text>'
        f'<use href="#suit-{card[1]}" transform="translate(13 31) scale(.62)"/>'
    )


def _middle(card: str) -> str:
    rank, suit = card[0], card[1]
    if rank == "A":
        return f'<use href="#suit-{suit}" transform="translate(50 70) scale(2.4)"/>'
    if rank in _FIGURES:
        return _court(rank, suit)
    return "".join(
        f'<use href="#suit-{suit}" transform="translate({x} {y}){"scale(-1)" if y > 70 else ""}"/>'
        for x, y in _PIPS[rank]
    )


def _court(rank: str, suit: str) -> str:
    half = (
        f'<use href="#suit-{suit}" transform="translate(33 28) scale(.6)"/>'
        f'<g transform="translate(8 9) scale(.84)">{_FIGURES[rank]}</g>'
    )
    return (
        f'<rect class="frame" x="23" y="18" width="54" height="104" rx="3"/>{half}'
        f'<g transform="rotate(180 50 70)">{half}</g>'
        '<path class="sash" d="M23.5 87L76.5 53M23.5 80L76.5 46M23.5 94L76.5 60"/>'
    )


def _back() -> str:
    """Lines instead of a pattern: patterns are lost where a sprite is reused."""
    down = "".join(f"M{x} 9L{x + 122} 131" for x in range(-113, 91, 14))
    up = "".join(f"M{x} 131L{x + 122} 9" for x in range(-113, 91, 14))
    return (
        '<clipPath id="back-frame"><rect x="9" y="9" width="82" height="122" rx="4"/></clipPath>'
        '<g id="card-back"><use href="#blank" class="paper"/>'
        '<rect class="back" x="9" y="9" width="82" height="122" rx="4"/>'
        f'<path class="lattice" clip-path="url(#back-frame)" d="{down}{up}"/></g>'
    )


GLOBALS: dict[str, Callable[..., Any]] = {
    "card_name": card_name,
    "card_sign": card_sign,
    "card_text": card_text,
    "cards_line": cards_line,
    "card_svg": card_svg,
    "back_svg": back_svg,
    "card_sprite": sprite,
}
"""What templates call."""
