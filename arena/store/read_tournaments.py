"""Queries about tournaments: what they are, who is in them, what came of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import msgspec

from arena.errors import UsageError
from arena.pairing import Met, Pairing
from arena.schedule import MOST_REPLAYS
from arena.store.connection import LARGEST, Connection, is_number
from arena.store.entrants import AuditRow, Entrant, audit_of, departed, entrants_of
from arena.store.luck import LuckRow, luck_rows, without_luck
from arena.store.rounds import Round, met_in, pairings_of, rounds_of
from arena.store.tournaments import (
    StoredTournament,
    find_tournament,
    latest_tournament,
)
from arena.store.values import Damaged, Games, Matches, Row, blob, one, tuples, undamaged, value

# Of two hundred entrants there are tens of thousands of each, which Python's own decoder takes
# most of the time of the standings for.
_outcome = msgspec.json.Decoder(list[float | None]).decode
_Sum = Annotated[int, msgspec.Meta(ge=-(2**62), le=2**62)]
"""Of points; beyond that, calculations with it would overflow."""
_numbers = msgspec.json.Decoder(list[_Sum]).decode


class TournamentRow(msgspec.Struct, frozen=True, kw_only=True):
    """One tournament in a list of tournaments."""

    id: int
    name: str
    kind: str
    rules: str
    rated: bool
    practice: bool
    isolation: str
    entrants: int
    games_planned: int
    games_played: int
    started: str
    finished: str | None
    rounds_played: str | None
    """Since when a league has played all `rounds` of its file; it is not over, for with more of
    them it goes on."""


class TotalsRow(msgspec.Struct, frozen=True, kw_only=True):
    """What one entrant made of its complete matches."""

    label: str
    name: str
    version: str
    hash: str
    matches: int = 0
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0
    faults: int = 0
    deals: int = 0
    points_for: float = 0.0
    points_against: float = 0.0
    plays: int = 0
    overruns: int = 0
    elapsed_us: int = 0
    kseris: int = 0


class ResultRow(msgspec.Struct, frozen=True):
    """How often the matches of a pairing ended in one way."""

    pairing: list[str]
    outcome: list[float | None]
    """The score of every pair of entrants, of the first: (0, 1), (0, 2) …; None for partners."""
    matches: int


class PointsRow(msgspec.Struct, frozen=True):
    """What the matches of a pairing add up to for points a deal; see `Moments`."""

    pairing: list[str]
    matches: int
    sums: list[int]
    products: list[int]


_TOURNAMENTS = """
    SELECT id, name, kind, json_extract(rules, '$.preset') AS rules, rated, practice,
           isolation, games_planned, games_played, started, finished,
           (SELECT count(*) FROM entrants WHERE tournament_id = t.id) AS entrants,
           (SELECT r.finished FROM rounds AS r WHERE t.kind = 'league' AND tournament_id = t.id
            AND number = json_extract(definition, '$.rounds')) AS rounds_played
    FROM tournaments AS t
