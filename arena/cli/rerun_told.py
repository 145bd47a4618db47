"""What `kseri rerun` tells: while a turn has no answer, of every answer, and at the end."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from arena.rerun import Step, Waiting
from arena.text import one_line, visible
from arena.transcript import Failed

_KEYS = "Enter sends it, q ends"


class Teller:
    """Tells what differs; with `everything`, every turn and answer, and asks before each."""

    def __init__(self, everything: bool) -> None:
        self._everything = everything
        self._turn = 0
        self._shown = 0
        """How many characters stand on the terminal until there is an answer."""

    def before(self, turn: int, line: bytes) -> None:
        """A turn is about to be sent."""
        if self._everything:
            _ask(turn, line)

    def waits(self, waiting: Waiting) -> None:
        """There is no answer yet; called for the first time as soon as the turn is sent."""
        if waiting.turn != self._turn:
            self._turn = waiting.turn
            self._show(f"waiting for turn {waiting.turn} ...")
            return
        self._wipe()
        click.echo(
            f"waiting for turn {waiting.turn} since {waiting.seconds:.0f} s"
            f"{_in_the_game(waiting)}; CPU time {waiting.cpu_us / 1e6:.2f} s; so far it wrote: "
            f"{_came(waiting)}",
            err=True,
        )

    def after(self, step: Step) -> None:
        """There is an answer, or nobody waits for it any more."""
        self._wipe()
        for line in step.unasked:
            click.echo(f"before turn {step.turn}, unasked: {_text(line)}")
        for text in visible(step.stderr).splitlines():
            click.echo(f"  stderr: {text}")
        if step.interrupted:
            return
        if self._everything or step.waiting or step.same is False:
            self._tell(step)

    def _show(self, text: str) -> None:
        if sys.stderr.isatty():
            self._shown = len(text)
            click.echo(text, err=True, nl=False)

    def _wipe(self) -> None:
        if self._shown:
            # Two more: the terminal itself shows ^C.
            click.echo(f"\r{' ' * (self._shown + 2)}\r", err=True, nl=False)
            self._shown = 0

    def _tell(self, step: Step) -> None:
        verdict = {True: "as recorded", False: "differs", None: "no answer to compare with"}
        click.echo(f"turn {step.turn}: {_now(step)}: {verdict[step.same]}")
        if step.same is False:
            click.echo(f"  recorded: {_recorded(step)}")


def _ask(turn: int, line: bytes) -> None:
    """Show a turn, and wait until it may be sent."""
    click.echo(f"> {line.decode('ascii')}", nl=False)
    click.echo(f"Turn {turn}: {_KEYS}: ", nl=False)
    # A closed standard input is none at all.
    while typed := sys.stdin.readline() if sys.stdin else "":
        word = typed.strip().lower()
        if not word:
            return
        if word == "q":
            break
        click.echo(f"{_KEYS}: ", nl=False)
    click.echo(f"{'' if typed else chr(10)}Stopped: turn {turn} was not sent.")
    raise click.Abort


def summary(steps: Sequence[Step]) -> tuple[str, bool]:
    """What came of it, in words, and whether nothing differs."""
    compared = [step for step in steps if step.same is not None]
    different = [step for step in compared if not step.same]
    text = _counted(steps)
    for step in steps:
        if not isinstance(step.recorded, Failed):
            continue
        kind = step.recorded.fault.kind
        if step.same:
            end = _end(step)
            text += f", and its fault at turn {step.turn} ({kind}{end and ': '}{end})"
        elif step.same is False:
            text += f", but not its fault at turn {step.turn} ({kind})"
    if different:
        text += f"; the first that differs is to turn {different[0].turn}"
    return text, not different


def stopped(steps: Sequence[Step]) -> str:
    """What is known where Ctrl-C has ended the waiting for an answer."""
    waiting = steps[-1].waiting
    assert waiting is not None
    return (
        f"Stopped: {_counted(steps)}; turn {waiting.turn} was waited for {waiting.seconds:.0f} s"
        f"{_in_the_game(waiting)}; {_facts(waiting)}"
    )


def _counted(steps: Sequence[Step]) -> str:
    answers = [
        step for step in steps if step.same is not None and not isinstance(step.recorded, Failed)
    ]
    return f"{sum(step.same is True for step in answers)} of {len(answers)} answers as recorded"


def _in_the_game(waiting: Waiting) -> str:
    if waiting.limit_us is None:
        return ""
    return f" (in the game its time ran out after {waiting.limit_us / 1e6:.1f} s)"


def _now(step: Step) -> str:
    if step.answer is not None:
        return _text(step.answer)
    if step.waiting:
        return f"no answer within {step.waiting.seconds:.1f} s; {_facts(step.waiting)}"
    return step.ended


def _facts(waiting: Waiting) -> str:
    return f"CPU time {waiting.cpu_us / 1e6:.2f} s; it wrote: {_came(waiting)}{_late(waiting)}"


def _came(waiting: Waiting) -> str:
    """What was received instead of an answer."""
    came = [f"{_text(line)} (ignored: for another turn or game)" for line in waiting.ignored]
    if waiting.begun:
        came.append(f"{one_line(waiting.begun)} (a line that has not ended)")
    return ", ".join(came) or "nothing"


def _late(waiting: Waiting) -> str:
    if not waiting.last_words or waiting.begun or waiting.ignored:
        return ""
    return f"; once its input was closed: {_text(waiting.last_words[0])} (it had not been flushed)"


def _end(step: Step) -> str:
    """How the fault came about, in a few words, where that can be told."""
    waiting = step.waiting
    if waiting is None:
        return step.ended
    if waiting.ignored:
        return "it answered another turn or game"
    if waiting.begun:
        return "a line was begun and not ended"
    flushed = " until its input was closed: not flushed" if waiting.last_words else ""
    return f"nothing was written{flushed}"


def _recorded(step: Step) -> str:
    if isinstance(step.recorded, Failed):
        fault = step.recorded.fault
        return one_line(f"{fault.kind}: {fault.detail} {fault.got}")
    return _text(step.recorded.line) if step.recorded else "nothing"


def _text(line: bytes) -> str:
    return one_line(line[:1000].decode("utf-8", "replace"))
