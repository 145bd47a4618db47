"""Very many games in a row: memory and descriptors of every process, and what is left at the end.

A tournament is run as by its organiser; its processes are looked at all the while, and printed
ten times. The memory of each is to stay flat after the first tenth.

Run from the root: python -m benchmarks.endurance [--games N] [--batch N] [--workers N]
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from arena.bench.programs import instant_entrant
from arena.errors import UsageError
from arena.process.memory import resident_kb
from arena.store import Reader
from tests.e2e.isolated import descendants

_TIMES = 10
_LOOK_SECONDS = 0.5
_FLAT_MB = 8
"""How much more a process may hold at the end than after the first tenth."""
_MOST_BYTES = 4_096
"""Of the database, for a game of `_DEALS`."""
_DEALS = 6.5
"""Of a game to 101 between bots that capture; those here play whatever comes first, and longer."""
_MOST_WAL_MB = 64
"""How far SQLite's write-ahead log may grow where nobody reads for long."""


class Seen(NamedTuple):
    """One kind of process at one moment."""

    processes: int
    most_mb: float
    descriptors: int


def _look(pid: int) -> dict[str, Seen]:
    """The processes of the arena by kind: the run itself, and its workers."""
    found: dict[str, list[tuple[float, int]]] = {}
    for each in (pid, *descendants(pid)):
        try:
            words = Path(f"/proc/{each}/cmdline").read_bytes().split(b"\0")
            kind = "run" if each == pid else "worker" if b"arena.executor.worker" in words else ""
            if kind:
                found.setdefault(kind, []).append(
                    (resident_kb(each) / 1024, len(os.listdir(f"/proc/{each}/fd")))
                )
        except (FileNotFoundError, ProcessLookupError):
            continue
    return {
        kind: Seen(len(some), max(mb for mb, _ in some), max(files for _, files in some))
        for kind, some in found.items()
    }


def _stored(database: Path) -> int:
    """Games in a database, which need not be there yet."""
    with suppress(UsageError), Reader(database) as reader:
        return reader.stored(1).games_played
    return 0


def _wal_mb(database: Path) -> float:
    """How large the write-ahead log is now."""
    with suppress(FileNotFoundError):
        return database.with_name(f"{database.name}-wal").stat().st_size / 2**20
    return 0


class Size(NamedTuple):
    """What a game takes in the database."""

    bytes_a_game: float
    deals_a_game: float
    plays_bytes: float
    """Of the bytes of a game those that grow with its deals."""

    @property
    def usual(self) -> float:
        """Bytes of a game of `_DEALS`."""
        return self.bytes_a_game - self.plays_bytes * (1 - _DEALS / self.deals_a_game)


def _size(database: Path) -> Size:
    with Reader(database) as reader:
        one, _ = reader.totals(1)  # both bots play in every game
    with closing(sqlite3.connect(database)) as db:
        (plays,) = db.execute("SELECT SUM(LENGTH(plays)) FROM games").fetchone()
    return Size(database.stat().st_size / one.games, one.deals / one.games, plays / one.games)


def _file(folder: Path, games: int, batch: int, workers: int) -> Path:
    """The tournament: two instant bots in C."""
    for name in ("one", "two"):
        instant_entrant(folder / name, batch)
    file = folder / "long.toml"
    file.write_text(
        f'name = "long"\nkind = "round-robin"\nbots = ["./one", "./two"]\nrated = false\n'
        f"matches = {games // 2}\nworkers = {workers}\nchunk_matches = 100\n",
        "utf-8",
    )
    return file


def endure(folder: Path, games: int, batch: int, workers: int) -> bool:
    """Play; whether memory and log stayed small, nothing is left, and games take little room."""
    file, database = _file(folder, games, batch, workers), folder / "games.db"
    command = [sys.executable, "-m", "arena.cli", "tournament", "run", file, "--db", database]
    begin = time.monotonic()
    marks: list[dict[str, Seen]] = []
    wal_mb = 0.0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        while run.poll() is None:
            time.sleep(_LOOK_SECONDS)
            wal_mb = max(wal_mb, _wal_mb(database))
            due = (len(marks) + 1) * games // _TIMES
            if len(marks) < _TIMES - 1 and _stored(database) >= due:
                marks.append(_look(run.pid))
                told = ", ".join(
                    f"{kind} {seen.most_mb:.1f} MB {seen.descriptors} files x{seen.processes}"
                    for kind, seen in marks[-1].items()
                )
                print(f"{due:>9,} games, {time.monotonic() - begin:6.0f} s: {told}", flush=True)
        group = list(descendants(os.getpid()))
    if run.returncode:
        print(f"the run ended with exit status {run.returncode}")
        return False
    size = _size(database)
    grown = max(_grown(kind, marks) for kind in marks[0])
    print(f"{grown:+.1f} MB; write-ahead log: at most {wal_mb:.0f} MB; left: {group or 'nothing'}")
    print(
        f"{size.bytes_a_game:,.0f} bytes a game of {size.deals_a_game:.1f} deals, "
        f"{size.usual:,.0f} for one of {_DEALS}"
    )
    is_flat = grown < _FLAT_MB and wal_mb < _MOST_WAL_MB
    return not group and is_flat and size.usual < _MOST_BYTES


def _grown(kind: str, marks: list[dict[str, Seen]]) -> float:
    held = [mark[kind].most_mb for mark in marks if kind in mark]
    return held[-1] - held[0]


def main() -> None:
    """Play and judge."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--batch", type=int, default=32, help="games at once in one process")
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        good = endure(folder, options.games, options.batch, options.workers)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
