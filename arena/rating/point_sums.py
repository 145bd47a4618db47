"""Points of matches summed up by pairing: what every fit of points a deal starts from."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import msgspec
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FEWEST_ENTRANTS, MOST_ENTRANTS = 2, 6


class PairingPoints(msgspec.Struct, frozen=True):
    """All that points a deal need to know of the matches of one pairing.

    For each match z = (points of the first entrant, ..., points of the last, deals), summed over
    its counted deals.
    """

    bots: tuple[int, ...]
    """The entrants' indices from 0, two to six different ones."""
    matches: int
    """Matches with at least one counted deal."""
    sums: tuple[float, ...]
    """The sum of z over the matches: one number an entrant, then the deals."""
    products: tuple[float, ...]
    """The sum of z z' over the matches: its upper triangle, row by row."""

    def with_match(self, points: Sequence[float], deals: int) -> PairingPoints:
        """These and one more match: each entrant's points in its counted deals.

        Raises ValueError where no deal counts, or for points of more or fewer entrants.
        """
        if deals < 1 or len(points) != len(self.bots):
            raise ValueError(f"expected points of {len(self.bots)} entrants in at least one deal")
        z = (*points, deals)
        pairs = combinations_with_replacement(z, 2)
        return PairingPoints(
            self.bots,
            self.matches + 1,
            tuple(total + one for total, one in zip(self.sums, z, strict=True)),
            tuple(total + u * v for total, (u, v) in zip(self.products, pairs, strict=True)),
        )


def no_points(bots: Sequence[int]) -> PairingPoints:
    """A pairing before its first match."""
    size = len(bots) + 1
    return PairingPoints(tuple(bots), 0, (0,) * size, (0,) * (size * (size + 1) // 2))


@dataclass(frozen=True, eq=False)
class PointSums:
    """Pairings of equally many entrants as columns, one row a pairing.

    The same bots may come in several rows. Raises ValueError where a row can't have happened.
    """

    bots: Ints
    """(rows, entrants): the entrants' indices from 0, two to six different ones."""
    matches: Ints
    """Matches with at least one counted deal."""
    sums: Floats
    """(rows, entrants + 1): points of each entrant over all matches, then the deals."""
    products: Floats
    """(rows, (entrants + 1)(entrants + 2)/2): sums of products of two of them over the matches,
    the upper triangle row by row."""

    def __post_init__(self) -> None:
        rows, k = self.bots.shape
        if not FEWEST_ENTRANTS <= k <= MOST_ENTRANTS:
            raise ValueError(f"a pairing has 2 to 6 entrants, not {k}")
        if self.matches.shape != (rows,) or self.sums.shape != (rows, k + 1):
            raise ValueError("the columns of the points differ in size")
        if self.products.shape != (rows, (k + 1) * (k + 2) // 2):
            raise ValueError("the products of the points have another size")
        ordered = np.sort(self.bots, axis=1)
        if (ordered[:, 0] < 0).any() or (ordered[:, 1:] == ordered[:, :-1]).any():
            raise ValueError("the entrants of a pairing are different indices from 0")
        if not (self.deals >= self.matches).all() or not (self.matches >= 0).all():
            raise ValueError("a match whose points count has at least one deal")
        if not np.isfinite(self.products).all():
            raise ValueError("points that are no numbers, or too large ones")

    @property
    def entrants(self) -> int:
        """Entrants of each pairing."""
        return int(self.bots.shape[1])

    @property
    def deals(self) -> Floats:
        """Counted deals of each row."""
        return self.sums[:, -1]


def point_sums(pairings: Iterable[PairingPoints]) -> tuple[PointSums, ...]:
    """The pairings as columns, one block for each number of entrants that occurs.

    Raises ValueError where a pairing can't have happened.
    """
    tables: dict[int, array[float]] = {}
    for pairing in pairings:
        k = len(pairing.bots)
        if (len(pairing.sums), 2 * len(pairing.products)) != (k + 1, (k + 1) * (k + 2)):
            raise ValueError(f"pairing {pairing.bots}: sums or products of another size")
        row = (*pairing.bots, pairing.matches, *pairing.sums, *pairing.products)
        tables.setdefault(k, array("d")).extend(row)
    return tuple(_columns(k, table) for k, table in sorted(tables.items()))


def _columns(k: int, table: array[float]) -> PointSums:
    sums, products = k + 1, 2 * k + 2
    rows = np.frombuffer(table).reshape(-1, products + (k + 1) * (k + 2) // 2)
    bots, matches = rows[:, :k].astype(np.int64), rows[:, k].astype(np.int64)
    return PointSums(bots, matches, rows[:, sums:products], rows[:, products:])
