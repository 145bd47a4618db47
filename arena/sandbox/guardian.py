"""Outlives an arena that is killed, and then kills its bots.

Started as a program of its own with a pipe on standard input: `+PID` a line for a bot's process
group that has started, `-PID` for one that has ended. When the pipe closes, all that are left
are killed. Needs nothing but the standard library.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress


def main() -> None:
    """Follow the arena's list of bots until the arena is gone, then end what is left."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    groups: set[int] = set()
    for line in sys.stdin:
        pid = int(line[1:])
        if line[0] == "+":
            groups.add(pid)
        else:
            groups.discard(pid)
    for pid in groups:
        # One that has ended, or that runs as somebody else, must not save the others.
        with suppress(OSError):
            os.killpg(pid, signal.SIGKILL)


if __name__ == "__main__":
    main()
