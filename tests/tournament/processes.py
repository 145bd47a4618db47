"""A tournament that is being played by processes of its own, to be stopped and killed."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import time
import uuid
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.cli.program import SECONDS, START, environment


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