"""


class TournamentQueries(Connection):
    """What is known of tournaments."""

    def tournaments(
        self, *, before: int | None = None, limit: int | None = None
    ) -> list[TournamentRow]:
        """All tournaments, the latest first, or a page of them: so many with smaller numbers.

        Visitors' games, of which each would be one, are found as games alone.
        """
        query = f"{_TOURNAMENTS} WHERE id < ? AND kind != 'person' ORDER BY id DESC LIMIT ?"
        values = [LARGEST if before is None else before, -1 if limit is None else limit]
        return [_tournament_row(row) for row in self._db.query(query, values)]

    def unfinished(self, limit: int) -> list[TournamentRow]:
        """The latest tournaments that have more to play, the latest first; no visitors' games."""
        query = (
            f"{_TOURNAMENTS} WHERE finished IS NULL AND rounds_played IS NULL "
            "AND kind != 'person' ORDER BY id DESC LIMIT ?"
        )
        return [_tournament_row(row) for row in self._db.query(query, [limit])]

    def tournament_row(self, tournament_id: int) -> TournamentRow:
        """One tournament's line of the list, by its number. Raises `UsageError`."""
        query = f"{_TOURNAMENTS} WHERE id = ?"
        for row in self._db.query(query, [min(tournament_id, LARGEST)]):
            return _tournament_row(row)
        raise UsageError(f"{self.path}: no tournament {tournament_id} in it")

    def rotations(self, tournament_id: int) -> int:
        """How many games a match of this tournament has."""
        query = "SELECT rotations FROM tournaments WHERE id = ?"
        row = self._db.execute(query, [tournament_id]).fetchone()
        return one(Games, row, f"row {tournament_id} of tournaments")

    def tournament(self, name: str | None = None) -> StoredTournament:
        """The tournament of that name or number; None or `latest`: the latest one from a file.

        Where there is none from a file, the latest games of any kind. Raises `UsageError`.
        """
        found = None
        if name is not None:
            found = find_tournament(self._db, name=name)
            if found is None and is_number(name):
                found = find_tournament(self._db, id=int(name))
        if found is None and name in (None, "latest"):
            found = latest_tournament(self._db)
        if found is None:
            known = ", ".join(f"{row.id} {row.name!r}" for row in self.tournaments()[:10])
            what = f"no tournament {name!r}" if name else "no tournament"
            raise UsageError(f"{self.path}: {what} in it; it has {known or 'none'}")
        return found

    def stored(self, tournament_id: int) -> StoredTournament:
        """The tournament of that number, which is there."""
        found = find_tournament(self._db, id=tournament_id)
        if found is None:
            raise Damaged(f"row {tournament_id} of tournaments is missing in the database")
        return found

    def entrants(self, tournament_id: int) -> list[Entrant]:
        """Everybody who is or was in a tournament, in the order of entering."""
        return entrants_of(self._db, tournament_id)

    def rounds(self, tournament_id: int) -> list[Round]:
        """The rounds that have begun; none for kinds that don't play in rounds."""
        return rounds_of(self._db, tournament_id)

    def pairings(self, tournament_id: int) -> list[Pairing]:
        """The pairings of all rounds that have begun."""
        return pairings_of(self._db, tournament_id)

    def met(self, tournament_id: int) -> list[Met]:
        """What came of the pairings of two of all rounds that have begun."""
        rotations = self.rotations(tournament_id)
        return met_in(self._db, tournament_id, self.pairings(tournament_id), rotations)

    def departed(self, tournament_id: int) -> list[str]:
        """The labels of those who have left, in the order of leaving."""
        return departed(self._db, tournament_id)

    def audit(self, tournament_id: int) -> list[AuditRow]:
        """What was decided about a tournament, the oldest first."""
        return audit_of(self._db, tournament_id)

    def totals(self, tournament_id: int) -> list[TotalsRow]:
        """Every entrant of a tournament with what it made of its complete matches."""
        query = """
            SELECT entrants.label, bots.name, bots.version, bots.hash, totals.*
            FROM entrants JOIN bots ON bots.hash = bot_hash
            LEFT JOIN totals ON totals.tournament_id = entrants.tournament_id
                            AND totals.label = entrants.label
            WHERE entrants.tournament_id = ? ORDER BY place
        """
        columns = TotalsRow.__struct_fields__
        found = []
        for row in self._db.execute(query, [tournament_id]):
            known = dict(zip(columns, [*row[:4], *row[6:]], strict=True))
            counted = {name: count for name, count in known.items() if count is not None}
            found.append(value(TotalsRow, counted, "totals", key="label"))
        return found

    def results(self, tournament_id: int) -> list[ResultRow]:
        """The outcomes of all complete matches that count, for ratings."""
        query = (
            "SELECT pairing, outcome, sum(matches) FROM results WHERE tournament_id = ? "
            "GROUP BY pairing, outcome HAVING sum(matches)"
        )
        return result_rows(self._db.execute(query, [tournament_id]))

    def points(self, tournament_id: int) -> list[PointsRow]:
        """What all matches that count add up to for points a deal, by pairing and round."""
        query = (
            "SELECT pairing, matches, sums, products FROM points WHERE tournament_id = ? "
            "AND matches"
        )
        return points_rows(self._db.execute(query, [tournament_id]))

    def kept_standings(self, tournament_id: int) -> bytes | None:
        """Standings that were kept, of now or of earlier; None where there are none."""
        query = "SELECT data FROM standings WHERE tournament_id = ?"
        row = self._db.execute(query, [tournament_id]).fetchone()
        return None if row is None else blob(row[0], f"row {tournament_id} of standings")

    def voids(self, tournament_id: int) -> int:
        """How many matches do not count, annulled or failed by the arena; it only rises."""
        query = "SELECT count(*) FROM voids WHERE tournament_id = ?"
        return int(self._db.execute(query, [tournament_id]).fetchone()[0])

    def unplayed(self, tournament_id: int) -> int:
        """How many matches the arena failed too often to be played again."""
        query = (
            "SELECT count(*) FROM voids WHERE tournament_id = ? AND replay >= ? AND NOT annulled"
        )
        return int(self._db.execute(query, [tournament_id, MOST_REPLAYS]).fetchone()[0])

    def without_luck(self, tournament_id: int, baseline: int) -> list[int]:
        """See the function of that name."""
        return without_luck(self._db, tournament_id, baseline)

    def luck(self, tournament_id: int, baseline: int) -> Iterator[LuckRow]:
        """The games that count and whose luck is known, match by match."""
        return luck_rows(self._db, tournament_id, baseline)


def _tournament_row(row: Row) -> TournamentRow:
    return value(TournamentRow, row, "tournaments")


def result_rows(rows: Iterable[tuple[Any, ...]]) -> list[ResultRow]:
    """Rows of pairing, outcome, matches. Raises `Damaged`."""
    found = tuples(tuple[str, str, Matches], rows, "results")
    with undamaged("a row of results"):
        return [
            ResultRow(pairing.split(","), _outcome(outcome), matches)
            for pairing, outcome, matches in found
        ]


def points_rows(rows: Iterable[tuple[Any, ...]]) -> list[PointsRow]:
    """Rows of pairing, matches, sums, products. Raises `Damaged`."""
    found = tuples(tuple[str, Matches, str, str], rows, "points")
    with undamaged("a row of points"):
        return [
            PointsRow(pairing.split(","), matches, _numbers(sums), _numbers(products))
            for pairing, matches, sums, products in found
        ]
