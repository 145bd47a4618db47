"""Standings: who is rated, and how ranks and ratings are written."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any, cast

import pytest

from arena.standings import Standing, standings
from arena.store import Entrant, PointsRow, Reader, ResultRow, StoredTournament, TotalsRow
from protocol.tournament import Tournament


class Played:
    """Stands in for a database with one tournament of matches of two games."""

    def __init__(self, results: list[ResultRow], overruns: dict[str, int]) -> None:
        self._results, self._overruns = results, overruns

    def unchanging(self) -> AbstractContextManager[None]:
        return nullcontext()

    def voids(self, tournament_id: int) -> int:
        return 0

    def stored(self, tournament_id: int) -> StoredTournament:
        given: dict[str, Any] = dict.fromkeys(StoredTournament.__struct_fields__)
        definition = Tournament(name="t", bots=list("abcd"))
        return StoredTournament(**given | {"definition": definition, "rotations": 2})

    def entrants(self, tournament_id: int) -> list[Entrant]:
        given: dict[str, Any] = dict.fromkeys(Entrant.__struct_fields__)
        return [Entrant(**given | {"label": label, "owners": []}) for label in "abcd"]

    def points(self, tournament_id: int) -> list[PointsRow]:
        return []

    def results(self, tournament_id: int) -> list[ResultRow]:
        return self._results

    def totals(self, tournament_id: int) -> list[TotalsRow]:
        return [_totals(label, self._results, self._overruns.get(label, 0)) for label in "abcd"]


def _totals(label: str, results: list[ResultRow], overruns: int) -> TotalsRow:
    matches = sum(row.matches for row in results if label in row.pairing)
    counts: dict[str, Any] = {"matches": matches, "games": 2 * matches, "plays": 100 * matches}
    return TotalsRow(label=label, name=label, version="1", hash="", overruns=overruns, **counts)


def found(results: list[ResultRow], **overruns: int) -> dict[str, Standing]:
    rows = standings(cast(Reader, Played(results, overruns)), 1).lines
    return {row.label: row for row in rows}


LEAGUE = [
    ResultRow(["a", "b"], [2.0], 12),
    ResultRow(["a", "b"], [0.0], 4),
    ResultRow(["b", "c"], [1.0], 20),
]


def test_whoever_has_no_complete_match_has_neither_rank_nor_rating() -> None:
    rows = found(LEAGUE)
    assert {label for label, row in rows.items() if row.is_rated} == {"a", "b", "c"}
    assert (rows["d"].rank_text, rows["d"].elo_text) == ("–", "–")


def test_whoever_is_too_slow_for_the_pace_is_not_rated_and_rates_nobody() -> None:
    rows = found(LEAGUE, c=21)
    assert rows["c"].matches == 20
    assert (rows["c"].rank_text, rows["c"].elo_text) == ("–", "–")
    alone = found(LEAGUE[:2])
    assert [rows[label].rating for label in "ab"] == [alone[label].rating for label in "ab"]


def test_one_in_a_hundred_answers_may_overrun_the_pace() -> None:
    assert found(LEAGUE, c=20)["c"].is_rated


@pytest.mark.parametrize(("score", "sign"), [(2.0, "≥"), (0.0, "≤")])
def test_a_bot_that_won_or_lost_all_has_a_bound_only(score: float, sign: str) -> None:
    row = found([ResultRow(["a", "b"], [score], 15)])["a"]
    assert row.error is None
    bound = row.low if sign == "≥" else row.high
    assert row.elo_text == f"{sign} {bound:.0f}"


def test_ranks_are_ranges_where_the_intervals_overlap() -> None:
    even = [ResultRow(["a", "b"], [score], 10) for score in (0.0, 2.0)]
    beaten = [ResultRow([label, "c"], [2.0], 20) for label in "ab"]
    texts = {label: row.rank_text for label, row in found(even + beaten).items()}
    assert texts == {"a": "1–2", "b": "1–2", "c": "3", "d": "–"}
