"""A tournament that is played by processes of its own, to be stopped, killed and gone on with."""

from __future__ import annotations

import os
import re
import resource
import sqlite3
import subprocess
import time
import uuid
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import (
    SECONDS,
    START,
    bot,
    environment,
    exported,
    kseri,
    shared,
    tournament_file,
)

MATCHES = 6
GAMES = 3 * MATCHES * 2
SLOW = "import time; time.sleep(0.005)"
"""A bot that takes its time, so that a run is still going on when it is stopped."""


def _cup(folder: Path) -> None:
    slow = bot(folder, "slow", SLOW)
    settings: dict[str, Any] = {"matches": MATCHES, "chunk_matches": 2, "rules": '"kseri-short"'}
    settings["overrides"] = "{ target = 21 }"
    # More games at once than there are cores: real time would not be fair.
    settings["time"] = '{ clock = "cpu" }'
    file = tournament_file(folder, "greedy", "random", slow, name="cup", **settings)
    database = folder / "games.db"
    result = kseri(*words(file, database, 1))
    assert result.returncode == 0, result.stderr
    lines = exported(database, "--canonical")
    assert len(lines) == GAMES
    (folder / "undisturbed.jsonl").write_bytes(b"".join(lines))


@pytest.fixture(scope="session")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament file of three bots, one of them slow."""
    return shared(tmp_path_factory, "cup", _cup) / "cup.toml"


@pytest.fixture(scope="session")
def undisturbed(cup: Path) -> list[bytes]:
    """The canonical export of a run by one worker."""
    return (cup.parent / "undisturbed.jsonl").read_bytes().splitlines(keepends=True)


def words(cup: Path, database: Path, workers: int) -> list[object]:
    """The command that plays the tournament, or goes on with it."""
    return [
        *("tournament", "run", cup, "--db", database, "--seed", 42),
        *("--workers", workers, "--isolation", "none"),
    ]


def goes_on(cup: Path, database: Path, undisturbed: list[bytes], workers: int) -> None:
    """Run what is missing, and compare."""
    result = kseri(*words(cup, database, workers))
    assert result.returncode == 0, result.stderr
    assert exported(database, "--canonical") == undisturbed
    checked = kseri("verify", "--tournament", "cup", "--db", database)
    assert checked.returncode == 0, checked.stdout


@pytest.fixture
def bots_cache(tmp_path: Path) -> Path:
    """An empty folder for the copies of bots that one arena makes, to know them by."""
    folder = tmp_path / "cache"
    folder.mkdir()
    return folder


@pytest.fixture
def running(cup: Path, tmp_path: Path, bots_cache: Path) -> Iterator[Running]:
    """The tournament, played by two workers."""
    with Running(words(cup, tmp_path / "games.db", 2), cache=bots_cache) as started:
        yield started


@dataclass
class Running:
    """A command of the arena in a session of its own."""

    arguments: list[object]
    mark: str = field(default_factory=lambda: f"kseri-{uuid.uuid4()}")
    cache: Path = Path()
    """Where it keeps its copies of bots: empty, and nobody else's."""

    def __enter__(self) -> Running:
        self.process = subprocess.Popen(
            [*START, *map(str, self.arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env=environment(XDG_CACHE_HOME=str(self.cache), KSERI_TEST_MARK=self.mark),
        )
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(ProcessLookupError):
            self.process.kill()
        self.process.communicate()

    def has_played_some(self) -> None:
        """Wait for the first line of progress."""
        assert self.process.stderr
        lines = []
        for line in self.process.stderr:
            lines.append(line)
            if re.match(r"\d+/\d+ games", line):
                return
        raise AssertionError(f"it ended at once: {lines}")

    def ended(self) -> tuple[int, str]:
        """Wait for the end; returns the exit status and what it said at last."""
        _, said = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, said

    def left(self) -> dict[int, str]:
        """What is still running of it: arena, workers and guardians by their environment, bots
        by the folder they are at home in."""
        return {
            pid: what
            for pid, what in _processes(self.mark, self.cache).items()
            if pid != self.process.pid
        }

    def workers(self) -> list[int]:
        """The numbers of its worker processes."""
        return [pid for pid, what in self.left().items() if "arena.executor.worker" in what]

    def wait_until_gone(self) -> None:
        """Fail where something is left for longer than anything may take to end."""
        until = time.monotonic() + 20
        while left := self.left():
            assert time.monotonic() < until, left
            time.sleep(0.02)


def _processes(mark: str, cache: Path) -> dict[int, str]:
    found = {}
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            is_ours = mark.encode() in (place / "environ").read_bytes()
            if is_ours or os.readlink(place / "cwd").startswith(str(cache)):
                command = (place / "cmdline").read_bytes()
                if command:  # a zombie has none
                    found[int(place.name)] = command.decode("utf-8", "replace")
    return found


def stored(database: Path) -> int:
    """How many games a database has, which must be sound."""
    with closing(sqlite3.connect(database)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return int(db.execute("SELECT count(*) FROM games").fetchone()[0])


def kseri_within(fsize: int, *words: object) -> subprocess.CompletedProcess[str]:
    """Run the command to its end where no file may become larger than so many bytes."""
    return subprocess.run(
        [*START, *map(str, words)],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        env=environment(),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (fsize, fsize)),
        check=False,
    )
