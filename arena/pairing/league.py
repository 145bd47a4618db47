"""A league: a balanced round robin without end, batch by batch, which bots join and leave.

Opponents of like strength would tell most about each other, but bots that meet only their
neighbours are hardly compared with anybody else: their ratings spread too far, within intervals
that are too narrow. So everybody meets everybody; only a new bot's first matches go by rating.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from heapq import nsmallest
from itertools import permutations

import msgspec

from arena.pairing.base import Pairing

PLACEMENT = 10
"""A bot is new until it has played so many matches."""
PLACEMENT_OPPONENTS = 5
"""Among how many opponents a new bot's placement rotates."""

SPREAD = 2
"""So many pairings apart, and hardly ever more, are bots that joined together."""


class Member(msgspec.Struct, frozen=True):
    """A bot of the league, as it stands before a batch."""

    label: str
    rating: float = 1500.0
    """Elo; 1500 while it has none."""
    matches: int = 0
    """How many it has played in the league."""
    owners: frozenset[str] = frozenset()
    """Names of those who stand behind it."""

    @property
    def is_new(self) -> bool:
        """Whether it has played fewer than `PLACEMENT` matches."""
        return self.matches < PLACEMENT


def next_batch(
    members: Sequence[Member],
    played: Mapping[tuple[str, ...], int],
    pairings: int,
    matches: int,
    round: int,
    size: int = 2,
) -> list[Pairing]:
    """The next `pairings` pairings of `matches` matches each; fewer if no table can be filled.

    `played` is how many matches each pairing has had, those too that were annulled: numbers of
    matches go on from there. Its keys are entrants, two in the order of their labels, more as they
    sat; bots that have left may be among them. `round` is the number of the batch, from 1.

    The bot with the fewest matches comes first, then whoever has met those at the table least;
    equals by fewest matches, then by a digest of round and label. Whoever is behind meets all,
    not only others that are. A bot is in no more pairings of a batch than twice its share, or
    five if that is more: one that is far behind catches up over several batches, its rating made
    anew between them.

    Two sides: a bot that is new, or has met fewer than five opponents, rotates among the five
    nearest in rating, for which p(1 - p) is largest. These must not be new, and more than two
    pairings ahead, so that bots that joined together don't place each other; without five such
    it is paired as all are. More sides: bots with a common owner don't sit at one table, and the
    order of seats changes from batch to batch.
    """
    batch = _Batch(members, played, matches, round, size)
    most = max(PLACEMENT_OPPONENTS, 2 * -(-size * pairings // max(1, len(members))))
    found = []
    for _ in range(pairings):
        table = batch.next_table(most)
        if table is None:
            break
        found.append(batch.enter(table))
    return found


class _Batch:
    """What was played, as it will be after the pairings that are made."""

    def __init__(
        self,
        members: Sequence[Member],
        played: Mapping[tuple[str, ...], int],
        matches: int,
        round: int,
        size: int,
    ) -> None:
        self._each = matches
        self._round = round
        self._size = size
        self._members = {member.label: member for member in members}
        self._digest = {label: _digest(round, label) for label in self._members}
        self._matches = {member.label: member.matches for member in members}
        self._pairings = dict.fromkeys(self._members, 0)
        self._played = Counter(played)
        self._met: dict[str, dict[str, int]] = {label: {} for label in self._members}
        for entrants, count in played.items():
            self._count(entrants, count)

    def next_table(self, most: int) -> tuple[str, ...] | None:
        """Who is to meet next, if anybody can; nobody who is in `most` pairings already."""
        free = [label for label, count in self._pairings.items() if count < most]
        free.sort(key=lambda label: (self._matches[label], self._digest[label]))
        for first in free:
            table = self._table(first, free)
            if table is not None:
                return table
        return None

    def enter(self, table: Sequence[str]) -> Pairing:
        """Make it a pairing; its matches count for those that follow."""
        by_digest = self._digest.__getitem__
        entrants = tuple(sorted(table) if self._size == 2 else sorted(table, key=by_digest))
        pairing = Pairing(self._round, entrants, self._played[entrants] + 1, self._each)
        self._played[entrants] += self._each
        self._count(entrants, self._each)
        for label in entrants:
            self._matches[label] += self._each
            self._pairings[label] += 1
        return pairing

    def _count(self, entrants: Sequence[str], matches: int) -> None:
        for a, b in permutations([label for label in entrants if label in self._met], 2):
            met = self._met[a]
            met[b] = met.get(b, 0) + matches

    def _table(self, first: str, free: Sequence[str]) -> tuple[str, ...] | None:
        """A table for `first`; None if too few can sit at it."""
        placing = self._placing(first) if self._size == 2 else []
        near = [label for label in free if label in placing]
        if near:
            return first, _least(near, Counter(self._met[first]))
        return self._balanced(first, free)

    def _balanced(self, first: str, free: Sequence[str]) -> tuple[str, ...] | None:
        """A table of bots that have met each other least."""
        table, met = [first], Counter(self._met[first])
        while len(table) < self._size:
            others = self._others(table, free)
            if not others:
                return None
            table.append(_least(others, met))
            met.update(self._met[table[-1]])
        return tuple(table)

    def _others(self, table: Sequence[str], free: Sequence[str]) -> list[str]:
        """Who may sit at the table too."""
        owners = self._owners(table)
        return [
            label
            for label in free
            if label not in table and owners.isdisjoint(self._members[label].owners)
        ]

    def _owners(self, table: Sequence[str]) -> frozenset[str]:
        """Whose bots may not sit at the table too."""
        if self._size == 2:
            return frozenset()
        return frozenset().union(*(self._members[label].owners for label in table))

    def _placing(self, label: str) -> list[str]:
        """Who places a bot that is still to be placed; nobody where there are too few."""
        played, rating = self._matches[label], self._members[label].rating
        if played >= PLACEMENT and len(self._met[label]) >= PLACEMENT_OPPONENTS:
            return []
        ahead = [
            (abs(one.rating - rating), self._digest[one.label], one.label)
            for one in self._members.values()
            if not one.is_new and self._matches[one.label] > played + SPREAD * self._each
        ]
        nearest = nsmallest(PLACEMENT_OPPONENTS, ahead)
        return [one for _, _, one in nearest] if len(nearest) == PLACEMENT_OPPONENTS else []


def _least(labels: Sequence[str], met: Counter[str]) -> str:
    """The first of those that were met least."""
    unmet = next((label for label in labels if label not in met), None)
    return min(labels, key=met.__getitem__) if unmet is None else unmet


def _digest(round: int, label: str) -> bytes:
    return sha256(f"{round},{label}".encode()).digest()
