"""Pairs for those who are left over, by exchanges with pairs that stand.

Players are numbered by rank from 0; `met[a]` is whom a has met and may not meet again. Mates are
changed in place.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

Mates = dict[int, int]
"""Who is paired with whom, both ways."""
Met = Sequence[Collection[int]]


class _Way(NamedTuple):
    """One way to pair two who are left over."""

    cost: tuple[float, float]
    """How much worse the pairs become: distances in score squared, nearness within a group."""
    above: int
    """Less where lower boards change."""
    pairs: tuple[tuple[int, int], ...]
    """All pairs that are new."""


def exchange(mates: Mates, left: Sequence[int], met: Met, score: Sequence[float]) -> list[int]:
    """Pair those left over with one another, each time changing one pair at most; returns the rest.

    Nobody is left where everybody may meet at least half of the players, by the argument that
    proves Dirac's theorem (Proceedings of the London Mathematical Society 2, 1952): if no pair
    could take in the two of them, one partner each, every pair would have at most two links to
    them, which is fewer than they have.
    """
    stuck: list[int] = []
    for one in left:
        for other in stuck:
            ways = list(_ways(mates, one, other, met, score))
            if ways:
                _join(mates, min(ways).pairs)
                stuck.remove(other)
                break
        else:
            stuck.append(one)
    return stuck


def _join(mates: Mates, pairs: Sequence[tuple[int, int]]) -> None:
    for a, b in pairs:
        mates[a], mates[b] = b, a


def _ways(mates: Mates, one: int, other: int, met: Met, score: Sequence[float]) -> Iterator[_Way]:
    def gap(a: int, b: int) -> float:
        return (score[a] - score[b]) ** 2

    if other not in met[one]:
        yield _Way((gap(one, other), -abs(one - other)), 0, ((one, other),))
    for a, b in mates.items():
        if a not in met[one] and b not in met[other]:
            gaps = gap(one, a) + gap(other, b) - gap(a, b)
            nearness = abs(a - b) - abs(one - a) - abs(other - b)
            yield _Way((gaps, nearness), -a, ((one, a), (other, b)))


def augment(mates: Mates, left: Sequence[int], met: Met) -> bool:
    """Pair all who are left over, whoever must change for it; False if nobody's pairs allow that.

    Edmonds, "Paths, trees, and flowers" (Canadian Journal of Mathematics 17, 1965): O(n^2) steps
    for each of those left over.
    """
    return all(root in mates or _Search(mates, met).pair(root) for root in left)


class _Search:
    """A breadth-first search for a path on which every other link is a pair, from one without."""

    def __init__(self, mates: Mates, met: Met) -> None:
        self._mates = mates
        self._met = met
        self._base = list(range(len(met)))
        """The base of the odd cycle that a player was shrunk into, or the player."""
        self._parent: dict[int, int] = {}
        self._outer: set[int] = set()
        """Reached over an even number of links: from these the search goes on."""
        self._queue: deque[int] = deque()

    def pair(self, root: int) -> bool:
        """Whether a path was found; then its pairs are exchanged for the links between them."""
        self._reach(root)
        while self._queue:
            one = self._queue.popleft()
            for other in range(len(self._met)):
                if self._is_link(one, other) and self._follow(one, other, root):
                    self._turn_round(other)
                    return True
        return False

    def _reach(self, player: int) -> None:
        if player not in self._outer:
            self._outer.add(player)
            self._queue.append(player)

    def _is_link(self, one: int, other: int) -> bool:
        same = self._base[one] == self._base[other]
        return not same and other not in self._met[one] and self._mates.get(one) != other

    def _follow(self, one: int, other: int, root: int) -> bool:
        """Go over a link; whether it ends at somebody else who is without a pair."""
        if other in self._outer:
            self._shrink(one, other, root)
        elif other not in self._parent:
            self._parent[other] = one
            if other not in self._mates:
                return True
            self._reach(self._mates[other])
        return False

    def _shrink(self, one: int, other: int, root: int) -> None:
        """Everybody on the odd cycle that a link of two outer players closes becomes outer."""
        stem = set(self._bases(one, root))
        base = next(player for player in self._bases(other, root) if player in stem)
        cycle = self._lift(one, base, other) | self._lift(other, base, one)
        for player, old in enumerate(self._base):
            if old in cycle:
                self._base[player] = base
                self._reach(player)

    def _bases(self, player: int, root: int) -> Iterator[int]:
        """The bases of the outer players from this one back to the root."""
        player = self._base[player]
        yield player
        while player != self._base[root]:
            player = self._base[self._parent[self._mates[player]]]
            yield player

    def _lift(self, player: int, base: int, child: int) -> set[int]:
        """Parents for the way round the cycle; the bases of whom it passes."""
        passed = set()
        while self._base[player] != base:
            mate = self._mates[player]
            passed |= {self._base[player], self._base[mate]}
            self._parent[player] = child
            child, player = mate, self._parent[mate]
        return passed

    def _turn_round(self, end: int | None) -> None:
        while end is not None:
            before = self._parent[end]
            after = self._mates.get(before)
            _join(self._mates, [(before, end)])
            end = after
