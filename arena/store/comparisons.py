"""What tests of two bots test: kept beside their tournaments, so that the same test is found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec
import sqlite_utils

from arena.store.rows import played_in, to_record
from arena.store.tournaments import StoredTournament, entrants, stored_tournament
from protocol.records import GameRecord
from protocol.rules import RULES_VERSION

Statistic = Literal["wins", "points"]


class Tested(msgspec.Struct, frozen=True):
    """What a test of two bots decides, fixed before its first match."""

    statistic: Statistic
    h0: float
    """How much stronger the first bot is under H0, in Elo or in points a match."""
    h1: float
    """How much under H1."""


def keep_comparison(db: sqlite_utils.Database, tournament_id: int, tested: Tested) -> None:
    """Keep what a tournament tests, in a transaction of the caller's."""
    db.execute(
        "INSERT INTO comparisons VALUES (?, ?, ?, ?)",
        [tournament_id, tested.statistic, tested.h0, tested.h1],
    )


def unfinished_comparisons(
    db: sqlite_utils.Database, tested: Tested, hashes: Sequence[str]
) -> list[StoredTournament]:
    """The tests of this between bots with these files that are not over, the latest first.

    `hashes`: of the first bot and the second. Those of other rules are among them.
    """
    query = (
        "SELECT tournaments.* FROM tournaments JOIN comparisons ON tournament_id = id "
        "WHERE finished IS NULL AND rules_version = ? AND statistic = ? AND h0 = ? AND h1 = ? "
        "AND (SELECT json_group_array(bot_hash) FROM (SELECT bot_hash FROM entrants "
        "     WHERE tournament_id = tournaments.id ORDER BY place)) = ? ORDER BY id DESC"
    )
    values = [RULES_VERSION, tested.statistic, tested.h0, tested.h1]
    wanted = msgspec.json.encode(hashes).decode()
    return [stored_tournament(row) for row in db.query(query, [*values, wanted])]


def games_that_count(db: sqlite_utils.Database, tournament_id: int) -> Iterator[GameRecord]:
    """The games of a tournament that are not of void or annulled matches, with their secrets.

    By pairing, match and rotation.
    """
    played, bots = played_in(db, tournament_id), entrants(db, tournament_id)
    query = (
        "SELECT games.* FROM games LEFT JOIN voids USING (tournament_id, pairing, match, replay) "
        "WHERE tournament_id = ? AND cause IS NULL ORDER BY pairing, match, replay, rotation"
    )
    for row in db.query(query, [tournament_id]):
        yield to_record(row, played, bots)
