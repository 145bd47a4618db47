"""Who may play with whom at a table of drawn partners. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import msgspec

from arena.pairing.base import Pairing


def with_partners(pairings: Sequence[Pairing], sides: int) -> list[Pairing]:
    """Every table once for each way to part its entrants into sides.

    So everybody has every other one as a partner equally often. Seat s belongs to side s mod
    `sides`, which divides the number of entrants.
    """
    return [
        msgspec.structs.replace(pairing, entrants=_seated(parts))
        for pairing in pairings
        for parts in _partitions(pairing.entrants, len(pairing.entrants) // sides)
    ]


def _partitions(entrants: tuple[str, ...], size: int) -> Iterator[list[tuple[str, ...]]]:
    """All ways to part the entrants into groups of `size`; the first entrant's group first."""
    if not entrants:
        yield []
        return
    first, rest = entrants[0], entrants[1:]
    for partners in combinations(rest, size - 1):
        left = tuple(label for label in rest if label not in partners)
        for others in _partitions(left, size):
            yield [(first, *partners), *others]


def _seated(parts: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Sides in turn around the table."""
    return tuple(label for row in zip(*parts, strict=True) for label in row)
