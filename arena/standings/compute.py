"""Computes standings from the summary tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from arena.rating import (
    NORMAL_95,
    Group,
    PairingPoints,
    PointsGroup,
    PointsRating,
    Rating,
    Results,
    TeamResults,
    agreement,
    fit,
    fit_points,
    fit_teams,
    point_sums,
)
from arena.schedule import fixed_pairings
from arena.standings.line import Scale, Standing, Standings
from arena.store import (
    Entrant,
    PointsRow,
    Reader,
    ResultRow,
    StoredTournament,
    TotalsRow,
    undamaged,
)

MOST_OVERRUNS = 0.01
"""The share of answers that may overrun the pace of a table; a bot above it is not rated there."""
MOST_COMPARED = 100
"""Up to so many entrants on a scale everyone is compared with everyone."""


def standings(reader: Reader, tournament_id: int) -> Standings:
    """The standings of a tournament over its complete matches, best first.

    All of it is of one moment, also while games are stored.
    """
    with reader.unchanging():
        return _standings(reader, tournament_id)


def _standings(reader: Reader, tournament_id: int) -> Standings:
    stored = reader.stored(tournament_id)
    totals = {row.label: row for row in reader.totals(tournament_id)}
    labels = list(totals)
    place = {label: number for number, label in enumerate(labels)}
    too_slow = {label for label, row in totals.items() if is_too_slow(row)}
    results = reader.results(tournament_id)
    rows = [row for row in results if too_slow.isdisjoint(row.pairing)]
    groups = fitted(stored, place, rows)
    points = _fit_points(place, [] if _is_drawn(stored) else reader.points(tournament_id))
    lines = _Lines(totals, reader.entrants(tournament_id), _walkovers(reader, stored, results))
    return Standings(
        games_played=stored.games_played,
        revision=stored.revision,
        voids=reader.voids(tournament_id),
        lines=lines.of(labels, groups, points),
        scales=[_scale(labels, group) for group in groups],
    )


def is_too_slow(row: TotalsRow) -> bool:
    """Whether it overran the pace of the table too often to be rated there."""
    return row.overruns > MOST_OVERRUNS * row.plays


def _is_drawn(stored: StoredTournament) -> bool:
    return stored.definition.partners == "drawn"


def fitted(
    stored: StoredTournament, place: Mapping[str, int], rows: Sequence[ResultRow]
) -> Sequence[Group]:
    """The ratings by these results, entrants numbered by `place`."""
    if not rows:
        return ()
    # Not around the fit: a mistake of its own is no damage.
    reading = undamaged(f"a row of results of tournament {stored.id}")
    if _is_drawn(stored):
        with reading:
            teams = _team_results(place, rows, stored.rotations)
        return fit_teams(teams)
    with reading:
        results = _results(place, rows, stored.rotations)
    return fit(results)


def _results(place: Mapping[str, int], rows: Sequence[ResultRow], rotations: int) -> Results:
    """The outcomes of all matches as the rating's rows, the pairs of a match tied together."""
    table = [
        (place[a], place[b], rotations, score, row.matches, cluster)
        for cluster, row in enumerate(rows)
        for (a, b), score in zip(combinations(row.pairing, 2), row.outcome, strict=True)
        if score is not None
    ]
    a, b, games, score, count, cluster = map(np.array, zip(*table, strict=True))
    return Results(a, b, games, score, count, cluster if len(table) > len(rows) else None)


def _team_results(
    place: Mapping[str, int], rows: Sequence[ResultRow], rotations: int
) -> TeamResults:
    """The outcomes of pairs against pairs: seats 0 and 2 against 1 and 3."""
    seated = np.array([[place[label] for label in row.pairing] for row in rows])
    return TeamResults(
        first=seated[:, [0, 2]],
        second=seated[:, [1, 3]],
        games=np.full(len(rows), rotations),
        # Of the first pair of entrants, who are opponents.
        score=np.array([row.outcome[0] for row in rows]),
        count=np.array([row.matches for row in rows]),
    )


def _fit_points(place: Mapping[str, int], rows: Sequence[PointsRow]) -> Sequence[PointsGroup]:
    pairings = (
        PairingPoints(
            tuple(place[label] for label in row.pairing),
            row.matches,
            tuple(row.sums),
            tuple(row.products),
        )
        for row in rows
    )
    with undamaged("a row of points"):
        sums = point_sums(pairings)
    return fit_points(sums)


