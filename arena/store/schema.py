"""The database: whose it is, how it is opened, and what its errors mean."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import sqlite_utils

from arena.errors import Trouble, UsageError
from arena.store.migrations import MIGRATIONS
from arena.store.values import Damaged

APPLICATION_ID = 0x4B534552
"""`KSER`: marks the file as a database of this program."""
BUSY_SECONDS = 60
"""How long a connection waits for another one's lock."""
_PAGE_BYTES = 16_384
"""Of a new file. A game takes 2.5 to 4 KB, and of SQLite's own 4 KB a page the rest is lost."""
DATABASE_ERRORS = (sqlite3.Error, UnicodeDecodeError, Damaged)
"""What reading and writing raises; the second where a damaged file has text that is none."""


class NoDatabase(UsageError):
    """Nothing has been stored yet, and whoever only reads makes no database."""


def open_for_writing(path: Path, *, new: bool = True) -> sqlite_utils.Database:
    """Open the database, made if it does not exist, brought up to date if it is old.

    `new` False: it was there before, and is not made again where somebody has moved it. Raises
    `UsageError` for another program's file or a newer schema, `Trouble` for the machine's
    refusals.
    """
    if not new and not path.exists():
        raise Trouble(_moved(path))
    refuse_unwritable(path)
    # It holds the secret of a tournament that is being played, and everybody's bots: others than
    # its owner may read it when the owner says so. SQLite gives its own files the same mode.
    if new:
        with suppress(OSError):
            path.touch(0o600, exist_ok=False)
    connection = _connect(f"file:{_quoted(path)}?mode={'rwc' if new else 'rw'}", path)
    try:
        _check(connection, path)
        db = sqlite_utils.Database(connection)
        connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}")  # has no effect later on
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        _migrate(db)
    except DATABASE_ERRORS as error:
        connection.close()
        raise translated(error, path) from error
    except UsageError:
        connection.close()
        raise
    return db


def refuse_unwritable(path: Path) -> None:
    """Raise `Trouble` where a database can't be written or made: before what takes long."""
    if path.exists():
        if not os.access(path, os.W_OK):
            raise Trouble(f"{path}: may not be written")
    elif not os.access(path.absolute().parent, os.W_OK | os.X_OK):
        raise Trouble(_not_opened(path))


@contextmanager
def writing(path: Path, *, new: bool = True) -> Iterator[sqlite_utils.Database]:
    """A connection as from `open_for_writing` for as long as the block runs.

    SQLite's errors in it come out as ours.
    """
    db = open_for_writing(path, new=new)
    try:
        yield db
    except DATABASE_ERRORS as error:
        raise translated(error, path) from error
    finally:
        db.close()


@contextmanager
def undisturbed(db: sqlite_utils.Database) -> Iterator[None]:
    """A transaction in which nobody else can write between its reading and its writing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        db.rollback()
        raise
    db.execute("COMMIT")


def open_for_reading(path: Path, *, recover: bool = True) -> sqlite_utils.Database:
    """Open an existing database to read it; one of an older arena is brought up to date first.

    `recover`: what somebody has left half written who was killed is taken back first. Raises like
    `open_for_writing`, and `NoDatabase`.
    """
    if not path.exists():
        raise NoDatabase(f"{path}: no such database (games are kept by kseri play and tournament)")
    connection = _connect(f"file:{_quoted(path)}?mode=ro{_unchanging(path)}", path)
    try:
        version = _check(connection, path)
    except DATABASE_ERRORS as error:
        connection.close()
        if recover and _is_half_written(error):
            _recover(path)
            return open_for_reading(path, recover=False)
        raise translated(error, path) from error
    except UsageError:
        connection.close()
        raise
    if version < len(MIGRATIONS):
        connection.close()
        if version:
            _refuse_outdated(path)
            open_for_writing(path).close()
            return open_for_reading(path)
        raise NoDatabase(f"{path}: no games in it yet")
    return sqlite_utils.Database(connection)


def _refuse_outdated(path: Path) -> None:
    """Raise `Trouble` where a database of an older arena can't be brought up to date."""
    # SQLite keeps files of its own beside it while it writes.
    if not (os.access(path, os.W_OK) and os.access(path.resolve().parent, os.W_OK | os.X_OK)):
        raise Trouble(
            f"{path}: made by an older arena, and may not be written: somebody who may write it "
            "has to open it once with this one, then it can be read"
        )


