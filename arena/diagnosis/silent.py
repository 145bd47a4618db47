"""Why no answer came in time: what the process did meanwhile tells."""

from __future__ import annotations

from arena.diagnosis.ended import told_of_hidden, why_by_stderr
from arena.diagnosis.evidence import Cause, Evidence
from arena.diagnosis.languages import how_to_flush, told_in

_FAR_MORE = 10
"""How often the time of its slowest answer a bot computes that will not end."""
_LITTLE_US = 20_000
"""What any answer may take on a busy machine."""
_STOP = "stop a search in time: `clock` in every turn says how much is left"


def never_answers(language: str) -> Cause:
    """Of a silent bot whose input was closed to see whether it had only not flushed."""
    return Cause(
        "never-answers",
        "it wrote nothing at all and did not compute, and no answer came when its input was "
        "closed, either: none waits in a buffer",
        told_in(
            "look for an exception that is swallowed ⟨Python: except: pass⟩, a sleep, or a "
            'condition that is never true, such as another `type` than "turn"',
            language,
        ),
    )


def why_silent(known: Evidence) -> Cause:
    """Why a turn ran out of time."""
    if cause := _by_output(known) or why_by_stderr(known):
        return cause
    return told_of_hidden(known, _by_cpu_time(known))


def _by_output(known: Evidence) -> Cause | None:
    """A cause that can be seen in what it did with its input and output."""
    fault = known.fault
    if fault.got:
        return _wrong_turn(known)
    if fault.closed:
        return Cause(
            "closed-output",
            "it has closed its standard output, so that no answer can come",
            "keep standard output open (a library may close or redirect it)",
        )
    if fault.unfinished:
        return Cause(
            "no-newline",
            "it wrote the beginning of a line and did not end it",
            "end every answer with a newline, and flush: " + how_to_flush(known.program.language),
        )
    if fault.unread:
        return Cause(
            "does-not-read",
            "it does not read its input: the line of its turn did not fit into the pipe",
            "read every line as it comes, in a loop that does nothing else",
        )
    return None


def _wrong_turn(known: Evidence) -> Cause:
    turn, asked = known.message.get("turn"), known.fault.turn
    if known.message.get("game", known.record.game) != known.record.game:
        return Cause(
            "wrong-game",
            "its answer names another game, and was ignored",
            "send `game` back as it came with the turn, or leave it out",
        )
    if turn is None:
        return Cause(
            "no-turn",
            "its answer came without `turn`, which is required after a time-out, and was ignored",
            "send `turn` back with every answer",
        )
    return Cause(
        "wrong-turn",
        f"it answered turn {turn} when turn {asked} was asked; such an answer is ignored",
        "send `turn` back as it came with the question; do not count turns yourself",
    )


def _is_new(known: Evidence) -> bool:
    """Whether its process has said nothing yet, be it one that has taken over in the game."""
    return known.fault.kind == "boot" or (known.answers == 0 and known.seat.nth == 1)


def _by_cpu_time(known: Evidence) -> Cause:
    fault, used_us = known.fault, known.fault.used_us or 0
    # What its answers took was not all computing, so this is the least that can be left.
    answered_us = 0 if _is_new(known) else known.answered_us
    computed_us = max(0, fault.cpu_us - answered_us)
    if used_us and computed_us >= used_us / 2:
        return _busy(known, computed_us)
    if fault.runnable:
        return _starved(known, computed_us)
    if known.is_hidden:
        return _by_silence_alone(known)
    if _is_new(known):
        return Cause(
            "no-flush",
            "it wrote nothing at all and did not compute: the answer stays in a buffer (not "
            "flushed), it waits for the end of its input instead of a line, swallows an exception, "
            "or sleeps",
            "let kseri check tell which; if it does not flush, do so after every answer, "
            + how_to_flush(known.program.language),
        )
    return Cause(
        "waits",
        "it had answered before, and now neither computed nor wrote: it sleeps, waits for a lock, "
        "or waits for a line that does not come (it reads two lines for a turn, or a later turn)",
        "read line by line, answer each `turn` at once, and wait for nothing else",
    )


def _starved(known: Evidence, computed_us: int) -> Cause:
    """It would have computed on: what it got of a core tells whether that was to be enough."""
    got = f"{computed_us / 1e6:.2f} s of a core"
    if known.answers and computed_us > _FAR_MORE * max(known.slowest_us, _LITTLE_US):
        return Cause(
            "too-slow",
            f"it computed for {got} without an answer, and no answer before took more than "
            f"{known.slowest_us / 1e6:.2f} s: an endless loop, or a search without a clock (the "
            "machine was busy with other things, too)",
            _STOP,
        )
    return Cause(
        "starved",
        f"it wanted to compute and got {got}: the machine is busy with other things, or it "
        "computes without end",
        'play on a machine that does nothing else, with fewer workers, or with clock = "cpu"; if '
        "that does not help, look for an endless loop",
    )


def _by_silence_alone(known: Evidence) -> Cause:
    """That it only waited, where what it wrote to standard error is not shown."""
    if _is_new(known):
        return Cause(
            "no-flush",
            "it gave no answer at all and did not compute",
            "let kseri check tell why; if it does not flush, do so after every answer, "
            + how_to_flush(known.program.language),
        )
    return Cause("waits", "it had answered before, and now neither computed nor answered", "")


def _busy(known: Evidence, computed_us: int) -> Cause:
    spent = f"it computed for {computed_us / 1e6:.1f} s"
    if known.fault.kind == "boot":
        return Cause(
            "slow-start",
            f"{spent} and was not ready: what it imports or prepares takes too long",
            'write {"type":"ready"} once the program runs, import less, and put tables into files',
        )
    return Cause(
        "too-slow",
        f"{spent} without an answer: an endless loop, or a search without a clock",
        _STOP,
    )
