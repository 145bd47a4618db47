"""Processes that a bot left behind: the arena adopts them and ends them (Linux)."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

_PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER = 4, 36


def adopt_orphans(adopting: bool = True) -> None:
    """Make descendants whose parent dies children of this process from now on, or of init again."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, int(adopting), 0, 0, 0)


def hide_own_memory() -> None:
    """Keep this process's memory, environment and files from others of the same user.

    Of the backends only bubblewrap hides the arena altogether; this needs nothing.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


ours: set[int] = set()
"""Children in sessions of their own that this program started for itself: never orphans."""


def kill_orphans(spare: Collection[int] = ()) -> dict[int, bool]:
    """Kill what bots left behind: children in other sessions, but for `ours` and `spare`.

    Bots run in sessions of their own, so that what the program running the arena started in its
    own is left alone. Returns for each whether it could be killed; it stays to be reaped, and
    what it had started becomes a child of this process only then.
    """
    return {pid: _kill(pid) for pid in _strays(ours.union(spare))}


def _kill(pid: int) -> bool:
    try:
        os.kill(pid, signal.SIGKILL)
    except PermissionError:
        # A set-uid program runs as somebody else.
        return False
    return True


def reap(pid: int) -> bool:
    """Take the exit status of a child; whether it had ended (or is no child any more)."""
    try:
        return os.waitpid(pid, os.WNOHANG) != (0, 0)
    except ChildProcessError:
        return True


def _strays(keep: Collection[int]) -> list[int]:
    own = os.getsid(0)
    strays = []
    for pid in children():
        if pid not in keep:
            with suppress(ProcessLookupError):
                if os.getsid(pid) != own:
                    strays.append(pid)
    return strays


def children(pid: int | None = None) -> list[int]:
    """Every child of a process, by default of this one; empty where the system does not tell."""
    found: list[int] = []
    for task in Path(f"/proc/{pid or 'self'}/task").glob("*/children"):
        with suppress(OSError):
            found += map(int, task.read_text().split())
    return found
