"""Opening a database: whose it is, how old, whether it can be read and written."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.errors import ArenaError, Trouble, UsageError
from arena.store import (
    Reader,
    find_tournament,
    open_for_writing,
    refuse_unwritable,
    writing,
)
from arena.store.migrations import MIGRATIONS
from arena.store.schema import APPLICATION_ID
from tests.store.games import begin, copies


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def other_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE notes (text)")
        db.commit()


def other_empty(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 1")
        db.execute("CREATE TABLE notes (text)")
        db.execute("DROP TABLE notes")
        db.commit()


def newer(path: Path) -> None:
    open_for_writing(path).close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")


def text(path: Path) -> None:
    path.write_text("Dear diary, " * 100)


def folder(path: Path) -> None:
    path.mkdir()


WRONG = [
    (other_program, "a database of another program"),
    (other_empty, "a database of another program"),
    (newer, "written by a newer arena"),
    (text, "not a database"),
    (folder, "a folder, not a database"),
]


@pytest.mark.parametrize(("make", "complaint"), WRONG, ids=[make.__name__ for make, _ in WRONG])
@pytest.mark.parametrize("opened", [open_for_writing, Reader])
def test_a_file_that_is_not_ours_is_refused_and_left_as_it_is(
    path: Path, make: Callable[[Path], None], complaint: str, opened: Callable[[Path], object]
) -> None:
    make(path)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(UsageError, match=complaint) as error:
        opened(path)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)
    assert (path.read_bytes() if path.is_file() else b"") == before


@pytest.mark.parametrize("opened", [open_for_writing, Reader])
def test_a_schema_that_is_no_text_any_more_is_said_to_be_damaged(
    path: Path, opened: Callable[[Path], object]
) -> None:
    open_for_writing(path).close()
    # SQLite quotes it in its complaint, of which Python can make no text then.
    sound = b'CREATE TABLE "games" ('
    assert sound in path.read_bytes()
    path.write_bytes(path.read_bytes().replace(sound, b'CREATE TABLE "games" \xe5'))
    with pytest.raises(Trouble, match="the database is damaged") as error:
        opened(path)
    assert str(path) in str(error.value)


def test_an_empty_file_becomes_a_database(path: Path) -> None:
    path.touch()
    open_for_writing(path).close()
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_reading_makes_no_file(path: Path) -> None:
    with pytest.raises(UsageError, match="no such database"):
        Reader(path)
    assert not path.exists()
    path.touch()
    with pytest.raises(UsageError, match="no games in it yet"):
        Reader(path)
    assert path.stat().st_size == 0


def test_a_folder_that_is_not_there_is_said(path: Path) -> None:
    with pytest.raises(Trouble, match="cannot be opened"):
        open_for_writing(path / "deeper.db")


def test_many_may_open_a_new_database_at_once(path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    with context.Pool(4) as pool:
        assert pool.map(_open, [path] * 8) == [None] * 8


def _open(path: Path) -> None:
    open_for_writing(path).close()


def _as_nobody(work: Callable[[], None]) -> str:
    """Run as a user without rights (the tests may be root's); returns the complaint."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = b"nothing was refused"
        try:
            if os.geteuid() == 0:
                os.setgid(65534)
                os.setuid(65534)
            work()
        except ArenaError as error:
            status = f"{type(error).__name__}: {error}".encode()
        except BaseException as error:
            status = f"foreign: {error!r}".encode()
        os.write(write, status)
        os._exit(0)
    os.close(write)
    os.waitpid(pid, 0)
    with os.fdopen(read) as answer:
        return answer.read()


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that every user may reach; pytest's own are its user's alone."""
    with tempfile.TemporaryDirectory() as name:
        found = Path(name)
        found.chmod(0o755)
        yield found
        found.chmod(0o755)


def test_a_folder_that_can_not_be_written_is_said(public: Path) -> None:
    public.chmod(0o555)
    said = _as_nobody(lambda: open_for_writing(public / "games.db").close())
    assert said.startswith("Trouble: ")
    assert "cannot be opened" in said


def test_a_file_that_can_not_be_written_can_be_read(public: Path) -> None:
    path = public / "games.db"
    begin(path, copies(1))
    Reader(path).close()
    for file in public.iterdir():
        file.chmod(0o444)
    public.chmod(0o555)

    def read() -> None:
        with Reader(path) as reader:
            raise UsageError(f"{len(reader.tournaments())} tournament")

    assert _as_nobody(read) == "UsageError: 1 tournament"

    def write() -> None:
        with writing(path) as db:
            db.execute("DELETE FROM tournaments")

    said = _as_nobody(write)
    assert said.startswith("Trouble: ")
    assert "may not be written" in said


@pytest.mark.parametrize("kept", ["the file", "the folder"])
def test_an_older_database_that_can_not_be_written_is_said(public: Path, kept: str) -> None:
    path = public / "games.db"
    begin(path, copies(1))
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {len(MIGRATIONS) - 1}")
    path.chmod(0o444 if kept == "the file" else 0o666)
    public.chmod(0o777 if kept == "the file" else 0o555)
    said = _as_nobody(lambda: Reader(path).close())
    assert said == (
        f"Trouble: {path}: made by an older arena, and may not be written: somebody who may write "
        "it has to open it once with this one, then it can be read"
    )


def test_a_lock_is_waited_for_and_then_said(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(path, copies(1))
    monkeypatch.setattr("arena.store.schema.BUSY_SECONDS", 0.05)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Trouble, match="locked by another program"):
            begin(path, copies(1))
        with Reader(path) as reader:
            assert len(reader.tournaments()) == 1, "reading goes on meanwhile"
        other.execute("ROLLBACK")
    with writing(path) as db:
        assert find_tournament(db)


def half_written(whole: Path, path: Path) -> None:
    """What is left of a database where its writer was killed before it went over to a log."""
    with closing(sqlite3.connect(whole, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("PRAGMA cache_size = 1")  # so that it writes before it commits
        db.execute("BEGIN IMMEDIATE")
        db.execute("DELETE FROM games")
        db.execute("INSERT INTO events (topic, kind, number) VALUES (zeroblob(2000000), '', 0)")
        for end in ("", "-journal"):
            left = whole.with_name(whole.name + end).read_bytes()
            path.with_name(path.name + end).write_bytes(left)
        db.execute("ROLLBACK")


def test_what_a_killed_writer_left_is_taken_back_by_a_reader(path: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole.db"
    begin(whole, copies(1))
    half_written(whole, path)
    with Reader(path) as reader:
        assert [row.id for row in reader.tournaments()] == [1]
    assert not path.with_name("games.db-journal").exists()


def test_a_database_may_be_looked_at_before_it_is_needed(path: Path) -> None:
    refuse_unwritable(path)
    assert not path.exists()
    with pytest.raises(Trouble, match="cannot be opened"):
        refuse_unwritable(path / "deeper.db")


def test_a_file_that_can_not_be_written_is_said_at_once(public: Path) -> None:
    path = public / "games.db"
    begin(path, copies(1))
    path.chmod(0o444)
    said = _as_nobody(lambda: refuse_unwritable(path))
    assert said == f"Trouble: {path}: may not be written"


def test_what_is_gone_on_with_is_not_made_anew(path: Path) -> None:
    begin(path, copies(1))
    path.unlink()
    with pytest.raises(Trouble, match="was moved or deleted"), writing(path, new=False):
        pass
    assert not path.exists()
