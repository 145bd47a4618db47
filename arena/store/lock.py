"""One arena plays a tournament at a time: a lock that ends with the process that holds it."""

from __future__ import annotations

import errno
import fcntl
import os
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from arena.errors import Trouble

_FLOCK = struct.Struct("hhqqi4x")
"""Linux's `struct flock` for 64 bits: kind, whence, start, length, process."""


@contextmanager
def playing(database: Path, tournament_id: int, name: str) -> Iterator[None]:
    """Hold the right to play a tournament. Raises `Trouble` where somebody has it.

    A byte of the file `DATABASE-lock` stands for each tournament.
    """
    path = _lock_file(database)
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise Trouble(f"{path}: {error.strerror}") from error
    try:
        try:
            _lock(descriptor, tournament_id)
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EACCES):
                raise Trouble(f"{path}: {error.strerror}") from error
            raise Trouble(f"{database}: {name!r} is being played by another process") from None
        yield
    finally:
        os.close(descriptor)


def is_playing(database: Path, tournament_id: int) -> bool:
    """Whether somebody holds that right at the moment; asks without taking it."""
    descriptor = None
    with suppress(OSError):
        descriptor = os.open(_lock_file(database), os.O_RDONLY | os.O_CLOEXEC)
    if descriptor is None:
        return False
    try:
        return _is_locked(descriptor, tournament_id)
    finally:
        os.close(descriptor)


def _lock_file(database: Path) -> Path:
    return database.with_name(database.name + "-lock")


if sys.platform == "linux":
    # Locks of the open file, not of the process: another look at the file must not end them.

    def _lock(descriptor: int, byte: int) -> None:
        fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, _FLOCK.pack(fcntl.F_WRLCK, 0, byte, 1, 0))

    def _is_locked(descriptor: int, byte: int) -> bool:
        asked = _FLOCK.pack(fcntl.F_WRLCK, 0, byte, 1, 0)
        kind, *_ = _FLOCK.unpack(fcntl.fcntl(descriptor, fcntl.F_OFD_GETLK, asked))
        return bool(kind != fcntl.F_UNLCK)

else:

    def _lock(descriptor: int, byte: int) -> None:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)

    def _is_locked(descriptor: int, byte: int) -> bool:
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, byte)
        except OSError as error:
            return error.errno in (errno.EAGAIN, errno.EACCES)
        return False
