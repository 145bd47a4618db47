"""Tournaments in the database: begin one, find one, what of it is done."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
import sqlite_utils

from arena.bots import BotFiles, Unreadable
from arena.errors import UsageError
from arena.faults import forfeiters
from arena.schedule import GameKey
from arena.store.events import note_event, of_tournament
from arena.store.rows import played_in, to_record
from arena.store.values import Damaged, Games, Row, blob, only, tuples, undamaged, value
from protocol.manifest import Manifest
from protocol.rules import RULES_VERSION, RuleSet
from protocol.tournament import Tournament

_ROWS = 1000
"""Read at once where a tournament's games are gone through."""


class StoredTournament(msgspec.Struct, frozen=True, kw_only=True):
    """One tournament as the database has it."""

    id: int
    name: str
    kind: str
    """As in the tournament file; `play` for matches of their own, `person` for a visitor's game."""
    definition: Tournament
    sides: int
    rotations: Games
    """Games of a match."""
    rated: bool
    practice: bool
    names_hidden: bool
    isolation: str
    """Of its games; several, separated by commas, where it went on with another."""
    master_commitment: str
    master: str
    """The master secret in hex: not to be shown before `finished`."""
    games_planned: int
    games_played: int
    """Those that are stored, but for void matches."""
    started: str
    finished: str | None
    paused: str | None
    """Since when it is not to be played on."""
    revision: int
    """Rises with everything that is decided about it, more matches of it too."""


