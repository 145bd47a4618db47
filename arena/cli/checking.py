"""How a check is shown while it goes on: its steps on standard output, its progress beside them."""

from __future__ import annotations

import shlex
import sys
import threading
from pathlib import Path
from typing import Self

from rich.console import Console
from rich.text import Text

from arena.check import CheckStep
from arena.cli.called import at_database, called
from arena.cli.paragraphs import as_it_stands, paragraph, shortened
from arena.cli.story import tell_diagnosis
from arena.cli.tables import console
from arena.text import one_line, visible

_STYLES = {"ok": "green", "warning": "yellow", "failed": "bold red", "skipped": "dim"}
_SECONDS = 1.0


def check_again(bot: str, database: Path) -> str:
    """The command that checks the bot that was given so."""
    return f"{called()} check {shlex.quote(bot)}{at_database(database)}"


class Progress:
    """What goes on, on standard error: a status line at a terminal, else a line a second."""

    def __init__(self) -> None:
        self._text = ""
        self._step = ""
        self._status = Console(stderr=True).status("") if sys.stderr.isatty() else None
        self._is_over = threading.Event()
        self._lines = threading.Thread(target=self._say, daemon=True)

    def __enter__(self) -> Self:
        if self._status:
            self._status.start()
        else:
            self._lines.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        if self._status:
            self._status.stop()
        else:
            self._lines.join()

    def _say(self) -> None:
        while not self._is_over.wait(_SECONDS):
            if self._text:
                print(self._text, file=sys.stderr, flush=True)

    def begin(self, name: str) -> None:
        """A step begins."""
        self._step = name
        self._show(f"trying: {name}")

    def goes_on(self, text: str) -> None:
        """How far the step is."""
        self._show(f"trying: {self._step}: {text}")

    def _show(self, text: str) -> None:
        self._text = text
        if self._status:
            self._status.update(text)

    def done(self, step: CheckStep) -> None:
        """A step is over."""


class Shown(Progress):
    """Prints every step as it is taken, too."""

    def __init__(self, verbose: bool) -> None:
        """`verbose`: whole lines also of steps in which nothing was wrong."""
        super().__init__()
        self._out = console()
        self._verbose = verbose

    def done(self, step: CheckStep) -> None:
        """Print a step; of one that failed the fault alone says what came back, and why."""
        head = Text(f"{step.number:2}  {step.name}: ")
        head.append(step.verdict, style=_STYLES[step.verdict])
        self._out.print(head)
        self._line("sent: ", step.sent, brief=True, style="dim")
        if step.diagnosis:
            tell_diagnosis(self._out, step.diagnosis)
            return
        is_brief = step.verdict == "ok"
        self._line("got: ", step.received, is_brief, style="dim")
        self._line("", step.meaning, is_brief)
        for word in ("expected", "used"):
            if text := getattr(step, word):
                self._line(f"{word}: ", text, brief=False, style="dim")
        if step.again:
            as_it_stands(self._out, f"      again: {step.again}", "dim")

    def _line(self, word: str, text: str, brief: bool, style: str = "") -> None:
        head = f"      {word}"
        if "\n" in text:
            for line in visible(text).splitlines():
                as_it_stands(self._out, head + line, style)
        elif brief and not self._verbose:
            shortened(self._out, head + one_line(text), style)
        else:
            paragraph(self._out, head, one_line(text), style)


class Silent:
    """For programs, which read the report."""

    def __enter__(self) -> Silent:
        return self

    def __exit__(self, *_: object) -> None: ...

    def begin(self, name: str) -> None:
        """A step begins."""

    def goes_on(self, text: str) -> None:
        """How far the step is."""

    def done(self, step: CheckStep) -> None:
        """A step is over."""
