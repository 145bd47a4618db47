"""A fault in plain words: what happened, what was expected, why, and what mends it. Pure.

Everything that shows a fault shows this: `kseri log`, `kseri check`, the page of a game.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from arena.diagnosis.answer import why_illegal, why_unasked
from arena.diagnosis.ended import why_ended
from arena.diagnosis.evidence import Cause, Evidence, evidence
from arena.diagnosis.facts import what_it_used, when_it_was
from arena.diagnosis.languages import how_to_flush
from arena.diagnosis.line import why_malformed
from arena.diagnosis.program import BEGINNING_BYTES, Program, program_of
from arena.diagnosis.silent import never_answers, why_silent
from arena.faults import judged_faults, ran_out
from protocol.check import Diagnosis, Phase
from protocol.records import BotLog, Fault, GameRecord

__all__ = [
    "BEGINNING_BYTES",
    "Cause",
    "Program",
    "diagnosis",
    "how_to_flush",
    "log_of",
    "never_answers",
    "program_of",
    "what_it_used",
    "when_it_was",
]

_STDERR_LINES = 20

_FLOOD = Cause(
    "flood",
    "it wrote more than 1 MiB since its last turn: it answers in a loop, or writes what it "
    "thinks to standard output",
    "write one line for each turn, and everything else to standard error",
)


def diagnosis(
    record: GameRecord,
    fault: Fault,
    log: BotLog | None = None,
    program: Program = Program(),  # noqa: B008
    at: str = "",
) -> Diagnosis:
    """Why a seat committed this fault of a recorded game.

    `log` is what the seat wrote beside its plays, perhaps nothing (`log_of`); leave it out where
    that may not be shown: then no cause is named that rests on its silence. Cards are named only
    where the record has its seed. `program`: how the bot is started and built, where that is known,
    for advice in its language. `at`: the option that names the database, with a blank before it,
    for the commands in it.
    """
    known = evidence(record, fault, log, program, at)
    cause = _cause(known)
    return Diagnosis(
        game=record.game,
        seat=fault.seat,
        bot=known.seat.bot,
        deal=fault.deal,
        turn=fault.turn,
        kind=fault.kind,
        phase=_phase(fault),
        forfeits=any(fatal for other, fatal in judged_faults(record) if other == fault),
        what=fault.detail,
        expected=_expected(known),
        got=fault.got,
        unfinished=fault.unfinished,
        ended=_end(fault),
        used_us=fault.used_us,
        limit_us=fault.limit_us,
        cpu_us=fault.cpu_us or known.seat.cpu_us,
        max_rss_kb=fault.max_rss_kb or known.seat.max_rss_kb,
        memory_mb=record.limits.memory_mb,
        stderr=known.stderr.splitlines()[-_STDERR_LINES:],
        cause=cause.code,
        because=cause.because,
        mend=cause.mend,
        again=f"kseri rerun {record.game} --seat {fault.seat}{_debugger(cause)}{at}",
    )


def log_of(record: GameRecord, seat: int, logs: Iterable[BotLog]) -> BotLog:
    """What a seat wrote beside its plays, by all logs of the game: perhaps nothing."""
    return next((log for log in logs if log.seat == seat), BotLog(game=record.game, seat=seat))


def _cause(known: Evidence) -> Cause:
    kind = known.fault.kind
    if kind == "malformed":
        return why_malformed(known)
    if kind == "illegal":
        return why_illegal(known)
    if kind == "unasked":
        return why_unasked(known)
    if kind == "flood":
        return _FLOOD
    if ran_out(known.fault):
        return why_silent(known)
    return why_ended(known)


def _debugger(cause: Cause) -> str:
    """The option of `kseri rerun` that goes with what is to be done."""
    return " --debugger gdb" if cause.code == "signal" else ""


def _phase(fault: Fault) -> Phase:
    if fault.kind == "boot":
        # It had started, though it had said nothing.
        has_begun = fault.got or (fault.had_read and fault.used_us)
        return "turn" if has_begun else "boot"
    return "between" if fault.early or fault.kind == "unasked" else "turn"


def _end(fault: Fault) -> str:
    if fault.signal:
        return fault.signal
    return "" if fault.exit_status is None else f"exit status {fault.exit_status}"


def _expected(known: Evidence) -> str:
    fault = known.fault
    if _phase(fault) == "between":
        return "silence until the next turn: every `turn` gets one line, and nothing else does"
    options = known.deal.legal() if known.deal else []
    if not options:
        return f"one line that answers turn {fault.turn} with a card of its `legal`"
    answer: dict[str, object] = {"type": "play", "turn": fault.turn, "card": options[0][0]}
    if options[0][1] is not None:
        answer["capture"] = options[0][1]
    cards = ", ".join(dict.fromkeys(card for card, _ in options))
    return f"one line such as {json.dumps(answer, separators=(',', ':'))}; legal: {cards}"
