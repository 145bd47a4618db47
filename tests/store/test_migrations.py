"""A database of an older arena is brought up to date and keeps its games and its standings."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlite_utils

from arena.schedule import GameKey
from arena.standings import standings
from arena.store import Reader, open_for_writing, writing
from arena.store.migrations import MIGRATIONS
from arena.store.schema import APPLICATION_ID
from arena.verify import problems, secret_problems
from tests.store.test_counting import assert_sound, summaries
from tests.tournament.memory import InMemory, Stopped, entered, played

NAMES = ("greedy", "random", "saver")
ROUNDS = 4
"""The version of the schema from which on tournaments may have rounds."""
TURNS_BEHIND = 11
"""The last version in which the number of turns in a line stood behind every play."""
OLD = range(1, len(MIGRATIONS))
SECRET = (1).to_bytes(32, "big")


@pytest.fixture(scope="module")
def today(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament as it is stored today, stopped, with a match that is to be played again."""
    path = tmp_path_factory.mktemp("today") / "games.db"
    failing = (NAMES[:2], GameKey(2, 0, 1))
    executor = InMemory(fails=lambda pairing, key: (pairing, key) == failing, stops_after=13)
    with pytest.raises(Stopped):
        played(path, entered(path, *NAMES, matches=4), executor)
    assert len(executor.played) == 13
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "old.db"


def old(path: Path, today: Path, version: int) -> None:
    """The same tournament as an older arena has stored it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        db = sqlite_utils.Database(connection)
        for migrate in MIGRATIONS[:version]:
            migrate(db)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {version}")
        with writing(today) as new:
            for table in db.table_names():
                if table != "results" or version >= ROUNDS:
                    _copy(db, table, new.query(f"SELECT * FROM {table}"))
                else:
                    _copy(db, table, new.query(BY_PAIRING))


def _copy(db: sqlite_utils.Database, table: str, rows: Iterable[dict[str, Any]]) -> None:
    """Copy what an old table has columns for."""
    columns = [column.name for column in db.table(table).columns]
    names, marks = ", ".join(f'"{name}"' for name in columns), ", ".join("?" * len(columns))
    for row in rows:
        db.execute(
            f"INSERT INTO {table} ({names}) VALUES ({marks})", [row[name] for name in columns]
        )


BY_PAIRING = (
    "SELECT tournament_id, pairing, outcome, sum(matches) AS matches FROM results GROUP BY 1, 2, 3"
)
"""Results as they were before there were rounds."""


@pytest.mark.parametrize("version", OLD)
def test_an_older_database_keeps_its_games_and_its_standings(
    path: Path, today: Path, version: int
) -> None:
    old(path, today, version)
    with Reader(path) as was, Reader(today) as new:
        assert list(was.records(1)) == list(new.records(1))
        assert was.tournament_row(1) == new.tournament_row(1)
        assert was.stored(1) == new.stored(1)
        assert was.entrants(1) == new.entrants(1)
        found = standings(was, 1)
        assert found == standings(new, 1)
        assert not was.rounds(1) + was.pairings(1) + was.audit(1)
    assert sum(line.matches for line in found.lines) > 4
    assert_sound(path, 1)


@pytest.mark.parametrize("version", OLD)
def test_an_older_tournament_goes_on_where_it_was(path: Path, today: Path, version: int) -> None:
    old(path, today, version)
    last = InMemory()
    progress = played(path, entered(path, *NAMES, matches=4), last)
    assert progress.done == progress.planned == 3 * 4 * 2
    assert len(last.played) == 24 - 13 + 1, "a game of the match that was void had ended"
    with Reader(path) as reader:
        for record in reader.records(1):
            assert not problems(record) + secret_problems(record, SECRET)
    assert_sound(path, 1)


def test_a_summary_that_was_wrong_is_right_afterwards(path: Path, today: Path) -> None:
    old(path, today, ROUNDS - 1)
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE totals SET wins = wins + 1")
        db.commit()
    with writing(path) as was, writing(today) as new:
        assert summaries(was) == summaries(new)


def test_turns_that_stood_behind_plays_stand_before_them(path: Path, today: Path) -> None:
    old(path, today, TURNS_BEHIND)
    with closing(sqlite3.connect(path)) as db:
        text = "dealer=1 attempt=2 7H:184/32! QHx92/32 JCx0!\ndealer=0 7H:1/2"
        db.execute("UPDATE games SET plays = ? WHERE id = 1", [text])
        db.commit()
    with writing(path) as was:
        (row,) = was.query("SELECT plays FROM games WHERE id = 1")
    mended = "dealer=1 attempt=2 /32 7H:184! QHx92 /1 JCx0!\ndealer=0 /2 7H:1"
    assert row["plays"] == mended


def test_a_migration_that_fails_leaves_the_database_as_it_was(
    path: Path, today: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old(path, today, ROUNDS - 1)
    before = _dump(path)

    def failing(db: sqlite_utils.Database) -> None:
        db.execute("DROP TABLE bot_logs")
        raise RuntimeError("the power failed")

    with monkeypatch.context() as patch:
        patch.setattr("arena.store.schema.MIGRATIONS", [*MIGRATIONS, failing])
        with pytest.raises(RuntimeError):
            open_for_writing(path)
    assert _dump(path) == before
    open_for_writing(path).close()
    assert_sound(path, 1)


def _dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as db:
        return [str(db.execute("PRAGMA user_version").fetchone()), *db.iterdump()]
