"""What is known of a fault, laid out for whoever looks for its cause."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, NamedTuple

from arena.diagnosis.program import Program
from arena.game import Deal, IllegalPlay, make_deal
from arena.replay import rules_of_record
from protocol.records import BotLog, Fault, GameRecord, SeatRecord
from protocol.rules import RuleSetError


class Cause(NamedTuple):
    """Why something happened, and what mends it."""

    code: str
    """One word for programs."""
    because: str
    mend: str


@dataclass(frozen=True)
class Evidence:
    """One fault with all that can be known of it."""

    record: GameRecord
    fault: Fault
    seat: SeatRecord
    log: BotLog | None
    """What the bot wrote beside its plays, perhaps nothing; None where it may not be shown."""
    program: Program
    """How the bot is started and built, where that is known."""
    at: str
    """The option that names the database, with a blank before it, for commands."""
    deal: Deal | None
    """The deal as it stood; None while the seed may not be known."""
    played: list[str]
    """The cards that the seat had played in this deal."""
    answers: int
    """How many answers the seat had given in this game."""
    answered_us: int
    """The time charged for those answers."""
    slowest_us: int
    """The time charged for the slowest of them."""
    message: dict[str, Any]
    """The line received, as JSON; empty where it is none."""

    @property
    def stderr(self) -> str:
        """What it wrote to standard error, as far as it may be shown."""
        return self.log.stderr if self.log else ""

    @property
    def is_hidden(self) -> bool:
        """Whether what it wrote to standard error may not be shown, and may say anything."""
        return self.log is None

    @property
    def hand(self) -> list[str]:
        """The cards that the seat held; empty where they may not be known."""
        return self.deal.hands[self.fault.seat] if self.deal else []


def evidence(
    record: GameRecord, fault: Fault, log: BotLog | None, program: Program, at: str
) -> Evidence:
    """Lay out what is known of a fault of this record."""
    played, times = _own_plays(record, fault)
    return Evidence(
        record=record,
        fault=fault,
        seat=record.seats[fault.seat],
        log=log,
        program=program,
        at=at,
        deal=_deal(record, fault),
        played=played,
        answers=len(times),
        answered_us=sum(times),
        slowest_us=max(times, default=0),
        message=_message(fault.got),
    )


def _own_plays(record: GameRecord, fault: Fault) -> tuple[list[str], list[int]]:
    """The seat's cards of this deal, and the times of its answers before the fault."""
    played: list[str] = []
    times: list[int] = []
    turn = 0
    for deal in record.deals:
        for play in deal.plays:
            turn += 1
            if turn >= fault.turn:
                return played, times
            if play.seat != fault.seat:
                continue
            if deal.number == fault.deal:
                played.append(play.card)
            if not play.forced:
                times.append(play.elapsed_us)
    return played, times


def _deal(record: GameRecord, fault: Fault) -> Deal | None:
    """The deal as it stood at the fault; None without a seed, or where the record is wrong."""
    if not record.seed or fault.deal > len(record.deals):
        return None
    begun = record.deals[fault.deal - 1]
    before = sum(len(deal.plays) for deal in record.deals[: fault.deal - 1])
    try:
        seed = bytes.fromhex(record.seed)
        deal = make_deal(rules_of_record(record), seed, begun.number, begun.dealer)
        for play in begun.plays[: max(0, fault.turn - 1 - before)]:
            deal.play(play.card, play.capture)
    except (RuleSetError, IllegalPlay):
        return None
    return deal


def _message(line: str) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}
