"""Kinds whose pairings are known before the first game: round robin and gauntlet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from arena.pairing.base import Pairing

Owners = Mapping[str, frozenset[str]]
"""Who stands behind an entrant, by label; whoever is not named is nobody's."""


def round_robin(
    labels: Sequence[str], size: int, matches: int, owners: Owners | None = None
) -> list[Pairing]:
    """Every set of as many entrants as a table takes; `labels` in the order of entry.

    Two entrants meet in the order of their labels, so that neither pairings nor their order depend
    on the order of entry; at larger tables they sit in the order of entry. Of these, those are
    left out at which two entrants share an owner.
    """
    ordered = sorted(labels) if size == 2 else labels
    return _pairings(combinations(ordered, size), size, matches, owners)


def gauntlet(
    labels: Sequence[str],
    challengers: int,
    size: int,
    matches: int,
    owners: Owners | None = None,
) -> list[Pairing]:
    """Each of the first `challengers` labels against all others, never against each other.

    A table of more than two takes every set of entrants that has exactly one challenger. Seats
    and owners are as in a round robin; pairings go challenger by challenger. Raises ValueError
    unless there are a challenger and somebody to meet.
    """
    if not 1 <= challengers < len(labels):
        raise ValueError(f"a gauntlet of {len(labels)} has 1 to {len(labels) - 1} challengers")
    others = labels[challengers:]
    tables = (
        (challenger, *rest)
        for challenger in labels[:challengers]
        for rest in combinations(others, size - 1)
    )
    return _pairings(tables, size, matches, owners)


def share_owner(entrants: Sequence[str], owners: Owners) -> bool:
    """Whether any two of the entrants share an owner."""
    behind = [owners.get(label, frozenset()) for label in entrants]
    return len(frozenset().union(*behind)) < sum(map(len, behind))


def _pairings(
    tables: Iterable[tuple[str, ...]], size: int, matches: int, owners: Owners | None
) -> list[Pairing]:
    """The only round; of two, neither can help the other against a third, whoever owns them."""
    if size == 2:
        tables = (tuple(sorted(table)) for table in tables)
    elif owners:
        tables = (table for table in tables if not share_owner(table, owners))
    return [Pairing(1, table, 1, matches) for table in tables]
