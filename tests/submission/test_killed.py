"""A submission that is killed leaves no row, no folder and no file, wherever it was."""

from __future__ import annotations

import os
import select
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.cli.program import START, bot, environment, kseri
from tests.submission.unchecked import unchecked

SECONDS = 60
"""What nothing here takes."""


class Place:
    """A database, a cache and a folder for temporary files, all of one test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.database, self.cache = folder / "kseri.db", folder / "cache"
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        self.variables = {"XDG_CACHE_HOME": str(self.cache), "TMPDIR": str(self.temporary)}
        self.words = ["--db", str(self.database), "--isolation", "none"]

    def started(self, *command: str) -> subprocess.Popen[bytes]:
        """A command with this place's folders."""
        return subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(**self.variables),
        )

    def unfinished(self) -> list[str]:
        """Work that lies about."""
        cached = self.cache / "kseri-arena" / "bots"
        copies = [path.name for path in cached.glob("new-*")]
        return copies + [path.name for path in self.temporary.iterdir()]

    def rows(self) -> int:
        """How many submissions are stored; the database is sound."""
        if not self.database.exists():
            return 0
        with closing(sqlite3.connect(self.database)) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            return int(db.execute("SELECT count(*) FROM submissions").fetchone()[0])


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@contextmanager
def waiting_for(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Everything that the process has started has ended, too, at the end of the block."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    ends = [os.pidfd_open(int(pid)) for pid in children]
    assert ends, "somebody has to tidy up"
    yield
    for end in ends:
        assert select.select([end], [], [], SECONDS)[0]
        os.close(end)


def test_killed_while_it_builds(place: Place) -> None:
    started = place.folder / "started"
    os.mkfifo(started)
    folder = bot(place.folder, "mine", build='["sh", "make.sh"]')
    (folder / "make.sh").write_text(f"echo > {started}; while true; do echo > late; done")
    process = place.started(*START, "submit", str(folder), *place.words)
    assert started.read_bytes()
    assert len(place.unfinished()) == 2
    with waiting_for(process):
        process.kill()
        process.communicate()
    assert (place.unfinished(), place.rows()) == ([], 0)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_killed_while_it_is_checked(place: Place, number: signal.Signals) -> None:
    started = place.folder / "started"
    os.mkfifo(started)
    code = f"open({str(started)!a}, 'w').write('x'); import time; time.sleep(1000)"
    folder = bot(place.folder, "mine", code)
    process = place.started(*START, "submit", str(folder), *place.words)
    assert started.read_bytes()
    assert len(place.unfinished()) == 1
    with waiting_for(process):
        process.send_signal(number)
        process.communicate(timeout=SECONDS)
    assert (place.unfinished(), place.rows()) == ([], 0)
    assert process.returncode == (130 if number == signal.SIGINT else -number)


DIES = """\
def after(function):
    def dying(*arguments):
        function(*arguments)
        os.kill(os.getpid(), signal.SIGKILL)
    return dying

{place} = after({place})
"""


@pytest.mark.parametrize(
    ("dies_after", "rows"),
    [
        ("submission._check", 0),
        ("submission.keep_submission", 0),
        ("submission._store", 1),
    ],
    ids=["the check", "writing the row", "the transaction"],
)
def test_killed_just_after(place: Place, dies_after: str, rows: int) -> None:
    folder = bot(place.folder, "mine")
    words = ["submit", str(folder), *place.words]
    process = place.started(*unchecked(DIES.format(place=dies_after)), *words)
    process.communicate(timeout=SECONDS)
    assert process.returncode == -signal.SIGKILL
    again = place.started(*unchecked(), *words).communicate(timeout=SECONDS)[0].decode()
    assert f"\n{'Nothing new' if rows else 'Stored'}: " in again
    assert (place.unfinished(), place.rows()) == ([], 1)
    played = kseri("play", "mine", "random", *place.words, **place.variables)
    assert played.returncode == 0, played.stderr
