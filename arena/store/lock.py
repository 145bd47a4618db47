"""One arena plays a tournament at a time: a lock that ends with the process that holds it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.errors import Trouble


def is_playing(database: Path, tournament_id: int) -> bool:
    """Whether some process holds that right at the moment."""
    path = _lock_file(database)
    if not path.exists():
        return False
    try:
        with playing(database, tournament_id, ""):
            return False
    except Trouble:
        return True


def _lock_file(database: Path) -> Path:
    return database.with_name(database.name + "-lock")


@contextmanager
def playing(database: Path, tournament_id: int, name: str) -> Iterator[None]:
    """Hold the right to play a tournament. Raises `Trouble` where another process has it.

    A byte of the file `DATABASE-lock` stands for each tournament.
    """
    path = _lock_file(database)
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise Trouble(f"{path}: {error.strerror}") from error
    try:
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, tournament_id)
        except OSError:
            raise Trouble(f"{database}: {name!r} is being played by another process") from None
        yield
    finally:
        os.close(descriptor)
