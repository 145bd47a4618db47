"""Processes that a bot left behind: the arena adopts them and ends them (Linux)."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans() -> None:
    """Make descendants whose parent has died children of this process, not of init."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_orphans(keep: Collection[int]) -> None:
    """Kill and reap children that are neither in `keep` nor in this process's own session.

    Bots run in sessions of their own, so that what the program running the arena started for
    itself is left alone.
    """
    while strays := _strays(keep):
        for pid in strays:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)


def _strays(keep: Collection[int]) -> list[int]:
    own = os.getsid(0)
    strays = []
    for pid in _children():
        if pid not in keep:
            with suppress(ProcessLookupError):
                if os.getsid(pid) != own:
                    strays.append(pid)
    return strays


def _children() -> list[int]:
    """Every child of this process; empty where the system does not tell."""
    found: list[int] = []
    for task in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):
            found += map(int, task.read_text().split())
    return found
