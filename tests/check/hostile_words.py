"""Diagnoses bots that wrote what is hard to look through: as a process, for it may not end."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from arena.diagnosis import Program, diagnosis, ended, keys, start
from protocol.records import BotLog, GameRecord
from tests.luck.recorded import forfeited

KEPT = 65_536
"""How much of standard error is kept."""


def pieces() -> list[str]:
    """What the patterns look for, word by word."""
    values = [value for module in (ended, keys, start) for value in vars(module).values()]
    patterns = [value for value in values if isinstance(value, re.Pattern)]
    patterns += [pattern for _, pattern, _, _ in ended._PATTERNS]
    words = (re.findall(r"[\w /:'.(\[]{3,}", each.pattern.replace("\\", "")) for each in patterns)
    return list(dict.fromkeys(word for found in words for word in found))


def texts() -> Iterator[str]:
    """Every piece over and over: in one line, and in all lines that are read."""
    for piece in pieces():
        yield (piece * KEPT)[:KEPT]
        line = piece * (KEPT // 40 // len(piece))
        yield f"{line}\n" * 40


def cause_of(record: GameRecord, text: str) -> str:
    """The cause that is found for a process which wrote this as it started, and ended."""
    (fault,) = record.faults
    fault = msgspec.structs.replace(fault, kind="boot", exit_status=1, got="")
    log = BotLog(game=record.game, seat=fault.seat, stderr=text)
    return diagnosis(record, fault, log, Program(("./bot",))).cause


def main() -> None:
    """Prints how many texts were looked through."""
    record = forfeited(bytes(32), 3)
    found = [cause_of(record, text) for text in texts()]
    print(len(found))


if __name__ == "__main__":
    main()