def _is_half_written(error: Exception) -> bool:
    """Whether SQLite would have to write before it can read."""
    return getattr(error, "sqlite_errorname", "").startswith("SQLITE_READONLY")


def _recover(path: Path) -> None:
    """Let SQLite take back what was never committed; nothing of ours is written."""
    connection = _connect(f"file:{_quoted(path)}?mode=rw", path)
    try:
        _check(connection, path)
    except DATABASE_ERRORS as error:
        raise translated(error, path) from error
    finally:
        connection.close()


def _unchanging(path: Path) -> str:
    """What lets SQLite read where it can't put files of its own beside: read-only media, say."""
    file = path.resolve()
    log = file.with_name(file.name + "-wal")
    # A reader that was the last to leave could not remove it, but it is empty then.
    in_use = log.exists() and log.stat().st_size > 0
    return "" if in_use or os.access(file.parent, os.W_OK) else "&immutable=1"


def _quoted(path: Path) -> str:
    return str(path.absolute()).replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def _connect(uri: str, path: Path) -> sqlite3.Connection:
    if path.is_dir():
        raise UsageError(f"{path}: a folder, not a database")
    if path.exists() and not path.is_file():
        raise UsageError(f"{path}: a device or pipe, not a database")
    try:
        return sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, check_same_thread=False)
    except DATABASE_ERRORS as error:
        raise translated(error, path) from error


def _check(connection: sqlite3.Connection, path: Path) -> int:
    """Refuse what is not ours or too new; returns the schema's version, 0 for an empty file."""
    application = _pragma(connection, "application_id")
    version = _pragma(connection, "user_version")
    with closing(connection.execute("SELECT count(*) FROM sqlite_master")) as tables:
        is_empty = tables.fetchone()[0] == 0
    if application != APPLICATION_ID and (application or version or not is_empty):
        raise UsageError(f"{path}: a database of another program")
    if version > len(MIGRATIONS):
        raise UsageError(
            f"{path}: written by a newer arena (schema {version}; this one knows "
            f"{len(MIGRATIONS)}): update kseri-arena"
        )
    return 0 if is_empty else version


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    with closing(connection.execute(f"PRAGMA {name}")) as cursor:
        return int(cursor.fetchone()[0])


def _migrate(db: sqlite_utils.Database) -> None:
    """Bring the schema up to date; whoever comes second finds it done."""
    connection = db.conn
    if _pragma(connection, "user_version") == len(MIGRATIONS):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for version in range(_pragma(connection, "user_version"), len(MIGRATIONS)):
            MIGRATIONS[version](db)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise


def _moved(path: Path) -> str:
    return f"{path}: was moved or deleted while it was used"


def _not_opened(path: Path) -> str:
    return f"{path}: cannot be opened (does the folder exist, is it writable?)"


def translated(
    error: sqlite3.Error | UnicodeDecodeError | Damaged, path: Path
) -> Trouble | UsageError:
    """An error of reading or writing as one of ours, in one line that names the database."""
    if isinstance(error, Damaged):
        return error.of(path)
    text = str(error)
    if "unable to open" not in text and not path.exists():
        return Trouble(_moved(path))
    if isinstance(error, UnicodeDecodeError):
        return Trouble(f"{path}: the database is damaged: {text}")
    if "not a database" in text:
        return UsageError(f"{path}: not a database")
    if "locked" in text:
        return Trouble(f"{path}: locked by another program for more than {BUSY_SECONDS} s")
    if "full" in text:
        return Trouble(f"{path}: the disk is full; games already stored are safe")
    if getattr(error, "sqlite_errorname", "").startswith("SQLITE_IOERR"):
        # A quota, for instance, is nothing that SQLite would take for a full disk.
        return Trouble(
            f"{path}: cannot be read or written ({text}; a quota, or a failing disk?); games "
            "already stored are safe"
        )
    if "unable to open" in text:
        return Trouble(_not_opened(path))
    if "malformed JSON" in text:
        return Damaged(f"{path}: the database is damaged: {text}", path)
    return Trouble(f"{path}: {text}")
