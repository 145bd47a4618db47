"""Which faults a game survives."""

from __future__ import annotations

from protocol.messages import FaultKind

_TOLERATED = ("illegal", "malformed", "unasked", "timeout")


def is_fatal(kind: FaultKind, count: int, allowed: int) -> bool:
    """Whether a seat's fault number `count` (from 1) in a game forfeits it.

    `allowed`: how many faults of a kind that can be survived a game allows a seat.
    """
    return kind not in _TOLERATED or count > allowed
