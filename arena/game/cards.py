"""Cards: two characters, rank then suit, the same string on every stage of the program."""

RANKS = "A23456789TJQK"
SUITS = "CDHS"

DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""One deck in the order of R27, before any shuffle."""


def is_jack(card: str) -> bool:
    """Whether the card is one of the four jacks."""
    return card[0] == "J"
