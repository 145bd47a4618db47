"""Submissions at once, each in a process of its own: one after the other, and none is lost."""

from __future__ import annotations

import sqlite3
import subprocess
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from arena.store import open_for_writing
from tests.cli.program import SECONDS, bot, environment
from tests.submission.unchecked import unchecked


def submitted_at_once(database: Path, folders: Sequence[Path]) -> list[tuple[int, str, str]]:
    """Submit them so that all are built and checked before any can be stored.

    Returns how each ended: exit status, last line of output, complaint.
    """
    open_for_writing(database).close()
    with closing(sqlite3.connect(database, isolation_level=None)) as lock:
        lock.execute("BEGIN IMMEDIATE")
        processes = [_started(database, folder) for folder in folders]
        for process in processes:
            assert process.stdout
            assert "Checked: " in [process.stdout.readline() for _ in range(3)][-1]
        lock.execute("ROLLBACK")
    ends = [process.communicate(timeout=SECONDS) for process in processes]
    return [
        (process.returncode, out.strip(), err.strip())
        for process, (out, err) in zip(processes, ends, strict=True)
    ]


def _started(database: Path, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*unchecked(), "submit", str(folder), "--db", str(database), "--isolation", "none"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        text=True,
    )


def rows(database: Path) -> list[tuple[str, str, str]]:
    with closing(sqlite3.connect(database)) as db:
        assert not db.execute("PRAGMA foreign_key_check").fetchall()
        query = "SELECT name, version, bot_hash FROM submissions ORDER BY name"
        return db.execute(query).fetchall()


def test_the_same_bot_is_stored_once(tmp_path: Path) -> None:
    database, folder = tmp_path / "kseri.db", bot(tmp_path, "mine")
    ends = submitted_at_once(database, [folder] * 3)
    assert [status for status, _, _ in ends] == [0, 0, 0]
    said = sorted(out.split(":")[0] for _, out, _ in ends)
    assert said == ["Nothing new", "Nothing new", "Stored"]
    assert len(rows(database)) == 1


def test_of_two_bots_with_one_name_and_version_one_is_refused(tmp_path: Path) -> None:
    database, folders = tmp_path / "kseri.db", []
    for number in range(2):
        (tmp_path / str(number)).mkdir()
        folders.append(bot(tmp_path / str(number), "mine", f"number = {number}"))
    ends = submitted_at_once(database, folders)
    assert sorted(status for status, _, _ in ends) == [0, 2]
    [complaint] = [err for status, _, err in ends if status == 2]
    assert "raise the version" in complaint.splitlines()[-1]
    assert len(rows(database)) == 1


def test_different_bots_are_all_stored(tmp_path: Path) -> None:
    database = tmp_path / "kseri.db"
    names = ["a", "b", "c"]
    ends = submitted_at_once(database, [bot(tmp_path, name) for name in names])
    assert [status for status, _, _ in ends] == [0, 0, 0]
    assert [name for name, _, _ in rows(database)] == names