def now_text() -> str:
    """The time, in UTC, as it stands in records."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def begin_tournament(
    db: sqlite_utils.Database,
    *,
    tournament: Tournament,
    rules: RuleSet,
    kind: str,
    bots: Mapping[str, BotFiles],
    master: bytes,
    practice: bool,
    isolation: str,
    rotations: int,
    games_planned: int = 0,
) -> int:
    """Enter a new tournament with its bots, by label; returns its id."""
    names_hidden = tournament.names_hidden
    with db.atomic():
        for bot in bots.values():
            keep_bot(db, bot)
        row = {
            "name": tournament.name,
            "kind": kind,
            "definition": msgspec.json.encode(tournament).decode(),
            "rules": json.dumps({"preset": rules.preset, "overrides": tournament.overrides}),
            "rules_version": RULES_VERSION,
            "sides": rules.sides,
            "rotations": rotations,
            "rated": tournament.rated,
            "practice": practice,
            "names_hidden": tournament.rated if names_hidden is None else names_hidden,
            "isolation": isolation,
            "master_commitment": hashlib.sha256(master).hexdigest(),
            "master": master.hex(),
            "games_planned": games_planned,
            "started": now_text(),
        }
        tournament_id = _insert(db, "tournaments", row)
        for place, (label, bot) in enumerate(bots.items()):
            entrant = {
                "tournament_id": tournament_id,
                "label": label,
                "place": place,
                "bot_hash": bot.hash,
                "owners": json.dumps(owners_of(bot)),
            }
            _insert(db, "entrants", entrant)
        note_event(db, of_tournament(tournament_id), "begun")
    return tournament_id


def owners_of(bot: BotFiles) -> list[str]:
    """Who may be suspected to help this bot; nobody, of one that comes with the arena."""
    return [] if bot.is_shipped else list(bot.manifest.authors)


def _insert(db: sqlite_utils.Database, table: str, row: Row) -> int:
    names, marks = ", ".join(row), ", ".join(f":{name}" for name in row)
    cursor = db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", row)
    return int(cursor.lastrowid or 0)


def keep_bot(db: sqlite_utils.Database, bot: BotFiles) -> None:
    """Keep the files of a bot, unless they are there already."""
    row = {
        "hash": bot.hash,
        "name": bot.manifest.name,
        "version": bot.manifest.version,
        "manifest": msgspec.json.encode(bot.manifest).decode(),
        "files": bot.to_zip(),
    }
    db.execute("INSERT OR IGNORE INTO bots VALUES (:hash, :name, :version, :manifest, :files)", row)


def extend_tournament(
    db: sqlite_utils.Database, tournament_id: int, tournament: Tournament
) -> None:
    """Let a tournament go on with a definition that plans more of it."""
    with db.atomic():
        db.execute(
            "UPDATE tournaments SET definition = ?, finished = NULL, revision = revision + 1 "
            "WHERE id = ?",
            [msgspec.json.encode(tournament).decode(), tournament_id],
        )
        note_event(db, of_tournament(tournament_id), "planned")


def note_planned(db: sqlite_utils.Database, tournament_id: int, games: int) -> None:
    """Note how many games a tournament has, as far as that is known."""
    with db.atomic():
        db.execute("UPDATE tournaments SET games_planned = ? WHERE id = ?", [games, tournament_id])
        note_event(db, of_tournament(tournament_id), "planned", games)


def pause(db: sqlite_utils.Database, tournament_id: int) -> None:
    """Ask whoever plays a tournament to stop; it goes on when it is run again."""
    with db.atomic():
        db.execute("UPDATE tournaments SET paused = ? WHERE id = ?", [now_text(), tournament_id])
        note_event(db, of_tournament(tournament_id), "paused")


def unpause(db: sqlite_utils.Database, tournament_id: int) -> None:
    """Let a tournament be played on."""
    with db.atomic():
        db.execute("UPDATE tournaments SET paused = NULL WHERE id = ?", [tournament_id])
        note_event(db, of_tournament(tournament_id), "paused")


def note_isolation(db: sqlite_utils.Database, stored: StoredTournament, isolation: str) -> None:
    """Note that a tournament goes on with another isolation than before."""
    if isolation not in stored.isolation.split(", "):
        db.execute(
            "UPDATE tournaments SET isolation = isolation || ', ' || ? WHERE id = ?",
            [isolation, stored.id],
        )


def finish_tournament(db: sqlite_utils.Database, tournament_id: int) -> None:
    """Close a tournament: its master secret may be known from now on."""
    with db.atomic():
        db.execute(
            "UPDATE tournaments SET finished = ? WHERE id = ? AND finished IS NULL",
            [now_text(), tournament_id],
        )
        note_event(db, of_tournament(tournament_id), "finished")


def find_tournament(db: sqlite_utils.Database, **where: Any) -> StoredTournament | None:
    """The latest tournament whose columns have these values; None if there is none."""
    condition = " AND ".join(f"{name} IS :{name}" for name in where) or "1"
    query = f"SELECT * FROM tournaments WHERE {condition} ORDER BY id DESC LIMIT 1"
    for row in db.query(query, where):
        return stored_tournament(row)
    return None


def latest_tournament(db: sqlite_utils.Database) -> StoredTournament | None:
    """The latest tournament from a file, or if there is none the latest games of any kind."""
    query = (
        "SELECT * FROM tournaments ORDER BY kind IN ('play', 'person', 'compare'), id DESC LIMIT 1"
    )
    for row in db.query(query):
        return stored_tournament(row)
    return None


def stored_tournament(row: Row) -> StoredTournament:
    """A row of `tournaments` as a struct."""
    found = value(StoredTournament, row, "tournaments", "definition")
    with undamaged(f"row {found.id} of tournaments"):
        bytes.fromhex(found.master)
    return found


def bots_of(
    db: sqlite_utils.Database, tournament_id: int, labels: Collection[str] | None = None
) -> dict[str, BotFiles]:
    """Every entrant as it was when it was entered, by label.

    What can't be read any more is `Unreadable`. `labels`: only these.
    """
    return {
        label: readable_or_not(db, digest)
        for label, digest in hashes_of(db, tournament_id).items()
        if labels is None or label in labels
    }


def files_of(db: sqlite_utils.Database, digest: str) -> BotFiles:
    """The files of a bot in the database, by their hash. Raises `Damaged`."""
    bot = readable_or_not(db, digest)
    if isinstance(bot, Unreadable):
        raise Damaged(bot.why)
    return bot


def readable_or_not(db: sqlite_utils.Database, digest: str) -> BotFiles:
    """The bot of that hash; `Unreadable` where its files are no bot's, or not those of the hash."""
    row = db.execute("SELECT name, version, files FROM bots WHERE hash = ?", [digest]).fetchone()
    name, version, files = only(tuple[str, str, Any], row, f"bots, that of {digest!r},")
    what = f"bot {name}@{version} in the database"
    try:
        bot = BotFiles.from_zip(blob(files, f"row {name}@{version} of bots"), what)
        if bot.hash == digest:
            return bot
        why = f"{what}: not the files that were stored: another hash"
    except (Damaged, UsageError) as error:
        why = str(error)
    manifest = Manifest(name=name, version=version, run=[])
    return Unreadable(manifest, {}, digest=digest, why=why)


