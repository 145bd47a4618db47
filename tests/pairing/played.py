"""Tournaments played out for tests: pairings in, what came of them out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random

from arena.pairing import Met, Pairing

ROTATIONS = 2
NO_END = 2000
"""More pairings than any tournament of the tests has: it does not end."""

Judge = Callable[[Pairing], tuple[float, float]]
"""From a pairing to what its first entrant scores and by how many points it is ahead."""


def labels_of(count: int) -> list[str]:
    return [f"b{number:03}" for number in range(count)]


def played(pairings: Sequence[Pairing], judge: Judge) -> list[Met]:
    """What came of pairings of which every game was played; byes too."""
    return [
        Met(pairing, 0, 0, 0)
        if pairing.is_bye
        else Met(pairing, ROTATIONS * pairing.matches, *judge(pairing))
        for pairing in pairings
    ]


def by_chance(random: Random, draws: float = 0.0) -> Judge:
    """Any result, and a drawn pairing this often on top."""

    def judge(pairing: Pairing) -> tuple[float, float]:
        games = ROTATIONS * pairing.matches
        score = games / 2 if random.random() < draws else random.randint(0, 2 * games) / 2
        return score, random.choice([-7, 0, 0, 12])

    return judge


def favourites(order: Sequence[str]) -> Judge:
    """Whoever comes first in the order wins every game."""

    def judge(pairing: Pairing) -> tuple[float, float]:
        first = order.index(pairing.entrants[0]) < order.index(pairing.entrants[1])
        games = ROTATIONS * pairing.matches
        return (games, 10.0) if first else (0.0, -10.0)

    return judge


def written(results: Mapping[tuple[str, str], tuple[float, float]]) -> Judge:
    """Results by pairing, as (score, margin) of its first entrant."""
    return lambda pairing: results[pairing.entrants[0], pairing.entrants[1]]


def short(pairings: Sequence[Pairing]) -> list[str]:
    """Pairings of one-letter labels as text, a bye as the only letter."""
    return ["-".join(pairing.entrants) for pairing in pairings]


def match_numbers(pairings: Sequence[Pairing]) -> Counter[tuple[tuple[str, ...], int]]:
    """How often each match of the same entrants was given."""
    return Counter(
        (pairing.entrants, pairing.first + number)
        for pairing in pairings
        for number in range(pairing.matches)
    )
