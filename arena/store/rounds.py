"""Rounds of a tournament: who meets whom in each, and what came of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence

import msgspec
import sqlite_utils

from arena.pairing import Met, Pairing
from arena.schedule import pairing_text
from arena.store.entrants import departed
from arena.store.events import note_event, of_tournament
from arena.store.tournaments import entrants, now_text
from arena.store.values import tuples, undamaged, value


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """One round of a tournament that is played in rounds."""

    number: int
    master_commitment: str | None
    """Of a league, which takes a new secret for every round; None: that of the tournament."""
    master: str | None
    """The secret in hex: not to be shown before `finished`."""
    started: str
    finished: str | None


def begin_round(
    db: sqlite_utils.Database,
    tournament_id: int,
    pairings: Sequence[Pairing],
    master: bytes | None = None,
) -> None:
    """Enter the pairings of a round that begins, or further ones of one that goes on.

    In a transaction of the caller's.
    """
    number = pairings[0].round
    db.execute(
        "INSERT INTO rounds (tournament_id, number, master_commitment, master, started) "
        "VALUES (?, ?, ?, ?, ?) ON CONFLICT (tournament_id, number) DO NOTHING",
        [
            tournament_id,
            number,
            hashlib.sha256(master).hexdigest() if master else None,
            master.hex() if master else None,
            now_text(),
        ],
    )
    query = "SELECT count(*) FROM pairings WHERE tournament_id = ? AND round = ?"
    (taken,) = db.execute(query, [tournament_id, number]).fetchone()
    db.conn.executemany(
        "INSERT INTO pairings (tournament_id, round, place, pairing, first, matches) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        [
            (tournament_id, number, place, pairing_text(each.entrants), each.first, each.matches)
            for place, each in enumerate(pairings, taken)
        ],
    )
    note_event(db, of_tournament(tournament_id), "round begun", number)


def finish_round(db: sqlite_utils.Database, tournament_id: int, number: int) -> None:
    """Close a round: the secret of a league's round may be known from now on."""
    db.execute(
        "UPDATE rounds SET finished = ? WHERE tournament_id = ? AND number = ? "
        "AND finished IS NULL",
        [now_text(), tournament_id, number],
    )
    note_event(db, of_tournament(tournament_id), "round finished", number)


def rounds_of(db: sqlite_utils.Database, tournament_id: int) -> list[Round]:
    """The rounds that have begun, in order; none for kinds that don't play in rounds."""
    query = (
        "SELECT number, master_commitment, master, started, finished FROM rounds "
        "WHERE tournament_id = ? ORDER BY number"
    )
    rows = db.query(query, [tournament_id])
    return [value(Round, row, "rounds", key="number") for row in rows]


def pairings_of(db: sqlite_utils.Database, tournament_id: int) -> list[Pairing]:
    """All pairings of the rounds that have begun, in the order in which they were made."""
    query = (
        "SELECT round, pairing, first, matches FROM pairings WHERE tournament_id = ? "
        "ORDER BY round, place"
    )
    rows = tuples(tuple[int, str, int, int], db.execute(query, [tournament_id]), "pairings")
    return [
        Pairing(number, tuple(text.split(",")), first, matches)
        for number, text, first, matches in rows
    ]


def met_in(
    db: sqlite_utils.Database, tournament_id: int, pairings: Sequence[Pairing], rotations: int
) -> list[Met]:
    """What came of these pairings of two, byes among them.

    Games that one of the two did not play because it left are won by the other one, who may have
    left later: those of its last round, and all games of a bot whose games are annulled.
    """
    games, score = _scores(db, tournament_id, rotations)
    margins = _margins(db, tournament_id)
    rows = entrants(db, tournament_id)
    left = {
        label: _left_in(label, rows[label]["departure"], pairings)
        for label in departed(db, tournament_id)
    }
    found = []
    for pairing in pairings:
        key = pairing_text(pairing.entrants), pairing.first
        met = Met(pairing, games.get(key, 0), score.get(key, 0.0), margins.get(key, 0.0))
        found.append(_walked_over(met, left, rotations))
    return found


_Key = tuple[str, int]
"""Of a pairing: its entrants as text, and the number of its first match."""


def _scores(
    db: sqlite_utils.Database, tournament_id: int, rotations: int
) -> tuple[dict[_Key, int], dict[_Key, float]]:
    """How many games of every pairing count, and how many of them its first entrant won."""
    games: dict[_Key, int] = {}
    score: dict[_Key, float] = {}
    query = "SELECT pairing, first, outcome, matches FROM results WHERE tournament_id = ?"
    rows = tuples(tuple[str, int, str, int], db.execute(query, [tournament_id]), "results")
    for text, first, outcome, matches in rows:
        key = text, first
        games[key] = games.get(key, 0) + matches * rotations
        with undamaged(f"a row of results with the outcome {outcome!r}"):
            score[key] = score.get(key, 0.0) + matches * float(json.loads(outcome)[0])
    return games, score


def _margins(db: sqlite_utils.Database, tournament_id: int) -> dict[_Key, float]:
    query = "SELECT pairing, first, sums FROM points WHERE tournament_id = ?"
    with undamaged("a row of points"):
        return {
            (text, first): float((sums := json.loads(row))[0] - sums[1])
            for text, first, row in db.execute(query, [tournament_id])
        }


def _left_in(label: str, departure: str, pairings: Sequence[Pairing]) -> int:
    """The first round in which games that an entrant did not play are won by its opponent.

    Games of earlier rounds are missing for other reasons, and what followed from them stands.
    """
    if departure == "annulled":
        return 1
    return max((pairing.round for pairing in pairings if label in pairing.entrants), default=1)


def _walked_over(met: Met, left: Mapping[str, int], rotations: int) -> Met:
    """`left`: since which round games are lost for those who have left, in the order of leaving."""
    missing = met.pairing.matches * rotations - met.games
    leaving = [label for label in left if label in met.pairing.entrants]
    if met.pairing.is_bye or missing <= 0 or not leaving:
        return met
    if met.pairing.round < left[leaving[0]]:
        return met
    won = missing if leaving[0] == met.pairing.entrants[1] else 0
    return msgspec.structs.replace(met, games=met.games + missing, score=met.score + won)
