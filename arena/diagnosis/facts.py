"""When a fault happened and what its bot had used by then, in words: for terminals and pages."""

from __future__ import annotations

from protocol.check import Diagnosis

_PHASES = {
    "boot": "while it started",
    "turn": "in its turn",
    "between": "before its turn",
}


def when_it_was(found: Diagnosis) -> str:
    """Who at the table committed a fault, and when."""
    return (
        f"seat {found.seat}, turn {found.turn} of the game, in deal {found.deal}, {_phase(found)}"
    )


def _phase(found: Diagnosis) -> str:
    if found.kind == "boot" and found.phase == "turn":
        return "in its first turn, which it had read (boot: it was neither ready nor had answered)"
    return _PHASES[found.phase]


def what_it_used(found: Diagnosis) -> str:
    """Time, memory and the end of a process, as far as they are known, and what was allowed."""
    parts = []
    if found.used_us is not None and found.limit_us is not None:
        together = " (start, first answer and bank together)" if found.kind == "boot" else ""
        parts.append(f"{found.used_us / 1000:.1f} of {found.limit_us / 1000:.0f} ms{together}")
    parts.append(f"CPU time {found.cpu_us / 1000:.0f} ms")
    if found.max_rss_kb:
        parts.append(f"memory {found.max_rss_kb / 1024:.0f} of {found.memory_mb} MB")
    if found.ended:
        parts.append(f"ended with {found.ended}")
    return "; ".join(parts)
