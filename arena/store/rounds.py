"""Rounds of a tournament: who meets whom in each, and what came of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

import msgspec
import sqlite_utils

from arena.pairing import Met, Pairing
from arena.schedule import pairing_text
from arena.store.tournaments import now_text


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
        "INSERT OR IGNORE INTO rounds (tournament_id, number, master_commitment, master, started) "
        "VALUES (?, ?, ?, ?, ?)",
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


def finish_round(db: sqlite_utils.Database, tournament_id: int, number: int) -> None:
    """Close a round: the secret of a league's round may be known from now on."""
    db.execute(
        "UPDATE rounds SET finished = ? WHERE tournament_id = ? AND number = ? "
        "AND finished IS NULL",
        [now_text(), tournament_id, number],
    )


def rounds_of(db: sqlite_utils.Database, tournament_id: int) -> list[Round]:
    """The rounds that have begun, in order; none for kinds that don't play in rounds."""
    query = (
        "SELECT number, master_commitment, master, started, finished FROM rounds "
        "WHERE tournament_id = ? ORDER BY number"
    )
    return [Round(**row) for row in db.query(query, [tournament_id])]


def pairings_of(db: sqlite_utils.Database, tournament_id: int) -> list[Pairing]:
    """All pairings of the rounds that have begun, in the order in which they were made."""
    query = (
        "SELECT round, pairing, first, matches FROM pairings WHERE tournament_id = ? "
        "ORDER BY round, place"
    )
    return [
        Pairing(number, tuple(text.split(",")), first, matches)
        for number, text, first, matches in db.execute(query, [tournament_id])
    ]


def met_in(
    db: sqlite_utils.Database, tournament_id: int, pairings: Sequence[Pairing], rotations: int
) -> list[Met]:
    """What came of these pairings of two, each pair's of a round as one, byes among them."""
    counts: dict[tuple[str, int], list[float]] = {}
    query = "SELECT pairing, round, outcome, matches FROM results WHERE tournament_id = ?"
    for text, number, outcome, matches in db.execute(query, [tournament_id]):
        count = counts.setdefault((text, number), [0, 0.0])
        count[0] += matches * rotations
        count[1] += matches * json.loads(outcome)[0]
    margins = _margins(db, tournament_id)
    found = []
    for pairing in _joined(pairings):
        key = pairing_text(pairing.entrants), pairing.round
        games, score = counts.get(key, (0, 0.0))
        found.append(Met(pairing, int(games), score, margins.get(key, 0.0)))
    return found


def _margins(db: sqlite_utils.Database, tournament_id: int) -> dict[tuple[str, int], float]:
    query = "SELECT pairing, round, sums FROM points WHERE tournament_id = ?"
    return {
        (text, number): (sums := json.loads(row))[0] - sums[1]
        for text, number, row in db.execute(query, [tournament_id])
    }


def _joined(pairings: Sequence[Pairing]) -> list[Pairing]:
    """A pair's further matches of a round as part of its first ones."""
    found: dict[tuple[int, tuple[str, ...]], Pairing] = {}
    for pairing in pairings:
        key = pairing.round, pairing.entrants
        before = found.get(key)
        if before:
            pairing = msgspec.structs.replace(before, matches=before.matches + pairing.matches)
        found[key] = pairing
    return list(found.values())
