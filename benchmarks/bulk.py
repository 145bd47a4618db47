"""A database of very many games, filled at once: a few are stored, and then multiplied."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arena.play import FinishedGame
from arena.schedule import GameKey, fixed_pairings
from arena.store import (
    SUMMARIES,
    Database,
    StoredTournament,
    entrants_of,
    find_tournament,
    store_games,
    writing,
)
from benchmarks.copies import ROTATIONS, copy, templates

STORED_MATCHES = 2
"""Of every pairing: stored as the arena does it."""
SPREAD_ELO = 400
"""From the strongest bot, which was entered first, to the weakest."""
_BATCH_GAMES = 1_000


def fill(database: Path, tournament_id: int, *, with_games: bool) -> int:
    """Store all games of a new tournament of two at a table; returns how many.

    Every `STORED_MATCHES` after the first are copies of these. `with_games` False: only in the
    summaries, as if somebody had taken the games away.
    """
    with writing(database) as db:
        stored = find_tournament(db, id=tournament_id)
        assert stored is not None
        times = stored.definition.matches // STORED_MATCHES
        db.execute("PRAGMA synchronous = OFF")
        batch: list[Any] = []
        for game in _games(db, stored):
            batch.append((game.record, game.logs))
            if len(batch) == _BATCH_GAMES:
                store_games(db, tournament_id, batch)
                batch.clear()
        store_games(db, tournament_id, batch)
        with db.atomic():
            [(last,)] = db.execute("SELECT max(id) FROM games")
            for number in range(1, times if with_games else 1):
                _copy_games(db, last, number * STORED_MATCHES)
            for table in SUMMARIES:
                _multiply(db, table, times)
            db.execute("UPDATE tournaments SET games_played = games_played * ?", [times])
        [(count,)] = db.execute("SELECT games_played FROM tournaments")
    return int(count)


def _games(db: Database, stored: StoredTournament) -> Iterator[FinishedGame]:
    """The first games of every pairing; the earlier entered wins more often."""
    found, chance = templates(stored.definition.rules), random.Random(1)
    labels = [each.label for each in entrants_of(db, stored.id)]
    place = {label: number / len(labels) for number, label in enumerate(labels)}
    for pairing in fixed_pairings(stored.definition, dict.fromkeys(labels, ())):
        a, b = (place[label] for label in pairing.entrants)
        for match in range(1, STORED_MATCHES + 1):
            template = found.drawn(chance, 1 / (1 + 10 ** ((a - b) * SPREAD_ELO / 400)))
            for rotation in range(ROTATIONS):
                yield copy(template, pairing.entrants, GameKey(match, 0, rotation))


def _columns(db: Database, table: str) -> list[str]:
    """Names of a table's columns that are no part of its key."""
    query = "SELECT name FROM pragma_table_info(?) WHERE NOT pk"
    return [name for (name,) in db.execute(query, [table])]


def _copy_games(db: Database, last: int, later: int) -> None:
    """Store the first games again, up to the `last`, so many matches later, with other ids."""
    names = _columns(db, "games")
    values = {"match": "match + :later", "game": "lower(hex(randomblob(8)))"}
    chosen = ", ".join(values.get(name, name) for name in names)
    db.execute(
        f"INSERT INTO games ({', '.join(names)}) SELECT {chosen} FROM games "
        "WHERE id <= :last ORDER BY id",
        {"later": later, "last": last},
    )


def _multiply(db: Database, table: str, times: int) -> None:
    """Let a summary count everything so many times."""
    db.conn.create_function("times", 2, _times, deterministic=True)
    changed = ", ".join(f"{name} = times({name}, {times})" for name in _columns(db, table))
    db.execute(f"UPDATE {table} SET {changed}")


def _times(value: float | str, times: int) -> float | str:
    """A count, or a list of sums as JSON."""
    if isinstance(value, str):
        return json.dumps([each * times for each in json.loads(value)])
    return value * times
