"""The limits that the kernel keeps for every sandboxed program."""

from __future__ import annotations

import resource
from collections.abc import Mapping

from arena.sandbox.launch import Purpose

MIB = 1024 * 1024
_GIB = 1024 * MIB
BUILD_FILE_BYTES = _GIB
"""What a file may have that a build writes."""


def limits(memory_mb: int, cpu_seconds: int | None, purpose: Purpose) -> dict[str, tuple[int, int]]:
    """Soft and hard limit by name (`data` for RLIMIT_DATA), in bytes, seconds or numbers.

    DATA is what bounds memory. AS bounds page tables; Java and WebAssembly reserve GiBs of it
    without using them. None is above what the arena itself may have: only root can raise those.
    """
    wanted = _build_limits() if purpose == "build" else _play_limits()
    wanted |= {
        "data": (memory_mb * MIB, memory_mb * MIB),
        "stack": (8 * MIB, 64 * MIB),
        "core": (0, 0),
        "memlock": (64 * 1024, 64 * 1024),
        "msgqueue": (0, 0),
    }
    if cpu_seconds is not None:
        wanted["cpu"] = (cpu_seconds, cpu_seconds)
    return {name: _allowed(name, soft, hard) for name, (soft, hard) in wanted.items()}


def set_limits(pid: int, found: Mapping[str, tuple[int, int]]) -> None:
    """Give `limits` to a process, and so to whatever it starts later. Raises `OSError`."""
    for name, pair in found.items():
        resource.prlimit(pid, getattr(resource, f"RLIMIT_{name.upper()}"), pair)


def limits_argv(memory_mb: int, cpu_seconds: int | None, purpose: Purpose) -> list[str]:
    """The words before a command that start it under `limits`, by util-linux's prlimit."""
    found = limits(memory_mb, cpu_seconds, purpose).items()
    return ["/usr/bin/prlimit", *(f"--{name}={soft}:{hard}" for name, (soft, hard) in found), "--"]


def _play_limits() -> dict[str, tuple[int, int]]:
    """64 threads suit all runtimes that were tried; Java has 19, node 7."""
    return {
        "nproc": (64, 64),
        "as": (16 * _GIB, 16 * _GIB),
        "fsize": (0, 0),
        "nofile": (64, 64),
        "sigpending": (64, 64),
    }


def _build_limits() -> dict[str, tuple[int, int]]:
    return {
        "nproc": (512, 512),
        "as": (64 * _GIB, 64 * _GIB),
        "fsize": (BUILD_FILE_BYTES, BUILD_FILE_BYTES),
        "nofile": (1024, 1024),
        "sigpending": (1024, 1024),
    }


def _allowed(name: str, soft: int, hard: int) -> tuple[int, int]:
    _, most = resource.getrlimit(getattr(resource, f"RLIMIT_{name.upper()}"))
    if most == resource.RLIM_INFINITY:
        return soft, hard
    return min(soft, most), min(hard, most)
