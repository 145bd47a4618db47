"""Online Elo, as history only: how a bot's standing moved from match to match.

It depends on the order of the matches and never settles: with K = 16 its noise alone is some 34
Elo. The rating of the standings is `bradley_terry`'s.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from arena.rating.group import ELO

K = 16.0
"""Elo that a bot would move by a match with all games won that it was sure to lose."""
START = 1500.0

Bot = TypeVar("Bot", bound=Hashable)
"""An index or a label, whatever the caller tells bots apart by."""


class HistoryPoint(NamedTuple, Generic[Bot]):
    """Where online Elo had a bot after one of its matches."""

    match: int
    """Number of the match among all, from 1."""
    bot: Bot
    rating: float


def online_elo(
    matches: Iterable[Sequence[tuple[Bot, Bot, int, float]]],
    before: Mapping[Bot, float] | None = None,
) -> Iterator[HistoryPoint[Bot]]:
    """Step through the matches in the order they were played; a point a match and bot.

    A match has a (a, b, games, score) for every pair of its bots, as in `Results.from_matches`.
    One step a match: a bot moves by K times the share of games it won beyond what its rating let
    expect, the mean over its opponents. Only the ratings are kept, so any number of matches will
    do; which points to keep is the caller's affair. `before`: where earlier matches left bots.
    """
    ratings: defaultdict[Bot, float] = defaultdict(lambda: START, before or {})
    for number, match in enumerate(matches, 1):
        surplus: defaultdict[Bot, list[float]] = defaultdict(list)
        for a, b, games, score in match:
            gain = score / games - _expected(ratings[a] - ratings[b])
            surplus[a].append(gain)
            surplus[b].append(-gain)
        for bot, gains in surplus.items():
            ratings[bot] += K * sum(gains) / len(gains)
            yield HistoryPoint(number, bot, ratings[bot])


def _expected(ahead: float) -> float:
    """Expected score of a bot that is so many Elo ahead."""
    return 1 / (1 + math.exp(-ahead / ELO))
