"""Who plays in a tournament: entered, added, gone; and the log of what was decided about it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Literal

import msgspec
import sqlite_utils

from arena.bots import BotFiles
from arena.store.counting import Counter, MatchKey
from arena.store.events import note_event, of_tournament
from arena.store.tournaments import keep_bot, now_text, owners_of
from arena.store.values import tuples, value

Departure = Literal["annulled", "forfeited", "set aside", "replaced"]
"""How a bot left: all its games annulled; those to come forfeited; its games from some on
annulled since it failed too often in a row; a newer version plays in its place."""


class Entrant(msgspec.Struct, frozen=True, kw_only=True):
    """One entrant of a tournament."""

    label: str
    name: str
    version: str
    hash: str
    owners: list[str]
    """Its authors; none for a bot that comes with the arena."""
    joined: int
    """The round from which on it plays."""
    departure: Departure | None
    """How it left, if it did."""
    reason: str | None


class AuditRow(msgspec.Struct, frozen=True, kw_only=True):
    """One decision about a tournament that is no result of a game."""

    time: str
    action: str
    """`add`, `withdraw`, `annul`, `set aside`, `replace` or `pause`."""
    subject: str
    """A label, a game's id, or the tournament's name."""
    reason: str
    matches: int
    """How many matches that had counted count no longer."""


def entrants_of(db: sqlite_utils.Database, tournament_id: int) -> list[Entrant]:
    """Everybody who is or was in a tournament, in the order of entering."""
    query = (
        "SELECT label, name, version, hash, owners, joined, departure, reason "
        "FROM entrants JOIN bots ON hash = bot_hash WHERE tournament_id = ? ORDER BY place"
    )
    rows = db.query(query, [tournament_id])
    return [value(Entrant, row, "entrants", "owners", key="label") for row in rows]


def add_entrant(
    db: sqlite_utils.Database, tournament_id: int, label: str, bot: BotFiles, joined: int
) -> None:
    """Enter another bot, in a transaction of the caller's."""
    keep_bot(db, bot)
    query = "SELECT count(*) FROM entrants WHERE tournament_id = ?"
    (place,) = db.execute(query, [tournament_id]).fetchone()
    db.execute(
        "INSERT INTO entrants (tournament_id, label, place, bot_hash, owners, joined) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        [tournament_id, label, place, bot.hash, json.dumps(owners_of(bot)), joined],
    )


def depart(
    db: sqlite_utils.Database, tournament_id: int, label: str, departure: Departure, reason: str
) -> None:
    """Note how an entrant left, in a transaction of the caller's."""
    db.execute(
        "UPDATE entrants SET departure = ?, reason = ? WHERE tournament_id = ? AND label = ?",
        [departure, reason, tournament_id, label],
    )


def departed(db: sqlite_utils.Database, tournament_id: int) -> list[str]:
    """The labels of those who have left, in the order of leaving."""
    query = (
        "SELECT label FROM entrants JOIN audit USING (tournament_id) WHERE tournament_id = ? "
        "AND departure IS NOT NULL AND subject = label AND action NOT IN ('add', 'pause') "
        "GROUP BY label ORDER BY min(audit.id)"
    )
    return [
        label for (label,) in tuples(tuple[str], db.execute(query, [tournament_id]), "entrants")
    ]


def matches_with(db: sqlite_utils.Database, tournament_id: int, label: str) -> list[MatchKey]:
    """All matches in which an entrant has a stored game."""
    query = (
        "SELECT DISTINCT pairing, match, replay FROM games WHERE tournament_id = ? "
        "AND instr(',' || pairing || ',', ',' || ? || ',')"
    )
    rows = db.execute(query, [tournament_id, label])
    return [MatchKey(*row) for row in tuples(tuple[str, int, int], rows, "games")]


def annul(
    db: sqlite_utils.Database, tournament_id: int, matches: Iterable[MatchKey], cause: str
) -> int:
    """Let matches count no longer, in a transaction of the caller's; how many counted before."""
    counter = Counter(db, tournament_id)
    return sum(counter.annul(match, cause) for match in matches)


def note_decision(
    db: sqlite_utils.Database,
    tournament_id: int,
    action: str,
    subject: str,
    reason: str,
    matches: int = 0,
) -> None:
    """Write to the audit log, and let whoever plays the tournament see that it has changed."""
    db.execute(
        "INSERT INTO audit (tournament_id, time, action, subject, reason, matches) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        [tournament_id, now_text(), action, subject, reason, matches],
    )
    db.execute("UPDATE tournaments SET revision = revision + 1 WHERE id = ?", [tournament_id])
    if matches:
        # Curves of ratings with games that do not count would contradict the standings.
        db.execute("DELETE FROM rating_history WHERE tournament_id = ?", [tournament_id])
    note_event(db, of_tournament(tournament_id), "decided")


def audit_of(db: sqlite_utils.Database, tournament_id: int) -> list[AuditRow]:
    """The audit log of a tournament, the oldest first."""
    query = (
        "SELECT id, time, action, subject, reason, matches FROM audit WHERE tournament_id = ? "
        "ORDER BY id"
    )
    return [value(AuditRow, row, "audit") for row in db.query(query, [tournament_id])]
