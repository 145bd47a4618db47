"""A tournament that is disturbed on purpose, and what it comes to when nobody disturbs it."""

from __future__ import annotations

import csv
import io
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.store import SUMMARIES, recount, writing
from tests.cli.program import exported, kseri, tournament_file
from tests.tournament.processes import Running

WORKERS = 4
_BOTS = ("greedy", "saver", "random", "counter")
"""Without memory from game to game: whichever process plays a game, it plays the same."""
_CHANCE_COLUMNS = ("ms_a_play", "overruns")
"""Of the standings: what differs between two runs of the same games."""


@dataclass(frozen=True)
class Outcome:
    """What a tournament came to."""

    export: list[bytes]
    """Its canonical games, a line each."""
    standings: list[dict[str, str]]

    def difference(self, other: Outcome) -> str:
        """How another run of the same tournament differs, in a few words; "" where it does not."""
        if len(other.export) != len(self.export):
            return f"{len(other.export)} games instead of {len(self.export)}"
        if len(set(other.export)) != len(other.export):
            return "a game is there twice"
        if other.export != self.export:
            return "other games"
        return "" if other.standings == self.standings else "other standings"


class Cup:
    """A round robin of short games, played in a folder with as many databases as are wanted."""

    def __init__(self, folder: Path, isolation: str, matches: int) -> None:
        self._folder, self._isolation = folder, isolation
        # More games at once than there are cores: real time would not be fair.
        settings = {
            "matches": matches,
            "chunk_matches": 5,
            "rules": '"kseri-short"',
            "time": '{ clock = "cpu" }',
        }
        self._file = tournament_file(folder, *_BOTS, name="cup", **settings)
        self.games = len(_BOTS) * (len(_BOTS) - 1) // 2 * matches * 2
        database = folder / "undisturbed.db"
        started = time.monotonic()
        result = kseri(*self.words(database))
        self.seconds = time.monotonic() - started
        """How long an undisturbed run took."""
        if result.returncode:
            raise SystemExit(result.stderr)
        self.undisturbed = self.outcome(database)

    def words(self, database: Path) -> list[object]:
        """The command that plays it, or goes on with it."""
        return [
            *("tournament", "run", self._file, "--db", database, "--seed", 1),
            *("--workers", WORKERS, "--isolation", self._isolation),
        ]

    def running(self, database: Path) -> Running:
        """That command, to be entered and disturbed."""
        cache = self._folder / "cache"
        cache.mkdir(exist_ok=True)
        return Running(self.words(database), cache=cache)

    def outcome(self, database: Path) -> Outcome:
        """What it came to in this database."""
        export = exported(database, "--canonical")
        table = b"".join(exported(database, "--standings")).decode()
        rows = list(csv.DictReader(io.StringIO(table)))
        for row in rows:
            for column in _CHANCE_COLUMNS:
                del row[column]
        return Outcome(export, rows)

    def verdict(self, database: Path, before: Rows) -> str:
        """What is wrong with a tournament that was disturbed and is over; "" where nothing is.

        `before`: rows of games that were stored then, and must not have changed since.
        """
        wrong = unsound(database) or self.undisturbed.difference(self.outcome(database))
        after = games_in(database)
        if any(after.get(number) != row for number, row in before.items()):
            wrong = wrong or "a stored game has changed"
        if len(after) != self.games:
            wrong = wrong or f"{len(after)} rows of games instead of {self.games}"
        return wrong


Rows = dict[int, tuple[Any, ...]]
"""Rows of games by their number."""


def games_in(database: Path) -> Rows:
    """All games of a database; none where it has not come to have tables."""
    if not database.exists():
        return {}
    with closing(sqlite3.connect(database)) as db:
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'games'").fetchone():
            return {}
        return {row[0]: row for row in db.execute("SELECT * FROM games")}


def unsound(database: Path) -> str:
    """What is wrong with a database, in a few words; "" where it is sound.

    Its summary tables must be what counting all its games again gives.
    """
    if not database.exists():
        return ""
    copy = database.with_name("copy.db")
    with closing(sqlite3.connect(database)) as db:
        checked = db.execute("PRAGMA integrity_check").fetchall()
        if checked != [("ok",)]:
            return f"integrity_check: {checked[0][0]}"
        if db.execute("PRAGMA foreign_key_check").fetchall():
            return "foreign_key_check"
        with closing(sqlite3.connect(copy)) as other:
            db.backup(other)
    try:
        return _miscounted(copy)
    finally:
        for path in database.parent.glob("copy.db*"):
            path.unlink()


def _miscounted(copy: Path) -> str:
    with writing(copy) as db:
        kept = _summaries(db.conn)
        for row in list(db.query("SELECT id FROM tournaments")):
            recount(db, row["id"])
        return "" if _summaries(db.conn) == kept else "summaries are not those of the games"


def _summaries(db: sqlite3.Connection) -> list[Any]:
    found: list[Any] = db.execute("SELECT id, games_played FROM tournaments").fetchall()
    for table in SUMMARIES:
        found.append(sorted(db.execute(f"SELECT * FROM {table}").fetchall()))
    return found
