"""Folders that are gone when their use is over, however this process ends.

Where a process was killed together with all others of its user, the next maker of such a folder
removes it.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from arena.errors import Trouble

# Also what its owner may not enter, and folders in folders of any depth. A build that the arena's
# death ends may for a moment still write where everything is removed.
_REMOVE = (
    'read -r _; tries=50; until rm -rf -- "$1" || [ $((tries -= 1)) -eq 0 ]; do '
    'chmod -R u+rwx -- "$1"; [ $tries -eq 49 ] || sleep 0.1; done'
)
_NAME_BYTES = 8
_NEW_S = 60
"""So old is a folder at least whose process had time to lock it."""

watchers: set[int] = set()
"""Shells of this process, each waiting for its end to remove a folder that is still used."""


@contextmanager
def scratch_folder(parent: Path, prefix: str) -> Iterator[Path]:
    """A new folder below `parent`, removed at the end of the block.

    A process that is killed has no end of the block: a shell waits for its death, too, and
    removes the folder then. Where the machine itself stopped, the next such folder's maker does.
    Raises `Trouble`.
    """
    _sweep(parent, prefix)
    folder = parent / unused_name(prefix)
    watcher = _remover(folder, subprocess.PIPE)
    assert watcher.stdin is not None
    watchers.add(watcher.pid)
    try:
        with _made(folder):
            yield folder
    finally:
        watcher.stdin.close()
        watcher.wait()
        watchers.discard(watcher.pid)


def unused_name(prefix: str) -> str:
    """A name that nobody can guess, as scratch folders have."""
    return f"{prefix}{secrets.token_hex(_NAME_BYTES)}"


def remove_tree(folder: Path) -> None:
    """Remove a folder with all that is in it, whatever that is; follows no link."""
    _remover(folder, subprocess.DEVNULL).wait()


@contextmanager
def _made(folder: Path) -> Iterator[None]:
    """Makes the folder, and holds it locked while it is used."""
    try:
        folder.mkdir(0o700)
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise Trouble(f"{folder}: {error.strerror}") from error
    try:
        # A file system without locks: then nobody can lock to remove it, either.
        with suppress(OSError):
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(opened)


def _sweep(parent: Path, prefix: str) -> None:
    """Remove this user's folders of this kind that no living process holds."""
    for folder in parent.glob(prefix + "[0-9a-f]" * 2 * _NAME_BYTES):
        # Others may remove it at the same time, or it may be no folder.
        with suppress(OSError):
            _remove_unheld(folder)


def _remove_unheld(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        found = os.fstat(opened)
        if found.st_uid == os.geteuid() and time.time() - found.st_mtime > _NEW_S:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove_tree(folder)
    finally:
        os.close(opened)


def _remover(folder: Path, stdin: int) -> subprocess.Popen[bytes]:
    """A shell that removes the folder at the end of its input."""
    try:
        return subprocess.Popen(
            ["/bin/sh", "-c", _REMOVE, "sh", str(folder.absolute())],
            cwd="/",
            stdin=stdin,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            # Ctrl-C is for this process, which tidies up itself.
            process_group=0,
        )
    except OSError as error:
        raise Trouble(f"no process could be started: {error.strerror}") from error
