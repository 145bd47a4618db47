"""A tournament on a disk that is full, and in a database that another program has locked."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from arena.store import open_for_writing
from benchmarks.cup import Cup, games_in, unsound
from tests.tournament.processes import Running, kseri_within, stored

LOCKED_SECONDS = 30
_DISKS_KB = (100, 1_000, 1_300, 1_700, 2_400)
"""From none of the tables to most of the games."""
_ENOUGH_MB = 64


class Space(NamedTuple):
    """Somewhere with little room, that can be given more."""

    folder: Path
    fsize: int
    """The largest file that a process may write, in bytes."""
    more: Callable[[], int]
    """Makes room; returns the largest file from then on."""


@contextmanager
def _disk(folder: Path, kb: int) -> Iterator[Space]:
    """A file system in memory, which only root can mount."""
    place = folder / "disk"
    place.mkdir()

    def mount(options: str) -> int:
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", place], check=True)
        return resource.RLIM_INFINITY

    try:
        yield Space(place, mount(f"size={kb}k"), lambda: mount(f"remount,size={_ENOUGH_MB}m"))
    finally:
        subprocess.run(["umount", place], check=False)
        place.rmdir()


@contextmanager
def _short_files(folder: Path, kb: int) -> Iterator[Space]:
    """A folder where a process may write no larger files than this."""
    place = folder / "short"
    place.mkdir()
    try:
        yield Space(place, kb * 1024, lambda: resource.RLIM_INFINITY)
    finally:
        shutil.rmtree(place)


def full_disk(cup: Cup, folder: Path) -> bool:
    """Let a run fill its disk, make room, and let it go on; whether all came to the same."""
    kinds = [("largest file", _short_files)]
    if os.geteuid() == 0:
        kinds.insert(0, ("disk", _disk))
    else:
        print("\nA small file system is for root to mount: only the largest file is limited")
    print(f"\n{'':<12} {'KB':>6} {'stored':>7}  {'result':<8} what the run said")
    good = True
    for name, made in kinds:
        for kb in _DISKS_KB:
            with made(folder, kb) as space:
                count, said, wrong = _filled(cup, space)
            good = good and not wrong
            result = "WRONG" if wrong else "the same"
            print(f"{name:<12} {kb:>6} {count:>7}  {result:<8} {said} {wrong}", flush=True)
    return good


def _filled(cup: Cup, space: Space) -> tuple[int, str, str]:
    """Games stored when there was no more room, what the run said, and what was wrong."""
    database = space.folder / "games.db"
    first = kseri_within(space.fsize, *cup.words(database))
    complaints = [line for line in first.stderr.splitlines() if line.startswith("kseri")]
    said = complaints[-1].replace(str(space.folder), "…") if complaints else ""
    wrong = "" if first.returncode == 1 else f"status {first.returncode}"
    if len(complaints) != 1 or "Traceback" in first.stderr:
        wrong = first.stderr
    largest = space.more()
    before = games_in(database)
    wrong = wrong or unsound(database)
    second = kseri_within(largest, *cup.words(database))
    if second.returncode:
        return len(before), said, wrong or f"status {second.returncode}: {second.stderr}"
    return len(before), said, wrong or cup.verdict(database, before)


def locked(cup: Cup, folder: Path) -> bool:
    """Lock the database before a run begins, and while it plays; whether all came to the same."""
    print(f"\n{'locked for ' + str(LOCKED_SECONDS) + ' s':<28} result")
    good = True
    for name, wait in (("before the run", _begun), ("while it plays", Running.has_played_some)):
        database = folder / f"{name.replace(' ', '-')}.db"
        count, wrong = _locked(cup, database, wait)
        good = good and not wrong
        print(f"{name}, {count:>3} games stored    {wrong or 'the same'}", flush=True)
    return good


def _begun(_: Running) -> None:
    """The lock comes first."""


def _locked(cup: Cup, database: Path, wait: Callable[[Running], None]) -> tuple[int, str]:
    """Games stored when the lock was taken, and what was wrong."""
    open_for_writing(database).close()
    with (
        closing(sqlite3.connect(database, isolation_level=None, timeout=60)) as other,
        cup.running(database) as running,
    ):
        wait(running)
        other.execute("BEGIN IMMEDIATE")
        before = games_in(database)
        time.sleep(LOCKED_SECONDS)
        grown = stored(database) != len(before)
        other.execute("ROLLBACK")
        status, said = running.ended()
    if grown:
        return len(before), "the lock was passed by"
    if status:
        return len(before), f"status {status}: {said}"
    return len(before), cup.verdict(database, before)
