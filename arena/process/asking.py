"""What a turn is to a process: somebody who judges its lines, and how it went."""

from __future__ import annotations

import enum
from typing import Protocol


class Judge(Protocol):
    """Whoever decides what the lines of a turn mean."""

    @property
    def budget_us(self) -> int:
        """The deadline, in µs from when the turn was written; a line may change it."""

    def heard(self, line: bytes, at_us: int) -> bool:
        """A line that came `at_us` after the turn was written; returns whether it ends the turn."""


class Outcome(enum.Enum):
    """How a turn went."""

    ANSWERED = enum.auto()
    TIMED_OUT = enum.auto()
    ENDED = enum.auto()
    """The process is no more."""
    FLOODED = enum.auto()