def hashes_of(db: sqlite_utils.Database, tournament_id: int) -> dict[str, str]:
    """The hash of every entrant that is or was in a tournament, by label."""
    return {label: row["hash"] for label, row in entrants(db, tournament_id).items()}


def entrants(
    db: sqlite_utils.Database, tournament_id: int, labels: Sequence[str] | None = None
) -> dict[str, Row]:
    """Every entrant by its label: its bot's name, version, hash, and how it left, if it did.

    `labels`: only these.
    """
    rows = db.query(
        "SELECT label, name, version, hash, departure FROM entrants JOIN bots ON hash = bot_hash "
        "WHERE tournament_id = :id "
        "AND (:labels IS NULL OR label IN (SELECT value FROM json_each(:labels))) ORDER BY place",
        {"id": tournament_id, "labels": None if labels is None else json.dumps(labels)},
    )
    return {row["label"]: row for row in rows}


def stored_games(db: sqlite_utils.Database, tournament_id: int) -> Iterator[tuple[str, GameKey]]:
    """The games that are stored: pairing and key."""
    query = "SELECT pairing, match, replay, rotation FROM games WHERE tournament_id = ?"
    rows = db.execute(query, [tournament_id])
    while some := rows.fetchmany(_ROWS):
        found = tuples(tuple[str, int, int, int], some, "games")
        for pairing, match, replay, rotation in found:
            yield pairing, GameKey(match, replay, rotation)


class VoidRow(msgspec.Struct, frozen=True):
    """A match that does not count."""

    pairing: str
    match: int
    replay: int
    annulled: bool
    """Whether it is not played again either."""


def void_matches(db: sqlite_utils.Database, tournament_id: int) -> list[VoidRow]:
    """The matches that do not count, the first replays first."""
    query = (
        "SELECT pairing, match, replay, annulled FROM voids WHERE tournament_id = ? "
        "ORDER BY annulled, replay"
    )
    return [
        VoidRow(pairing, match, replay, bool(annulled))
        for pairing, match, replay, annulled in tuples(
            tuple[str, int, int, int], db.execute(query, [tournament_id]), "voids"
        )
    ]


def forfeited_games(
    db: sqlite_utils.Database, tournament_id: int
) -> Iterator[tuple[str, str, GameKey]]:
    """The games that an entrant forfeited: its label, pairing and key."""
    played, bots = played_in(db, tournament_id), entrants(db, tournament_id)
    query = "SELECT * FROM games WHERE tournament_id = ? AND faults IS NOT NULL"
    for row in db.query(query, [tournament_id]):
        record = to_record(row, played, bots)
        key = GameKey(record.match, record.replay, record.rotation)
        for label in forfeiters(record):
            yield label, row["pairing"], key


def keep_standings(db: sqlite_utils.Database, tournament_id: int, data: bytes) -> None:
    """Keep standings as they were computed; they can be dropped at any time."""
    with db.atomic():
        db.execute("INSERT OR REPLACE INTO standings VALUES (?, ?)", [tournament_id, data])
        note_event(db, of_tournament(tournament_id), "standings")
