"""Outlives an arena that is killed, and then kills its bots and takes away what is left of them.

Started as a program of its own with a pipe on standard input: `+PID` a line for a bot's process
group that has started, `-PID` for one that has ended, `.` for an arena that ends by itself. When
the pipe closes, all groups that are left are killed; without `.` the folders that the words on
the command line are patterns of are removed, too. Needs nothing but the standard library.
"""

from __future__ import annotations

import glob
import os
import select
import shutil
import signal
import sys
from contextlib import suppress
from pathlib import Path


def main() -> None:
    """Follow the arena's list of bots until the arena is gone, then end what is left."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    groups: set[int] = set()
    patterns = sys.argv[1:]
    for line in sys.stdin:
        if line[0] == "+":
            groups.add(int(line[1:]))
        elif line[0] == "-":
            groups.discard(int(line[1:]))
        else:
            patterns = []
    for pid in groups:
        # One that has ended, or that runs as somebody else, must not save the others.
        with suppress(OSError):
            os.killpg(pid, signal.SIGKILL)
    for pattern in patterns:
        for folder in map(Path, glob.glob(pattern)):
            if (folder / "cgroup.procs").exists():
                _remove_group(folder)
            else:
                shutil.rmtree(folder, ignore_errors=True)


def _remove_group(folder: Path) -> None:
    """Kill all that is in a control group, and take the group away when it has ended."""
    freezer = folder / "freezer.state"
    with suppress(OSError):
        # What is stopped by version 1 does not even die.
        if freezer.exists():
            freezer.write_text("THAWED")
        while pids := (folder / "cgroup.procs").read_text().split():
            for pid in map(int, pids):
                _kill_and_wait(pid)
        folder.rmdir()


def _kill_and_wait(pid: int) -> None:
    # It may have ended meanwhile.
    with suppress(ProcessLookupError):
        process = os.pidfd_open(pid)
        try:
            signal.pidfd_send_signal(process, signal.SIGKILL)
            select.select([process], [], [])
        finally:
            os.close(process)


if __name__ == "__main__":
    main()