def _walkovers(
    reader: Reader, stored: StoredTournament, results: Sequence[ResultRow]
) -> dict[str, int]:
    """Games that an opponent forfeited by leaving a tournament where everybody meets everybody."""
    gone = {e.label for e in reader.entrants(stored.id) if e.departure == "forfeited"}
    if not gone or stored.kind not in ("round-robin", "gauntlet"):
        return {}
    played: dict[tuple[str, ...], int] = {}
    for row in results:
        key = tuple(row.pairing)
        played[key] = played.get(key, 0) + row.matches
    won: dict[str, int] = {}
    owners = {entrant.label: entrant.owners for entrant in reader.entrants(stored.id)}
    for pairing in fixed_pairings(stored.definition, owners):
        staying = [label for label in pairing.entrants if label not in gone]
        missing = pairing.matches - played.get(pairing.entrants, 0)
        if len(staying) < len(pairing.entrants):
            for label in staying:
                won[label] = won.get(label, 0) + missing * stored.rotations
    return won


def _scale(labels: Sequence[str], group: Group) -> Scale:
    return Scale(
        labels=[labels[rating.bot] for rating in group.ratings],
        superiority=(
            group.superiority.round(6).tolist() if len(group.ratings) <= MOST_COMPARED else []
        ),
        phantom=1500.0 if group.phantom is None else group.phantom,
        deviance=group.deviance,
        df=group.df,
        p_value=group.p_value,
        non_transitive=group.non_transitive,
    )


class _Lines:
    """Makes the lines of entrants from what is known of each."""

    def __init__(
        self,
        totals: Mapping[str, TotalsRow],
        entrants: Sequence[Entrant],
        walkovers: Mapping[str, int],
    ) -> None:
        self._totals = totals
        self._departures = {entrant.label: entrant.departure for entrant in entrants}
        self._walkovers = walkovers

    def of(
        self, labels: Sequence[str], groups: Sequence[Group], points: Sequence[PointsGroup]
    ) -> list[Standing]:
        """All lines: the rated by group and rating, then the others in the order of entry."""
        values = {rating.bot: rating for group in points for rating in group.ratings}
        disagreeing = _disagreeing(groups, points)
        lines: dict[str, Standing] = {}
        for number, group in enumerate(groups):
            for rating in group.ratings:
                label = labels[rating.bot]
                lines[label] = self._line(
                    label,
                    _rated(rating, number),
                    values.get(rating.bot),
                    rating.bot in disagreeing,
                )
        for place, label in enumerate(labels):
            if label not in lines:
                lines[label] = self._line(label, _NOT_RATED, values.get(place), False)
        return list(lines.values())

    def _line(
        self, label: str, rated: Mapping[str, Any], points: PointsRating | None, disagrees: bool
    ) -> Standing:
        row = self._totals[label]
        return Standing(
            label=label,
            version=row.version,
            departure=self._departures[label],
            **rated,
            matches=row.matches,
            games=row.games,
            wins=row.wins,
            draws=row.draws,
            losses=row.losses,
            walkovers=self._walkovers.get(label, 0),
            points=points.value if points else None,
            points_error=NORMAL_95 * points.se if points and not points.provisional else None,
            points_disagree=disagrees,
            forfeits=row.forfeits,
            faults=row.faults,
            overruns=row.overruns,
            ms_a_play=row.elapsed_us / row.plays / 1000 if row.plays else None,
        )


def _disagreeing(groups: Sequence[Group], points: Sequence[PointsGroup]) -> set[int]:
    """Bots whose points tell another story than their rating does."""
    found: set[int] = set()
    for group in groups:
        bots = {rating.bot for rating in group.ratings}
        for other in points:
            if bots.issuperset(rating.bot for rating in other.ratings):
                compared = agreement(group, other)
                found |= compared.disagreeing if compared else frozenset()
    return found


_NOT_RATED: dict[str, Any] = {
    **dict.fromkeys(("rank_low", "rank_high", "rating", "error", "low", "high", "group")),
    "all_won": False,
    "all_lost": False,
    "provisional": True,
}


def error_of(rating: Rating) -> float | None:
    """Half the width of its 95 % interval, where that means anything."""
    if rating.provisional or rating.all_won or rating.all_lost:
        return None
    return NORMAL_95 * rating.se


def _rated(rating: Rating, group: int) -> dict[str, Any]:
    return {
        "rank_low": rating.rank_low,
        "rank_high": rating.rank_high,
        "rating": rating.rating,
        "error": error_of(rating),
        "low": _finite(rating.low),
        "high": _finite(rating.high),
        "all_won": rating.all_won,
        "all_lost": rating.all_lost,
        "provisional": rating.provisional,
        "group": group,
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
