"""Which bots can stand on one scale: connection through games, and through points taken."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


class NoFiniteRatings(ValueError):
    """Without a prior the likelihood has no maximum: some bots took no point from the others.

    `bots` are their indices.
    """

    def __init__(self, bots: Sequence[int]) -> None:
        self.bots = tuple(bots)
        shown = ", ".join(map(str, bots[:10])) + (", ..." if len(bots) > 10 else "")
        super().__init__(
            f"without a prior there are no finite ratings: bots {shown} took no point from the "
            "others"
        )


def connected_groups(wins: Floats) -> list[Ints]:
    """Split the bots that have games into groups that no chain of games connects.

    `wins[i, j]` is the score of i against j. Largest group first, then by lowest bot index;
    a bot without games is in no group.
    """
    met = (wins + wins.T) > 0
    left = met.any(axis=1)
    groups = []
    while left.any():
        members = _reachable(met, int(np.argmax(left)))
        groups.append(np.flatnonzero(members))
        left &= ~members
    return sorted(groups, key=lambda group: (-len(group), int(group[0])))


def require_finite_ratings(wins: Floats, names: Ints) -> None:
    """Raise NoFiniteRatings unless every bot is linked to every other by points taken.

    Ford's condition (American Mathematical Monthly 64, 1957): however the bots are split in two,
    each part has taken a point from the other.
    """
    took = wins > 0
    pointless = _reachable(took, 0)
    if pointless.all():
        pointless = ~_reachable(took.T, 0)
    if pointless.any():
        raise NoFiniteRatings(names[pointless].tolist())


def _reachable(edges: Flags, start: int) -> Flags:
    """Flags of the bots that a walk along the edges from `start` comes to, itself among them."""
    seen = np.zeros(len(edges), dtype=np.bool_)
    seen[start] = True
    frontier = seen
    while frontier.any():
        frontier = edges[frontier].any(axis=0) & ~seen
        seen = seen | frontier
    return seen
