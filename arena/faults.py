"""Which faults a game survives, and which forfeit it."""

from __future__ import annotations

from collections import Counter

from protocol.messages import FaultKind
from protocol.records import Fault, GameRecord

_TOLERATED = ("illegal", "malformed", "unasked", "timeout")


def is_fatal(kind: FaultKind, count: int, allowed: int) -> bool:
    """Whether a seat's fault number `count` (from 1) in a game forfeits it.

    `allowed`: how many faults of a kind that can be survived a game allows a seat.
    """
    return kind not in _TOLERATED or count > allowed


def fatal_faults(record: GameRecord) -> list[Fault]:
    """The faults that forfeited the game for their side, in order; at most one a side."""
    counts: Counter[int] = Counter()
    found: list[Fault] = []
    for fault in record.faults:
        counts[fault.seat] += 1
        if is_fatal(fault.kind, counts[fault.seat], record.limits.faults_allowed):
            found.append(fault)
    return found


def forfeited_sides(record: GameRecord) -> list[int]:
    """The sides that forfeited the game, in order."""
    return [record.seats[fault.seat].side for fault in fatal_faults(record)]
