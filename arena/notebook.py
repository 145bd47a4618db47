"""What the referee writes down of one game beside the cards: times, notes, who was late. Pure."""

from __future__ import annotations

from arena.clock import SeatClock
from arena.game import Deal
from protocol.records import DealRecord, PlayRecord
from protocol.rules import SideScore

_LOGS_LIMIT = 100
_LOG_BYTES_LIMIT = 64 * 1024


class PlayedDeal:
    """A deal and what the engine does not keep of it: times and whose plays they were."""

    __slots__ = ("deal", "forced", "sides", "times_us", "turns")

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        self.times_us: list[int] = []
        self.turns: list[int] = []
        """For every play how many turns stood in the line that asked for it."""
        self.forced: set[int] = set()
        self.sides: list[SideScore] | None = None

    def record(self) -> DealRecord:
        """The deal as it stands in a game record."""
        deal, forced = self.deal, self.forced
        facts = zip(deal.plays, deal.taken, self.times_us, self.turns, strict=True)
        plays = [
            PlayRecord(
                seat=deal.seat_of(number),
                card=card,
                capture=bool(taken),
                elapsed_us=elapsed_us,
                forced=number in forced,
                turns=turns,
            )
            for number, (card, taken, elapsed_us, turns) in enumerate(facts)
        ]
        return DealRecord(
            number=deal.number,
            attempt=deal.attempt,
            dealer=deal.dealer,
            plays=plays,
            sides=self.sides,
        )


class SeatNotes:
    """What the referee keeps of one seat."""

    __slots__ = ("clock", "faults", "log_bytes", "logs", "notes", "side", "timed_out")

    def __init__(self, side: int, clock: SeatClock) -> None:
        self.side = side
        self.clock = clock
        self.faults = 0
        self.timed_out: set[int] = set()
        """The turns in which its time ran out."""
        self.notes: dict[str, str] = {}
        self.logs: list[str] = []
        self.log_bytes = 0

    def keep(self, text: str) -> None:
        """Keep a log line while there is room."""
        size = len(text.encode("utf-8", "replace"))
        if len(self.logs) < _LOGS_LIMIT and self.log_bytes + size <= _LOG_BYTES_LIMIT:
            self.logs.append(text)
            self.log_bytes += size
