"""`kseri check`: everything a game may bring, tried with one bot."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import click
import msgspec
from rich.text import Text

from arena.bots import BotFiles, CannotBuild, prepare
from arena.check import CheckReport, check, not_built
from arena.cli.checking import Shown, Silent, check_again
from arena.cli.finding import find_player
from arena.cli.options import db_option, isolation_option
from arena.cli.running import settled_isolation
from arena.cli.tables import console
from arena.sandbox import hide_own_memory
from arena.text import counted
from protocol.records import Isolation


@click.command("check")
@click.argument("bot")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option("--verbose", is_flag=True, help="Print whole lines also where nothing is wrong.")
@click.option(
    "--all", "takes_all", is_flag=True, help="Play all games, however long a slow bot needs."
)
@isolation_option
@db_option
def check_command(
    bot: str, as_json: bool, verbose: bool, takes_all: bool, isolation: str, database: Path
) -> int:
    """Try a BOT in every way a game may go, and say what to mend.

    BOT is named as in kseri play, or a path. Bots that think long play fewer games. The exit
    status is 0 if the bot is ready to play, else 1.
    """
    files = find_player(bot, database)
    chosen = settled_isolation(isolation, [files])
    if chosen.isolation == "none" and not as_json:
        click.echo(f"Isolation: none ({chosen.why})", err=True)
    hide_own_memory()
    with Silent() if as_json else Shown(verbose) as watch:
        report = _report(files, chosen.isolation, check_again(bot, database), takes_all, watch)
    if as_json:
        sys.stdout.buffer.write(msgspec.json.encode(report) + b"\n")
    else:
        _conclude(report)
    return 0 if report.is_ready else 1


def _report(
    files: BotFiles, isolation: Isolation, again: str, takes_all: bool, watch: Shown | Silent
) -> CheckReport:
    watch.begin("build")
    started = time.monotonic()
    try:
        ready = prepare(files, isolation)
    except CannotBuild as error:
        report = not_built(
            files.manifest,
            isolation,
            str(error),
            error.output,
            elapsed_ms=int((time.monotonic() - started) * 1000),
            again=again,
        )
        watch.done(report.steps[0])
        return report
    return check(ready, files.manifest, isolation, again=again, takes_all=takes_all, watch=watch)


def _conclude(report: CheckReport) -> None:
    """The last line: ready, or which step is to be mended first."""
    seconds = report.elapsed_ms / 1000
    warnings = sum(step.verdict == "warning" for step in report.steps)
    if report.is_ready:
        noted = f", {counted(warnings, 'warning')} above" if warnings else ""
        text = Text(f"{report.bot} is ready ({seconds:.0f} s{noted})", style="bold green")
    else:
        first = next(step for step in report.steps if step.verdict == "failed")
        what = f"{first.number}  {first.name}, above"
        text = Text(f"{report.bot} is not ready. To mend first: {what}", style="bold red")
    console().print(text)
