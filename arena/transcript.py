"""What one seat was sent in a recorded game and what it answered, computed again. Pure.

The same referee that played the game is driven with the recorded answers, faults and charged
times, so that every line comes out as it was sent, byte for byte. What a record does not keep can't
come back: notes, logs, lines that were ignored, and where in a game a process was started anew.
"""

from __future__ import annotations

from collections import defaultdict

import msgspec

from arena.faults import judged_faults
from arena.game import Option
from arena.referee import GameSetup, Referee
from arena.replay import bytes_of, rules_of_record, steps
from protocol.records import Fault, GameRecord, PlayRecord


class Sent(msgspec.Struct, frozen=True, tag="sent"):
    """A line from the arena."""

    line: bytes
    """With its end."""
    turn: int | None = None
    """The turn that it asks for; None for a line that asks for nothing."""


class Answered(msgspec.Struct, frozen=True, tag="answered"):
    """The seat's answer to the turn before."""

    line: bytes
    """The answer as the record has it; notes and the bot's own spelling are not kept."""
    turn: int
    card: str
    captured: bool


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """A fault of the seat: what it wrote, if anything, and what the arena did about it."""

    fault: Fault
    fatal: bool
    """Whether its side forfeited the game by it."""


class Doubt(msgspec.Struct, frozen=True, tag="doubt"):
    """What the record does not tell of this seat's lines."""

    text: str


Event = Sent | Answered | Failed | Doubt

_ENDED = ("boot", "crash", "memory")
_SILENT = "neither ready nor an answer"
_NO_PROCESS = "there was no process in this game: nothing was sent"
_RESTARTED = (
    "its process had been started anew; where that was in this game, the one before it was sent "
    "the beginning of these lines too"
)


def transcript(record: GameRecord, seat: int, seed_told: bool) -> list[Event]:
    """All that seat `seat` (0 .. seats - 1) was sent in a game, and its answers, in order.

    `seed_told`: whether bots were told the seed at the end: it was the last game on its decks
    (R29). The record must have its seed. Raises `arena.replay.ReplayError` for a record that does
    not follow from its seed.
    """
    for _ in steps(record):
        continue
    return _Retelling(record, seat, seed_told).events


def sent_bytes(events: list[Event]) -> bytes:
    """All lines that were sent, as they stood on the bot's standard input."""
    return b"".join(event.line for event in events if isinstance(event, Sent))


def never_started(record: GameRecord, seat: int) -> Fault | None:
    """The seat's fault where its command could not even be started."""
    for fault in record.faults:
        is_late = fault.detail.startswith((_SILENT, "the process "))
        if fault.seat == seat and fault.kind == "boot" and not is_late:
            return fault
    return None


class _Retelling:
    """One game driven through the referee again, with what one seat sees of it."""

    def __init__(self, record: GameRecord, seat: int, seed_told: bool) -> None:
        self.events: list[Event] = []
        self._record, self._seat = record, seat
        setup = _setup(record, seed_told)
        # Boot time was never charged to a play: what is recorded is what came after it.
        self._referee = Referee(setup, [True] * setup.rules.seats)
        self._is_gone = False
        """Whether the seat's process was no more: nothing that is sent arrives."""
        self._plays = [play for deal in record.deals for play in deal.plays]
        self._faults: dict[int, list[tuple[Fault, bool]]] = defaultdict(list)
        for fault, fatal in judged_faults(record):
            self._faults[fault.turn].append((fault, fatal))
        if never_started(record, seat):
            self._is_gone = True
            self.events.append(Doubt(_NO_PROCESS))
        elif record.seats[seat].nth == 1 and not record.seats[seat].process.endswith(".1"):
            self.events.append(Doubt(_RESTARTED))
        self._tell()

    def _tell(self) -> None:
        self._deliver()
        while self._referee.to_ask is not None:
            self._take_turn(self._referee.to_ask)
            self._deliver()

    def _deliver(self) -> None:
        for seat, line in self._referee.take_outbox():
            if seat == self._seat and not self._is_gone:
                self.events.append(Sent(line))
        # The processes of a side that forfeits end once they have been sent what led to it.
        self._is_gone = self._is_gone or self._referee.is_gone(self._seat)

    def _take_turn(self, seat: int) -> None:
        turn = self._referee.turn_number
        for fault, fatal in self._faults.get(turn, ()):
            self._commit(fault, fatal)
            self._deliver()
            if fatal or fault.played:
                return
        self._ask(seat)
        self._referee.share(self._plays[turn - 1].turns)
        self._answer(seat, self._plays[turn - 1])

    def _ask(self, seat: int) -> None:
        if seat == self._seat and not self._is_gone:
            self.events.append(Sent(self._referee.turn(), self._referee.turn_number))

    def _answer(self, seat: int, play: PlayRecord) -> None:
        turn = self._referee.turn_number
        card, capture = _option(self._referee.game.deal.legal(), play)
        answer = {"type": "play", "turn": turn, "card": card}
        if capture is not None:
            answer["capture"] = capture
        line = msgspec.json.encode(answer)
        if seat == self._seat:
            self.events.append(Answered(line + b"\n", turn, play.card, play.capture))
        self._referee.heard(line, play.elapsed_us)

    def _commit(self, fault: Fault, fatal: bool) -> None:
        # A flood or an end found after no time at all was found before the turn was sent.
        was_lost = fault.kind in ("flood", "crash", "memory") and fault.used_us == 0
        if not fault.early and not was_lost:
            self._ask(fault.seat)
        if fault.seat == self._seat and not self._is_gone:
            self.events.append(Failed(fault, fatal))
            self._is_gone = fault.kind in _ENDED and not fault.detail.startswith(_SILENT)
        charged_us = None
        if fault.played is not None:
            play = self._plays[fault.turn - 1]
            charged_us = play.elapsed_us
            self._referee.share(play.turns)
        self._referee.retold(fault, charged_us)


def _setup(record: GameRecord, seed_told: bool) -> GameSetup:
    return GameSetup(
        game=record.game,
        rules=rules_of_record(record),
        seed=bytes_of(record.seed, "seed"),
        salt=bytes_of(record.salt, "salt"),
        bot_seeds=[seat.bot_seed for seat in record.seats],
        names=None if record.names_hidden else [seat.bot for seat in record.seats],
        limits=record.limits,
        batches=[seat.batch for seat in record.seats],
        reveal=seed_told,
    )


def _option(legal: list[Option], play: PlayRecord) -> Option:
    """The legal answer that a recorded play was."""
    options = [option for option in legal if option[0] == play.card]
    return options[0] if len(options) == 1 else (play.card, play.capture)
