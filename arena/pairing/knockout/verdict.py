"""Who has won a tie, and by what."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Literal, NamedTuple

from arena.pairing.base import Met

Decided = Literal["score", "points", "seed", "bye", "withdrawn"]

MOST_EXTRA_MATCHES = 10
"""How many more matches a drawn tie gets, one at a time, before points decide it."""


class Verdict(NamedTuple):
    """How a tie of two stands."""

    scores: tuple[float, float]
    """Games won, draws counting one half."""
    winner: int | None = None
    """Which of the two; None while it is open."""
    decided: Decided | None = None


class Results:
    """Everything that was played, and who has left, to judge ties by."""

    def __init__(self, labels: Sequence[str], met: Sequence[Met], gone: Sequence[str]) -> None:
        self._seed = {label: seed for seed, label in enumerate(labels)}
        self._left = {label: when for when, label in enumerate(gone)}
        self._met: defaultdict[tuple[int, frozenset[str]], list[Met]] = defaultdict(list)
        for one in met:
            self._met[one.pairing.round, frozenset(one.pairing.entrants)].append(one)

    def verdict(self, round: int, a: str, b: str) -> Verdict:
        """How the tie of these two in this round stands.

        What is asked first is what no later event can change: who is ahead, then, after the last
        extra match, points and seeds. Only a tie that is open goes to who stays, or stays longer.
        """
        met = self._met.get((round, frozenset((a, b))), [])
        scores = sum(_score(one, a) for one in met), sum(_score(one, b) for one in met)
        if scores[0] != scores[1]:
            return Verdict(scores, int(scores[1] > scores[0]), "score")
        if len(met) > MOST_EXTRA_MATCHES:
            return self._drawn(scores, met, a, b)
        if a in self._left or b in self._left:
            return Verdict(scores, int(self._leaves(b) > self._leaves(a)), "withdrawn")
        return Verdict(scores)

    def _drawn(self, scores: tuple[float, float], met: Sequence[Met], a: str, b: str) -> Verdict:
        margin = math.fsum(_margin(one, a) for one in met)
        if margin:
            return Verdict(scores, int(margin < 0), "points")
        return Verdict(scores, int(self._seed[b] < self._seed[a]), "seed")

    def _leaves(self, label: str) -> float:
        return self._left.get(label, math.inf)


def _score(met: Met, label: str) -> float:
    return met.score if met.pairing.entrants[0] == label else met.games - met.score


def _margin(met: Met, label: str) -> float:
    return met.margin if met.pairing.entrants[0] == label else -met.margin
