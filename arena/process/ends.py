"""How processes end, and what is known of one at a given moment."""

from __future__ import annotations

import fcntl
import os
import signal
import sys
import termios
from array import array
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import trio


class ProcessFacts(NamedTuple):
    """What is known of a bot's process at one moment; named as in `protocol.records.Fault`."""

    exit_status: int | None = None
    """Of a process that has ended by itself."""
    signal: str = ""
    """The name of the signal that has ended it."""
    cpu_us: int = 0
    """CPU time over all its games."""
    max_rss_kb: int = 0
    unfinished: str = ""
    """What it has written of a line that it has not ended, cut at 200 characters."""
    unread: bool = False
    """Whether it has not read all that it was sent."""
    had_read: bool = False
    """Whether it has ended, and had read all that it was sent."""
    closed: bool = False
    """Whether it has closed its standard output and goes on."""
    runnable: bool = False
    """Whether it would compute now if a core were free."""


def signal_name(number: int) -> str:
    """The name of a signal, as in SIGSEGV."""
    try:
        return signal.Signals(number).name
    except ValueError:
        # Only the first and the last of the real-time signals have names.
        return f"signal {number}"


def exit_text(returncode: int | None) -> str:
    """How a process ended, in words; `returncode`: its status, or minus the signal."""
    if returncode is None:
        return "still runs"
    if returncode < 0:
        return f"was ended by {signal_name(-returncode)}"
    return f"ended with exit status {returncode}"


def facts_of_end(returncode: int | None, pipe: int | None) -> ProcessFacts:
    """How a process ended, and whether it had read what it was sent.

    `pipe`: its input, None where that is closed or has not taken all.
    """
    if returncode is None:
        return ProcessFacts()
    had_read = pipe is not None and _is_empty(pipe)
    if returncode < 0:
        return ProcessFacts(signal=signal_name(-returncode), had_read=had_read)
    return ProcessFacts(exit_status=returncode, had_read=had_read)


def _is_empty(pipe: int) -> bool:
    waiting = array("i", [0])
    with suppress(OSError):
        fcntl.ioctl(pipe, termios.FIONREAD, waiting)
        return waiting[0] == 0
    return False


def is_runnable(pid: int | None) -> bool:
    """Whether a thread of the process is on a core or waits for one; where that can be seen."""
    for task in Path(f"/proc/{pid}/task").glob("*/stat"):
        with suppress(OSError):
            if task.read_text().rpartition(")")[2].split()[0] in "RD":
                return True
    return False


async def wait_for_exit(pid: int) -> None:
    """Return when the process has ended; it stays to be reaped."""
    if sys.platform == "linux":
        pidfd = os.pidfd_open(pid)
        try:
            await trio.lowlevel.wait_readable(pidfd)
        finally:
            os.close(pidfd)
    else:
        await trio.to_thread.run_sync(
            lambda: os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT), abandon_on_cancel=True
        )
