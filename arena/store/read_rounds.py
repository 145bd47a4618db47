"""Queries about single rounds: a league has as many as anybody likes."""

from __future__ import annotations

import json

import msgspec

from arena.pairing import Pairing
from arena.store.connection import Connection
from arena.store.rounds import Round
from arena.store.values import tuples, undamaged, value


class PlayedPairing(msgspec.Struct, frozen=True):
    """A pairing of a round, and what of it has been played."""

    pairing: Pairing
    matches: int
    """How many of its matches count so far."""
    score: float | None
    """Games won by the first of two, draws counting one half; None at larger tables."""


class RoundQueries(Connection):
    """What is known of single rounds."""

    def last_round(self, tournament_id: int) -> int:
        """The number of the latest round that has begun; 0 where there is none."""
        query = "SELECT max(number) FROM rounds WHERE tournament_id = ?"
        return int(self._db.execute(query, [tournament_id]).fetchone()[0] or 0)

    def round_row(self, tournament_id: int, number: int) -> Round | None:
        """One round, without the secret that a league has for it."""
        query = (
            "SELECT number, master_commitment, NULL AS master, started, finished FROM rounds "
            "WHERE tournament_id = ? AND number = ?"
        )
        rows = self._db.query(query, [tournament_id, number])
        return next((value(Round, row, "rounds", key="number") for row in rows), None)

    def round_size(self, tournament_id: int, number: int) -> int:
        """How many pairings a round has so far."""
        query = "SELECT count(*) FROM pairings WHERE tournament_id = ? AND round = ?"
        return int(self._db.execute(query, [tournament_id, number]).fetchone()[0])

    def played_in_round(
        self, tournament_id: int, number: int, limit: int, offset: int = 0
    ) -> list[PlayedPairing]:
        """So many pairings of a round, in the order in which they were made."""
        query = """
            SELECT place, p.pairing, p.first, p.matches, outcome, results.matches
            FROM (SELECT * FROM pairings WHERE tournament_id = :id AND round = :round
                  ORDER BY place LIMIT :limit OFFSET :offset) AS p
            LEFT JOIN results ON results.tournament_id = :id AND results.pairing = p.pairing
                AND results.first = p.first AND results.matches
            ORDER BY place
        """
        values = {"id": tournament_id, "round": number, "limit": limit, "offset": offset}
        found: dict[int, PlayedPairing] = {}
        rows = tuples(
            tuple[int, str, int, int, str | None, int | None],
            self._db.execute(query, values),
            "pairings and results",
        )
        for place, text, first, planned, outcome, matches in rows:
            entrants = tuple(text.split(","))
            before = found.get(place)
            score = 0.0 if len(entrants) == 2 else None
            if before is None:
                before = PlayedPairing(Pairing(number, entrants, first, planned), 0, score)
            found[place] = _with(before, outcome, matches)
        return list(found.values())


def _with(played: PlayedPairing, outcome: str | None, matches: int | None) -> PlayedPairing:
    """These and the matches that ended in that way."""
    if outcome is None or not matches:
        return played
    score = played.score
    if score is not None:
        with undamaged(f"a row of results with the outcome {outcome!r}"):
            score += matches * float(json.loads(outcome)[0])
    return PlayedPairing(played.pairing, played.matches + matches, score)
