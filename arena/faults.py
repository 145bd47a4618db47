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


def ran_out(fault: Fault) -> bool:
    """Whether the fault is that no answer came in time."""
    if fault.kind == "boot":
        # Records of an arena before it kept times have none.
        return fault.used_us is not None and fault.used_us == fault.limit_us
    return fault.kind == "timeout"


def judged_faults(record: GameRecord) -> list[tuple[Fault, bool]]:
    """Every fault of a game, in order, and whether it forfeited the game for its side."""
    counts: Counter[int] = Counter()
    found: list[tuple[Fault, bool]] = []
    for fault in record.faults:
        counts[fault.seat] += 1
        fatal = is_fatal(fault.kind, counts[fault.seat], record.limits.faults_allowed)
        found.append((fault, fatal))
    return found


def forfeited_sides(record: GameRecord) -> list[int]:
    """The sides that forfeited the game, in order."""
    return [record.seats[fault.seat].side for fault, fatal in judged_faults(record) if fatal]


def forfeiters(record: GameRecord) -> list[str]:
    """The labels of the entrants that forfeited the game: who made the fatal fault of a side."""
    found = [record.seats[fault.seat].bot for fault, fatal in judged_faults(record) if fatal]
    return list(dict.fromkeys(found))
