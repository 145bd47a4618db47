"""Standings: ratings of all entrants of a tournament beside what they won, scored and broke."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import msgspec
import numpy as np

from arena.rating import NORMAL_95, Rating, Results, fit
from arena.store import Reader, ResultRow, TotalsRow

MOST_OVERRUNS = 0.01
"""The share of answers that may overrun the pace of a table; a bot above it is not rated there."""


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One entrant's line of the standings."""

    label: str
    version: str
    rank_low: int
    """The best rank that its interval allows."""
    rank_high: int
    rating: float
    """Elo, by Bradley-Terry."""
    error: float | None
    """Half the width of the 95 % interval; None while provisional, or where all was won or lost."""
    low: float
    high: float
    bound: str
    """`≥` or `≤` where everything was won or lost, else empty."""
    provisional: bool
    """Fewer than ten matches."""
    group: int
    """Ratings of different groups, which never met even over others, can't be compared; -1 where
    there is no rating: no complete match, or too slow for the pace of the table."""
    matches: int
    games: int
    wins: int
    draws: int
    losses: int
    points_a_deal: float | None
    """Points less the opponents' mean, a deal, over games that nobody forfeited."""
    forfeits: int
    faults: int
    overruns: int
    """Answers that took longer than the pace of the table."""
    ms_a_play: float | None

    @property
    def is_rated(self) -> bool:
        """Whether ranks and rating mean anything."""
        return self.group >= 0

    @property
    def rank_text(self) -> str:
        """The ranks that its interval allows, as in 2–4; a dash where it is not rated."""
        if not self.is_rated:
            return "–"
        if self.rank_low == self.rank_high:
            return str(self.rank_low)
        return f"{self.rank_low}–{self.rank_high}"

    @property
    def elo_text(self) -> str:
        """The rating, or its bound where everything was won or lost, as in ≥ 1594."""
        if not self.is_rated:
            return "–"
        if self.bound:
            return f"{self.bound} {self.low if self.bound == '≥' else self.high:.0f}"
        return f"{self.rating:.0f}"


def standings(reader: Reader, tournament_id: int) -> list[Standing]:
    """The standings of a tournament over its complete matches, best first."""
    totals = {row.label: row for row in reader.totals(tournament_id)}
    labels = list(totals)
    too_slow = {label for label, row in totals.items() if is_too_slow(row)}
    rows = [row for row in reader.results(tournament_id) if too_slow.isdisjoint(row.pairing)]
    found: list[Standing] = []
    rated: set[str] = set()
    if rows:
        rotations = reader.rotations(tournament_id)
        for number, group in enumerate(fit(_results(labels, rows, rotations))):
            for rating in group.ratings:
                label = labels[rating.bot]
                rated.add(label)
                found.append(_standing(totals[label], rating, number))
    return found + [_unrated(row) for label, row in totals.items() if label not in rated]


def is_too_slow(row: TotalsRow) -> bool:
    """Whether it overran the pace of the table too often to be rated there."""
    return row.overruns > MOST_OVERRUNS * row.plays


def _results(labels: Sequence[str], rows: Sequence[ResultRow], rotations: int) -> Results:
    """The outcomes of all matches as the rating's rows, the pairs of a match tied together."""
    place = {label: number for number, label in enumerate(labels)}
    table = [
        (place[a], place[b], rotations, score, row.matches, cluster)
        for cluster, row in enumerate(rows)
        for (a, b), score in zip(combinations(row.pairing, 2), row.outcome, strict=True)
        if score is not None
    ]
    a, b, games, score, count, cluster = map(np.array, zip(*table, strict=True))
    return Results(a, b, games, score, count, cluster if len(table) > len(rows) else None)


def _standing(row: TotalsRow, rating: Rating, group: int) -> Standing:
    one_sided = rating.all_won or rating.all_lost
    return Standing(
        rank_low=rating.rank_low,
        rank_high=rating.rank_high,
        rating=rating.rating,
        error=None if rating.provisional or one_sided else NORMAL_95 * rating.se,
        low=rating.low,
        high=rating.high,
        bound="≥" if rating.all_won else "≤" if rating.all_lost else "",
        provisional=rating.provisional,
        group=group,
        **_counts(row),
    )


def _unrated(row: TotalsRow) -> Standing:
    """An entrant without a complete match, or too slow for the pace of the table."""
    return Standing(
        rank_low=1,
        rank_high=1,
        rating=1500.0,
        error=None,
        low=-math.inf,
        high=math.inf,
        bound="",
        provisional=True,
        group=-1,
        **_counts(row),
    )


def _counts(row: TotalsRow) -> dict[str, Any]:
    margin = row.points_for - row.points_against
    return {
        "label": row.label,
        "version": row.version,
        "matches": row.matches,
        "games": row.games,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "points_a_deal": margin / row.deals if row.deals else None,
        "forfeits": row.forfeits,
        "faults": row.faults,
        "overruns": row.overruns,
        "ms_a_play": row.elapsed_us / row.plays / 1000 if row.plays else None,
    }
