"""Kills at bad moments, a disk that is full, a database that is locked: nothing is lost by them.

`benchmarks/kills.py` does the same for longer, at random moments.
"""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from arena.errors import Trouble
from arena.store import Database, Reader, open_for_writing, writing
from tests.cli.program import SECONDS, complaint, exported
from tests.tournament.memory import InMemory, entered, played
from tests.tournament.processes import GAMES, Running, goes_on, kseri_within, stored, words


class Moment(NamedTuple):
    """When an arena is killed."""

    name: str
    has_come: Callable[[Running, Path], bool]


def _wait_for(come: Callable[[], bool], running: Running) -> None:
    until = time.monotonic() + SECONDS
    while not come():
        assert running.process.poll() is None, "it ended before that"
        assert time.monotonic() < until
        time.sleep(0.01)


def _has(games: int) -> Callable[[Running, Path], bool]:
    return lambda _, database: _count(database) >= games


def _count(database: Path) -> int:
    with closing(sqlite3.connect(database)) as db:
        return int(db.execute("SELECT count(*) FROM games").fetchone()[0])


MOMENTS = [
    Moment("the database is being made", lambda _, database: database.exists()),
    Moment("a worker has begun", lambda running, _: bool(running.workers())),
    Moment("the first games are stored", _has(1)),
    Moment("half of the games are stored", _has(GAMES // 2)),
]


@pytest.mark.slow
def test_four_workers_go_on_after_one_kill_after_another(
    cup: Path, undisturbed: list[bytes], tmp_path: Path, bots_cache: Path
) -> None:
    database = tmp_path / "games.db"
    before = 0
    for moment in MOMENTS:
        with Running(words(cup, database, 4), cache=bots_cache) as running:
            _wait_for(lambda: moment.has_come(running, database), running)  # noqa: B023
            running.process.kill()
            running.ended()
            running.wait_until_gone()
        now = _stored_if_any(database)
        print(f"{moment.name}: {now} games")
        assert now >= before
        before = now
    goes_on(cup, database, undisturbed, 4)


def test_a_tournament_that_was_killed_after_its_last_game_is_closed(
    cup: Path, undisturbed: list[bytes], tmp_path: Path
) -> None:
    database = tmp_path / "games.db"
    shutil.copy(cup.parent / "games.db", database)
    with writing(database) as db, db.atomic():
        db.execute("UPDATE tournaments SET finished = NULL")
    goes_on(cup, database, undisturbed, 1)
    with Reader(database) as reader:
        assert reader.stored(1).finished


def _stored_if_any(database: Path) -> int:
    with closing(sqlite3.connect(database)) as db:
        query = "SELECT count(*) FROM sqlite_master WHERE name = 'games'"
        has_tables = db.execute(query).fetchone() == (1,)
    return stored(database) if has_tables else 0


def test_where_nothing_more_can_be_written_one_line_says_so_and_it_goes_on_with_more_room(
    cup: Path, undisturbed: list[bytes], tmp_path: Path
) -> None:
    database = tmp_path / "games.db"
    open_for_writing(database).close()
    # What is written grows by some hundred kilobytes with every transaction.
    result = kseri_within(database.stat().st_size + 100_000, *words(cup, database, 2))
    complaint(result, 1, "games.db", "games already stored are safe", after=20)
    assert "Traceback" not in result.stderr
    assert 0 < stored(database) < GAMES
    goes_on(cup, database, undisturbed, 2)


def test_a_run_waits_for_whoever_has_locked_its_database(
    undisturbed: list[bytes], tmp_path: Path, running: Running
) -> None:
    running.has_played_some()
    database = tmp_path / "games.db"
    with closing(sqlite3.connect(database, isolation_level=None, timeout=SECONDS)) as other:
        other.execute("BEGIN IMMEDIATE")
        before = stored(database)
        # It has played all that there is, and has stored nothing of it.
        _wait_for(lambda: not running.workers(), running)
        assert stored(database) == before < GAMES
        other.execute("ROLLBACK")
    status, said = running.ended()
    assert status == 0, said
    assert exported(database, "--canonical") == undisturbed


@contextmanager
def _without_room(path: Path, *, new: bool) -> Iterator[Database]:
    """A connection for which the disk has no further page."""
    with writing(path, new=new) as db:
        (pages,) = db.execute("PRAGMA page_count").fetchone()
        db.execute(f"PRAGMA max_page_count = {pages + 1}")
        yield db


@contextmanager
def _without_patience(path: Path, *, new: bool) -> Iterator[Database]:
    """A connection that waits for nobody, while another one has the database locked."""
    with (
        writing(path, new=new) as db,
        closing(sqlite3.connect(path, isolation_level=None)) as other,
    ):
        db.execute("PRAGMA busy_timeout = 0")
        other.execute("BEGIN IMMEDIATE")
        yield db


@pytest.mark.parametrize(
    ("opened", "said"),
    [
        (_without_room, "the disk is full; games already stored are safe"),
        (_without_patience, "locked by another program"),
    ],
)
def test_a_writer_that_fails_ends_the_run_which_goes_on_when_it_can(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    opened: Callable[..., Database],
    said: str,
) -> None:
    database = tmp_path / "games.db"
    entry = entered(database, "greedy", "random", matches=10)
    with monkeypatch.context() as patch:
        patch.setattr("arena.store.writer.writing", opened)
        with pytest.raises(Trouble, match=said):
            played(database, entry, InMemory())
    progress = played(database, entered(database, "greedy", "random", matches=10), InMemory())
    assert progress.done == 20
    other = tmp_path / "undisturbed.db"
    played(other, entered(other, "greedy", "random", matches=10), InMemory())
    assert exported(database, "--canonical") == exported(other, "--canonical")
