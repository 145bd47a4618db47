"""Cards and plays for the terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

_SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def card_text(card: str) -> Text:
    """A card with its suit as a sign, red or not."""
    rank = "10" if card[0] == "T" else card[0]
    # U+FE0E asks for the plain sign where a font has a coloured one too.
    return Text(f"{rank}{_SUITS[card[1]]}\ufe0e", style="red" if card[1] in "DH" else "")


def cards_text(cards: Iterable[str]) -> Text:
    """Cards side by side."""
    return Text(" ").join(map(card_text, cards))
