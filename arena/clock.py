"""One seat's time in one game. Pure arithmetic: it is told how long things took."""

from __future__ import annotations

from protocol.messages import Limits


class SeatClock:
    """Boot, move and bank time of one seat, in µs.

    A turn is `charge`d with the time at which its answer came, counted from when the turn was
    written. Until the process is ready, boot time covers the first part of it.
    """

    __slots__ = (
        "_boot_us",
        "_covered_us",
        "_move_us",
        "_one_move_us",
        "bank_us",
        "boot_used_us",
        "used_us",
    )

    def __init__(self, limits: Limits, booted: bool) -> None:
        self._boot_us = limits.boot_ms * 1000
        self._move_us = self._one_move_us = limits.move_ms * 1000
        self.bank_us = limits.bank_ms * 1000
        """What is left of the bank."""
        self.used_us = 0
        """Charged for the last answer."""
        self.boot_used_us = 0
        """Charged as boot time in this game."""
        self._covered_us: int | None = 0 if booted else None

    @property
    def booted(self) -> bool:
        """Whether the process has been ready, or has answered."""
        return self._covered_us is not None

    def reboot(self) -> None:
        """A new process has taken the place of the old one, with boot time of its own."""
        self._covered_us = None

    def share(self, turns: int) -> None:
        """The turn that is to be written stands in a line with so many turns, its own included.

        They are answered together: each has the time for a move of all.
        """
        self._move_us = turns * self._one_move_us

    @property
    def budget_us(self) -> int:
        """When the clock of the running turn runs out, counted from when it was written."""
        covered = self._boot_us if self._covered_us is None else self._covered_us
        return covered + self._move_us + self.bank_us

    def ready(self, at_us: int) -> None:
        """The process said `ready`, `at_us` after the running turn was written."""
        if self._covered_us is None:
            self._covered_us = self.boot_used_us = min(at_us, self._boot_us)

    def charge(self, at_us: int) -> int:
        """End the turn with an answer `at_us` after it was written; returns what is charged.

        What goes beyond the time for a move comes out of the bank, which never falls below 0.
        """
        if self._covered_us is None:
            self.ready(at_us)
        used = at_us - (self._covered_us or 0)
        self._covered_us = 0
        if used > self._move_us:
            used = min(used, self._move_us + self.bank_us)
            self.bank_us -= used - self._move_us
        self.used_us = max(used, 0)
        return self.used_us
