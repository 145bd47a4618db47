"""What the page of a game shows below its table, and what of a game may be known at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from arena.diagnosis import diagnosis, log_of
from dashboard.programs import Programs
from dashboard.ways import address
from protocol.check import Diagnosis
from protocol.records import BotLog, DealRecord, Fault, GameRecord, SeatRecord
from protocol.rules import SideScore

DEALS_SHOWN = 40
FAULTS_SHOWN = 12


@dataclass(frozen=True)
class SeatLine:
    """One seat in the table of seats."""

    seat: SeatRecord
    plays: int
    """Made by itself."""
    mean_us: float | None
    slowest_us: int | None


def seat_lines(record: GameRecord) -> list[SeatLine]:
    """Every seat with the time that it took for its plays."""
    times: list[list[int]] = [[] for _ in record.seats]
    for deal in record.deals:
        for play in deal.plays:
            if not play.forced:
                times[play.seat].append(play.elapsed_us)
    return [
        SeatLine(
            seat=seat,
            plays=len(taken),
            mean_us=sum(taken) / len(taken) if taken else None,
            slowest_us=max(taken, default=None),
        )
        for seat, taken in zip(record.seats, times, strict=True)
    ]


_SOURCES = {
    "aces": "Aces",
    "jacks": "Jacks",
    "ten_of_diamonds": "10♦\ufe0e",
    "two_of_clubs": "2♣\ufe0e",
    "majority": "Most cards",
    "kseri": "Kseri",
    "double_kseri": "Double kseri",
    "jack_on_jack": "Jack on jack",
    "two_of_clubs_match": "2♣\ufe0e matched",
    "last_capture": "Last capture",
}


def score_sources(scores: Sequence[SideScore]) -> list[tuple[str, str]]:
    """What any side got points for in these deals: the field of `SideScore`, and a heading."""
    return [
        (field, heading)
        for field, heading in _SOURCES.items()
        if any(getattr(side, field) for side in scores)
    ]


@dataclass(frozen=True)
class DealLine:
    """One deal in the table of deals."""

    deal: DealRecord
    before: list[int]
    """Scores by side when it began."""
    after: list[int] | None
    """And when it was over; None for one that was not played to its end."""


def deals_near(record: GameRecord, deal: int) -> list[DealLine]:
    """The deals around that one with the score as it grew, `DEALS_SHOWN` of them or fewer."""
    lines = []
    scores = [0] * len(record.scores)
    for each in record.deals:
        after = None
        if each.sides:
            after = [old + side.total for old, side in zip(scores, each.sides, strict=True)]
        lines.append(DealLine(each, scores, after))
        scores = after or scores
    first = max(min(deal - DEALS_SHOWN // 2, len(lines) - DEALS_SHOWN), 0)
    return lines[first : first + DEALS_SHOWN]


def listed_faults(
    record: GameRecord, logs: Sequence[BotLog] | None, programs: Programs, at: str
) -> Iterator[tuple[Fault, str | None, Diagnosis | None]]:
    """Faults with the address of its position and with its diagnosis, where there are any.

    The first `FAULTS_SHOWN` of them. `logs`: None where they may not be shown; `programs` tells of
    a seat's program, for advice in its language; `at`: the option that names the database. While
    the decks are in play there is no diagnosis: it would name cards.
    """
    counts = [len(deal.plays) for deal in record.deals]
    for fault in record.faults[:FAULTS_SHOWN]:
        move = fault.turn - 1 - sum(counts[: fault.deal - 1])
        known = fault.deal <= len(counts) and 0 <= move <= counts[fault.deal - 1]
        found = None
        if record.seed:
            program = programs(record.seats[fault.seat])
            log = None if logs is None else log_of(record, fault.seat, logs)
            found = diagnosis(record, fault, log, program, at)
        yield fault, address(fault.deal, move) if known else None, found


def published(record: GameRecord) -> GameRecord:
    """What may be known of a game: all of it, or no cards while its decks are still in play.

    Who has seen the plays of one game of a match knows the hands of the next.
    """
    if record.seed:
        return record
    faults = [
        msgspec.structs.replace(fault, detail="", got="", unfinished="", played=None)
        for fault in record.faults
    ]
    return msgspec.structs.replace(record, deals=[], faults=faults)
