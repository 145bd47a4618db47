"""How much memory a process has, as the kernel says of it (Linux)."""

from __future__ import annotations

import resource
from contextlib import suppress

_PAGE_KB = resource.getpagesize() // 1024


def resident_kb(pid: int | None) -> int:
    """How much of it is resident now; 0 where the system does not tell."""
    with suppress(OSError), open(f"/proc/{pid}/statm", "rb") as statm:
        return int(statm.read().split()[1]) * _PAGE_KB
    return 0


def peak_kb(pid: int | None) -> int:
    """The most that was ever resident; 0 where the system does not tell."""
    with suppress(OSError), open(f"/proc/{pid}/status", "rb") as status:
        for line in status:
            if line.startswith(b"VmHWM:"):
                return int(line.split()[1])
    return 0
