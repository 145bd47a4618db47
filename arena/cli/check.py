"""`kseri check`: everything a game may bring, tried with one bot."""

from __future__ import annotations

import sys

import click
import msgspec
from rich.console import Console
from rich.text import Text

from arena.bots import BotFiles, CannotBuild, find_bot, prepare
from arena.check import CheckReport, CheckStep, check, not_built
from arena.cli.options import isolation_option
from arena.cli.running import settled_isolation
from arena.cli.story import tell_diagnosis
from arena.cli.tables import console
from arena.sandbox import hide_own_memory
from arena.text import one_line
from protocol.records import Isolation

_STYLES = {"ok": "green", "warning": "yellow", "failed": "bold red", "skipped": "dim"}


class _Shown:
    """Prints every step as it is taken; where there is a terminal, what goes on meanwhile."""

    def __init__(self) -> None:
        self._out = console()
        self._status = Console(stderr=True).status("")

    def __enter__(self) -> _Shown:
        if sys.stderr.isatty():
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._status.stop()

    def begin(self, name: str) -> None:
        """A step begins."""
        self._status.update(f"trying: {name}")

    def done(self, step: CheckStep) -> None:
        """A step is over."""
        out = self._out
        head = Text(f"{step.number:2}  {step.name}: ")
        head.append(step.verdict, style=_STYLES[step.verdict])
        out.print(head)
        for word, text in (("sent", step.sent), ("got", step.received), ("", step.meaning)):
            line = f"{word}: {one_line(text)}" if word else one_line(text)
            out.print(Text(f"      {line}", style="dim" if word else ""), soft_wrap=True)
        if step.diagnosis:
            tell_diagnosis(out, step.diagnosis)


class _Silent:
    """For programs, which read the report."""

    def __enter__(self) -> _Silent:
        return self

    def __exit__(self, *_: object) -> None: ...

    def begin(self, name: str) -> None:
        """A step begins."""

    def done(self, step: CheckStep) -> None:
        """A step is over."""


@click.command("check")
@click.argument("bot")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@isolation_option
def check_command(bot: str, as_json: bool, isolation: str) -> int:
    """Try a BOT in every way a game may go, and say what to mend.

    BOT is the name of a bot that comes with the arena, or a path. The exit status is 0 if the bot
    is ready to play, else 1.
    """
    files = find_bot(bot)
    chosen = settled_isolation(isolation, [files])
    if chosen.isolation == "none" and not as_json:
        click.echo(f"Isolation: none ({chosen.why})", err=True)
    hide_own_memory()
    with _Silent() if as_json else _Shown() as watch:
        report = _report(files, chosen.isolation, watch)
    if as_json:
        sys.stdout.buffer.write(msgspec.json.encode(report) + b"\n")
    else:
        _conclude(report)
    return 0 if report.is_ready else 1


def _report(files: BotFiles, isolation: Isolation, watch: _Shown | _Silent) -> CheckReport:
    try:
        ready = prepare(files, isolation)
    except CannotBuild as error:
        report = not_built(files.manifest, isolation, str(error))
        watch.done(report.steps[0])
        return report
    return check(ready, files.manifest, isolation, watch=watch)


def _conclude(report: CheckReport) -> None:
    """The last line: ready, or what to mend first."""
    seconds = report.elapsed_ms / 1000
    warnings = sum(step.verdict == "warning" for step in report.steps)
    if report.is_ready:
        noted = f", {warnings} warning{'s' if warnings > 1 else ''} above" if warnings else ""
        text = Text(f"{report.bot} is ready ({seconds:.0f} s{noted})", style="bold green")
    else:
        first = one_line(report.first_problem)
        text = Text(f"{report.bot} is not ready. First: {first}", style="bold red")
    console().print(text, soft_wrap=True)
