"""The parent of a build: ends all that the build has started, with it or with the arena.

Started as a program of its own, with a pipe on standard input into which nothing is written: when
it closes, the arena has ended, or wants the build to. The one word on the command line says in
JSON what to start (`argv`, `environment`) and the folders of its control group (`groups`). Its
exit status is the build's, or 128 plus the signal that ended it. Needs nothing but the standard
library.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import sys
from contextlib import suppress
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PR_SET_CHILD_SUBREAPER = 36
_CANNOT_EXECUTE = 127
_IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)
_TAKEN_BY_US = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main() -> None:
    """Start the build, wait until it or the arena has ended, and leave nothing of it."""
    order = json.loads(sys.argv[1])
    # Where children can't be listed, adopted ones could not be ended either.
    if [*Path("/proc/self/task").glob("*/children")]:
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    deaths, waker = os.pipe()
    os.set_blocking(waker, False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.set_wakeup_fd(waker)
    for number in _TAKEN_BY_US:
        signal.signal(number, signal.SIG_IGN)
    pid = os.fork()
    if pid == 0:
        _become(order)
    in_time = _wait(pid, deaths)
    status = _end_all(pid, deaths)
    if not in_time:
        for folder in order["groups"]:
            with suppress(OSError):
                os.rmdir(folder)
    os._exit(status)


def _become(order: dict[str, Any]) -> None:
    """In the child: be the build."""
    os.setsid()
    for number in (*_IGNORED_BY_PYTHON, *_TAKEN_BY_US):
        signal.signal(number, signal.SIG_DFL)
    for folder in order["groups"]:
        # A group is an addition; the arena watches the build all the same.
        with suppress(OSError):
            Path(folder, "cgroup.procs").write_text(str(os.getpid()))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    try:
        os.execve(order["argv"][0], order["argv"], order["environment"])
    except OSError as error:
        print(f"{order['argv'][0]}: {error.strerror}", file=sys.stderr, flush=True)
        os._exit(_CANNOT_EXECUTE)


def _wait(pid: int, deaths: int) -> bool:
    """Wait for the end of the build or of the input; whether it was the build that ended."""
    while not _has_ended(pid):
        ready = select.select([0, deaths], [], [])[0]
        if 0 in ready:
            return False
        os.read(deaths, 4096)
    return True


def _has_ended(pid: int) -> bool:
    """Whether the build has ended, which is left to be reaped; others that have are reaped."""
    while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
        if ended.si_pid == pid:
            return True
        os.waitpid(ended.si_pid, 0)
    return False


def _end_all(pid: int, deaths: int) -> int:
    """Kill the build and all that it has left, and wait for them; the status of the build."""
    status = 0
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    while True:
        immortal = not _kill_children()
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == pid:
                    code = os.waitstatus_to_exitcode(ended[1])
                    status = code if code >= 0 else 128 - code
            if not immortal:
                select.select([deaths], [], [])
                os.read(deaths, 4096)
                continue
        return status


def _kill_children() -> bool:
    """Kill every child; whether there is none that can't be: what runs as somebody else."""
    killed = immortal = 0
    for task in Path("/proc/self/task").glob("*/children"):
        for child in task.read_text().split():
            try:
                os.kill(int(child), signal.SIGKILL)
                killed += 1
            except PermissionError:
                immortal += 1
    return bool(killed or not immortal)


if __name__ == "__main__":
    main()
