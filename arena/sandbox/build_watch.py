"""What a build takes while it runs: memory of all its processes together, disk, time."""

from __future__ import annotations

import os
import resource
import time
from contextlib import suppress
from pathlib import Path

from arena.sandbox.limits import MIB
from arena.sandbox.orphans import children
from arena.sandbox.tree import TreeError, disk_usage

TICK_S = 0.05
"""How often a build is looked at."""
MEMORY_MB = 4096
"""Of one process of a build, and of all of them together."""
DISK_MB = 2048
"""What may stand in a build's folder at any time, with its temporary and hidden files."""
MAX_ENTRIES = 100_000
"""Files and folders of it."""
_FREE_MB = 256
"""What is left of the disk to others, where there is so much: a file that is written without a
name is seen in no folder."""
_PAUSE = 4
"""Between two looks at the folder, as a multiple of what the first took."""
_PAGE = resource.getpagesize()


class BuildWatch:
    """Says why a build must be ended."""

    def __init__(self, pid: int, folder: Path, seconds: float) -> None:
        """`pid`: its guardian. `seconds`: how long it may take from now on."""
        self._pid, self._folder = pid, folder
        # Not the folder itself, which a build without isolation may remove.
        self._disk = folder.parent
        self._seconds = seconds
        self._until = time.monotonic() + seconds
        self._next_tick = self._next_folder = 0.0
        self._free_before = _free(self._disk)
        self._least_free = min(_FREE_MB * MIB, self._free_before // 2)
        self.lacked_room = ""
        """What is said of the machine where the build had no room to begin with; else empty."""

    def problem(self) -> str:
        """What the build does that it may not, looked for once a tick; empty where nothing."""
        now = time.monotonic()
        if now < self._next_tick:
            return ""
        self._next_tick = now + TICK_S
        if now > self._until:
            return f"took more than {self._seconds:g} s"
        if _resident_bytes(self._pid) > MEMORY_MB * MIB:
            return f"took more than {MEMORY_MB} MiB of memory"
        if self.takes_too_much_disk():
            return f"left less than {self._least_free // MIB} MiB of the disk free"
        return self._folder_problem(now) if now >= self._next_folder else ""

    def takes_too_much_disk(self) -> bool:
        """Whether too little is left of the disk; notes where that is the machine's trouble."""
        if _free(self._disk) >= self._least_free:
            return False
        if self._free_before < _FREE_MB * MIB:
            self.lacked_room = (
                f"{self._disk.parent}: no room for a build: {self._free_before // 1024:,} KiB of "
                "the disk were free when it began, and it took more than half of them"
            )
        return True

    def _folder_problem(self, now: float) -> str:
        found = folder_problem(self._folder)
        took = time.monotonic() - now
        self._next_folder = now + max(TICK_S, _PAUSE * took)
        return found


def folder_problem(folder: Path) -> str:
    """What is too much in the folder of a build; empty where nothing is."""
    try:
        used, entries = disk_usage(folder)
    except TreeError as error:
        return f"left {error}"
    if used > DISK_MB * MIB:
        return f"wrote more than {DISK_MB} MiB"
    if entries > MAX_ENTRIES:
        return f"made more than {MAX_ENTRIES:,} files and folders"
    return ""


def _free(folder: Path) -> int:
    """Bytes that are free on the disk of a folder."""
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize


def _resident_bytes(guardian: int) -> int:
    """Memory of all that has come of a build; what several processes share counts for each."""
    total, pids = 0, children(guardian)
    while pids:
        pid = pids.pop()
        pids += children(pid)
        # It may have ended meanwhile.
        with suppress(OSError), open(f"/proc/{pid}/statm", "rb") as statm:
            total += int(statm.read().split()[1]) * _PAGE
    return total
