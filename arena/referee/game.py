"""One game as a state machine without I/O.

Whoever drives it sends what `take_outbox` gives, and asks: `to_ask` names the seat, `early` takes
what that seat said unasked, `turn` gives the line to send. Then one of `heard` (until it returns
True), `timed_out`, `ended`, `flooded` closes the turn. When `to_ask` is None the game is over
and `deals` and `faults` are its log.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import msgspec

from arena.clock import SeatClock
from arena.faults import is_fatal
from arena.game import (
    Deal,
    Game,
    IllegalPlay,
    commitment,
    hidden_centre_cards,
)
from arena.notebook import PlayedDeal, SeatNotes
from arena.referee.setup import GameSetup
from arena.turn_line import TurnLines
from protocol.codec import LINE_LIMIT, ProtocolError, decode_bot_line, encode_line, quoted
from protocol.messages import (
    PROTOCOL_VERSION,
    DealEnd,
    Error,
    FaultKind,
    FaultNotice,
    FromBot,
    GameEnd,
    Hello,
    Log,
    Play,
    Ready,
    Reason,
)
from protocol.records import BotLog, DealRecord, Fault

_DETAIL_LIMIT = 200
_NOTE_LIMIT = 1_000

_TOO_LONG = f"a line longer than {LINE_LIMIT} bytes"
_UNASKED = "a play that answers no turn"


class Referee:
    """Judges one game: whose turn it is, what that seat is sent, what its answer means."""

    def __init__(self, setup: GameSetup, booted: Sequence[bool]) -> None:
        """`booted` says by seat whether its process has already played."""
        self.setup = setup
        self.game = Game(setup.rules, setup.seed)
        self.seats = [
            SeatNotes(side, SeatClock(setup.limits, up))
            for side, up in zip(setup.rules.side_of, booted, strict=True)
        ]
        self.turn_number = 1
        """The number of the play that is due, from 1, over all seats."""
        self.faults: list[Fault] = []
        self.commitment = commitment(setup.salt, setup.seed)
        """Published before the first deal (R29)."""
        self.reason: Reason | None = None
        """Why the game is over; None while it goes on."""
        self.played: list[PlayedDeal] = []
        self.has_mail = False
        """Whether `take_outbox` has anything to give."""
        self._outbox: list[tuple[int, bytes]] = []
        self._turns = 1
        """How many turns stand in the line that asks for the running one."""
        self._ignored = 0, b""
        """The last play that did not answer the turn that was open: the turn, the line."""
        self._turn_lines = TurnLines(setup.game, setup.limits.move_ms)
        self._new_deal()
        for seat in range(setup.rules.seats):
            self._post(seat, self.hello(seat))

    # What goes out

    @property
    def to_ask(self) -> int | None:
        """The seat whose answer is due; None when the game is over."""
        return None if self.reason else self.game.deal.seat

    @property
    def budget_us(self) -> int:
        """The seat's deadline in the running turn, in µs from when the turn was written."""
        return self.seats[self.game.deal.seat].clock.budget_us

    def take_outbox(self) -> list[tuple[int, bytes]]:
        """Lines to send that ask for no answer, as (seat, line), in order."""
        lines, self._outbox, self.has_mail = self._outbox, [], False
        return lines

    def is_gone(self, seat: int) -> bool:
        """Whether the seat's side has forfeited: its processes are to be ended."""
        return self.seats[seat].side in self.game.forfeited

    def hello(self, seat: int) -> bytes:
        """The line that opens the game for this seat."""
        setup, limits = self.setup, self.setup.limits
        if setup.batches:
            limits = msgspec.structs.replace(limits, batch=setup.batches[seat])
        return encode_line(
            Hello(
                game=setup.game,
                protocol=PROTOCOL_VERSION,
                rules=setup.rules,
                seat=seat,
                side_of=list(setup.rules.side_of),
                names=None if setup.names is None else list(setup.names),
                limits=limits,
                commitment=self.commitment,
                bot_seed=setup.bot_seeds[seat],
            )
        )

    def turn(self) -> bytes:
        """The line that asks the seat in turn."""
        deal = self.game.deal
        clock = self.seats[deal.seat].clock
        return self._turn_lines.line(self.turn_number, deal, clock.bank_us, clock.used_us)

    def _post(self, seat: int, line: bytes) -> None:
        if not self.is_gone(seat):
            self._outbox.append((seat, line))
            self.has_mail = True

    def _post_all(self, message: msgspec.Struct) -> None:
        line = encode_line(message)
        for seat in range(self.setup.rules.seats):
            self._post(seat, line)

    # What comes in

    def share(self, turns: int) -> None:
        """The turn that is to be written stands in a line with so many turns of other games."""
        self.seats[self.game.deal.seat].clock.share(turns)
        self._turns = turns

    def early(self, seat: int, line: bytes) -> None:
        """A line of the seat in turn that could be read before its turn was written."""
        fault = self._early_fault(self.seats[seat], line)
        if fault:
            self._fault(*fault, line, answer_due=False)

    def _early_fault(self, state: SeatNotes, line: bytes) -> tuple[FaultKind, str] | None:
        if len(line) >= LINE_LIMIT:
            return "malformed", _TOO_LONG
        try:
            message = decode_bot_line(line)
        except ProtocolError as error:
            return "malformed", str(error)
        if not isinstance(message, Play):
            self._take_note(state, message, at_us=0)
        elif not self._is_stale(state, message):
            return "unasked", _UNASKED
        else:
            state.keep(f"arena: ignored a play that came too late, before turn {self.turn_number}")
        return None

    def overheard(self, seat: int, line: bytes) -> None:
        """A line read after the game's end: only what needs no answer counts."""
        with suppress(ProtocolError):
            message = decode_bot_line(line)
            if not isinstance(message, Play):
                self._take_note(self.seats[seat], message, at_us=0)

    def _is_stale(self, state: SeatNotes, play: Play) -> bool:
        """Whether an early play belongs to another game, or to a turn that timed out."""
        if play.game is not None and play.game != self.setup.game:
            return True
        return bool(state.timed_out) if play.turn is None else play.turn in state.timed_out

    def heard(self, line: bytes, at_us: int) -> bool:
        """A line of the seat in turn, `at_us` after its turn was written.

        Returns whether it closed the turn; False: the clock runs on.
        """
        if len(line) >= LINE_LIMIT:
            return self.unreadable(_TOO_LONG, line, at_us)
        try:
            message = decode_bot_line(line)
        except ProtocolError as error:
            return self.unreadable(str(error), line, at_us)
        return self.heard_message(message, line, at_us)

    def heard_message(self, message: FromBot, line: bytes, at_us: int) -> bool:
        """As `heard`, for a line that has been read already."""
        state = self.seats[self.game.deal.seat]
        if not isinstance(message, Play):
            self._take_note(state, message, at_us)
            return False
        if not self._is_answer(state, message):
            state.keep(f"arena: ignored a play that does not answer turn {self.turn_number}")
            self._ignored = self.turn_number, line
            return False
        return self._answered(state, message, line, at_us)

    def unreadable(self, detail: str, line: bytes, at_us: int) -> bool:
        """Something that can't be read came in place of the answer: that closes the turn."""
        return self._wrong_answer("malformed", detail, line, at_us)

    def _is_answer(self, state: SeatNotes, play: Play) -> bool:
        """Whether a play that came while the turn is open is meant for it."""
        if play.game is not None and play.game != self.setup.game:
            return False
        if play.turn is None:
            return not state.timed_out
        return play.turn == self.turn_number

    def _take_note(self, state: SeatNotes, message: Ready | Log, at_us: int) -> None:
        if isinstance(message, Log):
            state.keep(message.text)
        else:
            state.clock.ready(at_us)

    def _answered(self, state: SeatNotes, play: Play, line: bytes, at_us: int) -> bool:
        deal = self.game.deal
        try:
            deal.play(play.card, play.capture)
        except IllegalPlay as error:
            return self._wrong_answer("illegal", str(error), line, at_us)
        if play.note is not None:
            state.notes[str(self.turn_number)] = play.note[:_NOTE_LIMIT]
        self._after_play(deal, state.clock.charge(at_us))
        return True

    def _wrong_answer(self, kind: FaultKind, detail: str, line: bytes, at_us: int) -> bool:
        clock = self.seats[self.game.deal.seat].clock
        time = at_us, clock.budget_us
        clock.charge(at_us)
        self._fault(kind, detail, line, time=time)
        return True

    def timed_out(self) -> None:
        """The running turn's budget has run out."""
        state = self.seats[self.game.deal.seat]
        started, budget_us = state.clock.booted, state.clock.budget_us
        state.timed_out.add(self.turn_number)
        state.clock.charge(budget_us)
        kind: FaultKind = "timeout" if started else "boot"
        missed = "no answer" if started else "neither ready nor an answer"
        ignored_in, line = self._ignored
        line = line if ignored_in == self.turn_number else b""
        time = budget_us, budget_us
        within = f"within {budget_us // 1000} ms"
        if line:
            within = f"to turn {self.turn_number} {within}, but a play that does not answer it"
        self._fault(kind, f"{missed} {within}", line, time=time)

    def ended(self, kind: FaultKind, detail: str, at_us: int = 0) -> None:
        """The process of the seat in turn is no more: `crash`, `boot` or `memory`."""
        self._fault(kind, detail, time=(at_us, self.budget_us))

    def flooded(self, detail: str, at_us: int = 0) -> None:
        """The seat in turn wrote too much since its last turn."""
        self._fault("flood", detail, time=(at_us, self.budget_us))

    def retold(self, fault: Fault, charged_us: int | None) -> None:
        """The seat in turn commits a recorded fault; `charged_us` where an answer was due."""
        if charged_us is not None:
            self.seats[fault.seat].clock.charge(charged_us)
        self._fault(fault.kind, fault.detail, fault.got.encode(), charged_us is not None)

    def restarted(self, seat: int) -> bytes:
        """A new process has taken this seat's place; returns the line that greets it."""
        self.seats[seat].clock.reboot()
        return self.hello(seat)

    def void(self) -> None:
        """The arena failed this game: it ends without a result."""
        self.reason = "void"
        self._end()

    # What follows from it

    def _fault(
        self,
        kind: FaultKind,
        detail: str,
        line: bytes = b"",
        answer_due: bool = True,
        time: tuple[int | None, int | None] = (None, None),
    ) -> None:
        """A fault of the seat in turn: play for it while faults are allowed, else it forfeits.

        `time`: how long its turn has lasted, and could have, in µs.
        """
        deal, seat = self.game.deal, self.game.deal.seat
        state = self.seats[seat]
        state.faults += 1
        fatal = is_fatal(kind, state.faults, self.setup.limits.faults_allowed)
        card, capture = deal.legal()[0]
        plays_on = answer_due and not fatal
        got = quoted(line)
        # It may repeat what the bot wrote, and a line has its limit.
        detail = detail[:_DETAIL_LIMIT]
        self.faults.append(
            Fault(
                seat=seat,
                deal=deal.number,
                turn=self.turn_number,
                kind=kind,
                detail=detail,
                got=got,
                played=card if plays_on else None,
                early=not answer_due,
                used_us=time[0],
                limit_us=time[1],
            )
        )
        self._post(seat, self._error(kind, detail, got, fatal))
        if fatal:
            self._forfeit(state.side)
        elif plays_on:
            self._force(card, capture, state.clock.used_us)

    def _error(self, kind: FaultKind, detail: str, got: str, fatal: bool) -> bytes:
        legal = ", ".join(dict.fromkeys(card for card, _ in self.game.deal.legal()))
        return encode_line(
            Error(
                game=self.setup.game,
                code=kind,
                message=detail,
                got=got,
                expected=f"a play that answers turn {self.turn_number} with one of {legal}",
                fatal=fatal,
            )
        )

    def _force(self, card: str, capture: bool | None, elapsed_us: int) -> None:
        """Play the first legal answer for a seat that gave none."""
        deal = self.game.deal
        self.played[-1].forced.add(len(deal.plays))
        deal.play(card, capture)
        self._after_play(deal, elapsed_us)

    def _after_play(self, deal: Deal, elapsed_us: int) -> None:
        played = self.played[-1]
        played.times_us.append(elapsed_us)
        played.turns.append(self._turns)
        self._turns = 1
        self.turn_number += 1
        self._turn_lines.played(deal)
        if deal.over:
            self._finish_deal(deal)
        if self.game.forfeited:
            self._play_on()

    def _play_on(self) -> None:
        """Play by `legal[0]` for seats that have forfeited, until another is in turn."""
        deal = self.game.deal
        if self.reason is None and self.is_gone(deal.seat):
            card, capture = deal.legal()[0]
            self._force(card, capture, 0)

    def _finish_deal(self, deal: Deal) -> None:
        self.played[-1].sides = sides = self.game.finish_deal()
        self._post_all(
            DealEnd(
                game=self.setup.game,
                deal=deal.number,
                sides=sides,
                scores=self.game.scores,
                plays=self._turn_lines.plays(),
                hidden_centre=list(hidden_centre_cards(deal)),
            )
        )
        self.reason = self.game.reason
        if self.reason:
            self._end()
        else:
            self._new_deal()

    def _new_deal(self) -> None:
        deal = self.game.deal
        self.played.append(PlayedDeal(deal))
        self._turn_lines.new_deal(deal, self.game.scores)

    def _forfeit(self, side: int) -> None:
        self.game.forfeit(side)
        self.reason = self.game.reason
        if self.reason:
            self._end()
        else:
            self._play_on()

    def _end(self) -> None:
        setup, void = self.setup, self.reason == "void"
        told = setup.reveal and not void
        message = GameEnd(
            game=setup.game,
            scores=self.game.scores,
            winner=None if void else self.game.winner,
            reason=self.reason or "void",
            faults=[FaultNotice(seat=f.seat, turn=f.turn, kind=f.kind) for f in self.faults],
            seed=setup.seed.hex() if told else None,
            salt=setup.salt.hex() if told else None,
        )
        line = encode_line(message)
        self._outbox += [(seat, line) for seat in range(setup.rules.seats)]
        self.has_mail = True

    # What is kept

    def deals(self) -> list[DealRecord]:
        """The log of every deal; an unfinished one has no `sides`."""
        return [played.record() for played in self.played]

    def bot_logs(self, stderr: Sequence[str]) -> list[BotLog]:
        """What the seats wrote beside their plays; those that wrote nothing are left out."""
        logs = [
            BotLog(game=self.setup.game, seat=n, stderr=text, notes=seat.notes, logs=seat.logs)
            for n, (seat, text) in enumerate(zip(self.seats, stderr, strict=True))
        ]
        return [log for log in logs if log.stderr or log.notes or log.logs]
