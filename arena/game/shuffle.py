"""Shuffling that anyone can check: R26 to R29. Everything here is a pure function of the seed."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from struct import Struct

from arena.game.cards import DECK, is_jack
from protocol.rules import RuleSet

_DEAL_ATTEMPT = Struct(">II")
_WORDS = Struct(">8I")


def _limit(k: int) -> int:
    """Words from here on are rejected, for the others to be equally likely mod k (R26)."""
    return 0x1_0000_0000 // k * k


_SWAPS = {size: [(i, i + 1, _limit(i + 1)) for i in range(size - 1, 0, -1)] for size in (52, 104)}
"""For every deck size the places i of R27 in their order, with k = i + 1 and its limit."""


class Stream:
    """The random words of one attempt at one deal (R26)."""

    __slots__ = ("words",)

    def __init__(self, seed: bytes, deal: int, attempt: int) -> None:
        self.words = _words(seed + _DEAL_ATTEMPT.pack(deal, attempt))
        """The words not read yet, each 0 .. 2^32 - 1, without end."""

    def uniform(self, k: int) -> int:
        """A number of 0 .. k - 1, all equally likely, by rejection (R26)."""
        limit = _limit(k)
        word = next(self.words)
        while word >= limit:
            word = next(self.words)
        return word % k


def _words(prefix: bytes) -> Iterator[int]:
    for block in count():
        yield from _WORDS.unpack(sha256(prefix + block.to_bytes(4, "big")).digest())


def first_dealer(seed: bytes, seats: int) -> int:
    """The dealer of a game's first deal (R2, R26)."""
    return Stream(seed, 0, 0).uniform(seats)


def commitment(salt: bytes, seed: bytes) -> str:
    """What the arena publishes before the first deal, in hex (R29)."""
    return sha256(salt + seed).hexdigest()


def shuffled(stream: Stream, rules: RuleSet) -> list[str]:
    """The deck in the order dealt, after the shuffle (R27) and R6's cuts."""
    deck = list(DECK * rules.decks)
    words = stream.words
    # `uniform`, without the call for each of 51 or 103 cards.
    for (i, k, limit), word in zip(_SWAPS[len(deck)], words, strict=False):
        while word >= limit:
            word = next(words)
        j = word % k
        deck[i], deck[j] = deck[j], deck[i]
    if rules.bottom_card == "exposed":
        deck = _cut(deck, stream)
        while is_jack(deck[-1]):
            deck = _cut(deck, stream)
    return deck


def _cut(deck: list[str], stream: Stream) -> list[str]:
    place = 1 + stream.uniform(len(deck) - 1)
    return deck[place:] + deck[:place]
