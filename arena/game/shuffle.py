"""Shuffling that anyone can check: R26 to R29. Everything here is a pure function of the seed."""

from __future__ import annotations

import hashlib
from struct import Struct

from arena.game.cards import DECK, is_jack
from protocol.rules import RuleSet

_HEADER = Struct(">III")
_WORDS = Struct(">8I")


class Stream:
    """The random words of one attempt at one deal (R26)."""

    __slots__ = ("_block", "_prefix", "_deal", "_attempt", "_words")

    def __init__(self, seed: bytes, deal: int, attempt: int) -> None:
        self._prefix = hashlib.sha256(seed)
        self._deal, self._attempt, self._block = deal, attempt, 0
        self._words: list[int] = []

    def word(self) -> int:
        """The next word, 0 .. 2^32 - 1."""
        if not self._words:
            digest = self._prefix.copy()
            digest.update(_HEADER.pack(self._deal, self._attempt, self._block))
            self._words = list(reversed(_WORDS.unpack(digest.digest())))
            self._block += 1
        return self._words.pop()

    def uniform(self, k: int) -> int:
        """A number of 0 .. k - 1, all equally likely, by rejection (R26)."""
        limit = 0x1_0000_0000 - 0x1_0000_0000 % k
        word = self.word()
        while word >= limit:
            word = self.word()
        return word % k


def first_dealer(seed: bytes, seats: int) -> int:
    """The dealer of a game's first deal (R2, R26)."""
    return Stream(seed, 0, 0).uniform(seats)


def commitment(salt: bytes, seed: bytes) -> str:
    """What the arena publishes before the first deal, in hex (R29)."""
    return hashlib.sha256(salt + seed).hexdigest()


def shuffled(stream: Stream, rules: RuleSet) -> list[str]:
    """The deck in the order dealt, after the shuffle (R27) and R6's cuts."""
    deck = list(DECK * rules.decks)
    for i in range(len(deck) - 1, 0, -1):
        j = stream.uniform(i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    if rules.bottom_card == "exposed":
        deck = _cut(deck, stream)
        while is_jack(deck[-1]):
            deck = _cut(deck, stream)
    return deck


def _cut(deck: list[str], stream: Stream) -> list[str]:
    place = 1 + stream.uniform(len(deck) - 1)
    return deck[place:] + deck[:place]
