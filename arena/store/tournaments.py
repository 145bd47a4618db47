"""Tournaments in the database: begin one, find one, what of it is done."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
import sqlite_utils

from arena.bots import BotFiles
from arena.schedule import GameKey
from arena.store.rows import Row
from protocol.rules import RULES_VERSION, RuleSet
from protocol.tournament import Tournament


class StoredTournament(msgspec.Struct, frozen=True, kw_only=True):
    """One tournament as the database has it."""

    id: int
    name: str
    kind: str
    """As in the tournament file; `play` for matches of their own."""
    definition: Tournament
    sides: int
    rotations: int
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
    started: str
    finished: str | None


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
    games_planned: int,
    rotations: int,
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
            "finished": None,
        }
        tournament_id = _insert(db, "tournaments", row)
        for place, (label, bot) in enumerate(bots.items()):
            entrant = {"tournament_id": tournament_id, "label": label, "place": place}
            _insert(db, "entrants", entrant | {"bot_hash": bot.hash})
    return tournament_id


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
    db: sqlite_utils.Database, tournament_id: int, tournament: Tournament, games_planned: int
) -> None:
    """Plan more matches in a tournament that goes on."""
    with db.atomic():
        db.execute(
            "UPDATE tournaments SET definition = ?, games_planned = ?, finished = NULL "
            "WHERE id = ?",
            [msgspec.json.encode(tournament).decode(), games_planned, tournament_id],
        )


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


def find_tournament(db: sqlite_utils.Database, **where: Any) -> StoredTournament | None:
    """The latest tournament whose columns have these values; None if there is none."""
    condition = " AND ".join(f"{name} = :{name}" for name in where) or "1"
    query = f"SELECT * FROM tournaments WHERE {condition} ORDER BY id DESC LIMIT 1"
    for row in db.query(query, where):
        return stored_tournament(row)
    return None


def stored_tournament(row: Row) -> StoredTournament:
    """A row of `tournaments` as a struct."""
    kept = {name: row[name] for name in StoredTournament.__struct_fields__}
    for name in ("rated", "practice", "names_hidden"):
        kept[name] = bool(kept[name])
    definition = msgspec.json.decode(row["definition"], type=Tournament)
    return StoredTournament(**kept | {"definition": definition})


def bots_of(db: sqlite_utils.Database, tournament_id: int) -> dict[str, BotFiles]:
    """The files of every entrant as they were when the tournament began, by label."""
    rows = db.query(
        "SELECT label, files FROM entrants JOIN bots ON hash = bot_hash "
        "WHERE tournament_id = ? ORDER BY place",
        [tournament_id],
    )
    return {row["label"]: BotFiles.from_zip(row["files"]) for row in rows}


def entrants(db: sqlite_utils.Database, tournament_id: int) -> dict[str, Row]:
    """Every entrant's bot by its label: name, version, hash."""
    rows = db.query(
        "SELECT label, name, version, hash FROM entrants JOIN bots ON hash = bot_hash "
        "WHERE tournament_id = ? ORDER BY place",
        [tournament_id],
    )
    return {row["label"]: row for row in rows}


def done_games(db: sqlite_utils.Database, tournament_id: int) -> dict[str, set[GameKey]]:
    """The games that are stored, by pairing."""
    done: dict[str, set[GameKey]] = {}
    query = "SELECT pairing, match, replay, rotation FROM games WHERE tournament_id = ?"
    for pairing, match, replay, rotation in db.execute(query, [tournament_id]):
        done.setdefault(pairing, set()).add(GameKey(match, replay, rotation))
    return done


def void_match(
    db: sqlite_utils.Database, tournament_id: int, pairing: str, key: GameKey, cause: str
) -> None:
    """Note that the arena failed a match, so that this replay of it does not count."""
    db.execute(
        "INSERT OR IGNORE INTO voids VALUES (?, ?, ?, ?, ?)",
        [tournament_id, pairing, key.match, key.replay, cause],
    )


def replays(db: sqlite_utils.Database, tournament_id: int) -> dict[str, dict[int, int]]:
    """Which replay of a match counts, by pairing and match, where that is not the first."""
    found: dict[str, dict[int, int]] = {}
    query = (
        "SELECT pairing, match, max(replay) + 1 FROM voids WHERE tournament_id = ? "
        "GROUP BY pairing, match"
    )
    for pairing, match, replay in db.execute(query, [tournament_id]):
        found.setdefault(pairing, {})[match] = replay
    return found
