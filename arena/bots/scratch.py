"""Folders that are gone when their use is over, however this process ends."""

from __future__ import annotations

import secrets
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.errors import Trouble

# A build that the arena's death ends may for a moment still write where everything is removed.
_REMOVE = (
    'read -r _; tries=50; until rm -rf -- "$1" || [ $((tries -= 1)) -eq 0 ]; do sleep 0.1; done'
)


@contextmanager
def scratch_folder(parent: Path, prefix: str) -> Iterator[Path]:
    """A new folder below `parent`, removed at the end of the block.

    A process that is killed has no end of the block: a shell waits for its death, too, and
    removes the folder then. Raises `Trouble`.
    """
    folder = parent / f"{prefix}{secrets.token_hex(8)}"
    watcher = _watcher(folder)
    assert watcher.stdin is not None
    try:
        try:
            folder.mkdir(0o700)
        except OSError as error:
            raise Trouble(f"{folder}: {error.strerror}") from error
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        watcher.stdin.close()
        watcher.wait()


def _watcher(folder: Path) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            ["/bin/sh", "-c", _REMOVE, "sh", str(folder.absolute())],
            cwd="/",
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            # Ctrl-C is for this process, which tidies up itself.
            process_group=0,
        )
    except OSError as error:
        raise Trouble(f"no process could be started: {error.strerror}") from error
