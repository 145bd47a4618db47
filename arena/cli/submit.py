"""`kseri submit`: a bot is taken in."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from arena.bots import BotFiles
from arena.cli.called import at_database, called
from arena.cli.checking import Progress, check_again
from arena.cli.options import db_option, isolation_option
from arena.cli.paragraphs import paragraph
from arena.cli.running import settled_isolation
from arena.cli.story import tell_diagnosis
from arena.cli.tables import console
from arena.errors import UsageError
from arena.sandbox import hide_own_memory
from arena.submission import NotReady, read_submission, submit
from arena.text import one_line


@click.command(name="submit")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--version", help="Of a single file, which has no bot.toml; default: 1.0.")
@isolation_option
@db_option
def submit_command(path: Path, version: str | None, isolation: str, database: Path) -> None:
    """Take in a bot: build, check and store it.

    PATH is a folder or a zip with a bot.toml in it, or a single file. What is stored is never
    changed: other files need another version. It is entered as NAME (the newest version that is
    not retired) or NAME@VERSION.
    """
    bot = read_submission(path, version)
    _say(
        f"Read: {bot.manifest.name} {bot.manifest.version}, {len(bot.files)} files, "
        f"{bot.size:,} bytes, hash {bot.hash[:12]}…"
    )
    settled = settled_isolation(isolation, [bot])
    if settled.isolation == "none":
        click.echo(
            f"Isolation: none ({settled.why}): bots run with all rights of this user", err=True
        )
    hide_own_memory()
    again = check_again(str(path), database)
    try:
        with Progress() as watch:
            watch.begin("build")
            can_play = submit(bot, database, settled.isolation, _say, again=again, watch=watch)
    except NotReady as error:
        raise _explained(error, again) from None
    _say_what_next(bot, database, can_play)


def _say(line: str) -> None:
    paragraph(console(), "", one_line(line))


def _explained(error: NotReady, again: str) -> UsageError:
    """The error, once what led to it was told."""
    failed = next(step for step in error.report.steps if step.verdict == "failed")
    what = failed.meaning
    if failed.diagnosis:
        tell_diagnosis(Console(stderr=True, highlight=False, markup=False), failed.diagnosis)
        what = failed.diagnosis.what
    name = error.report.bot
    return UsageError(f"bot {name}: not ready to play: {failed.name}: {what} ({again} says more)")


def _say_what_next(bot: BotFiles, database: Path, can_play: bool) -> None:
    name = bot.manifest.name
    at = at_database(database)
    if not can_play:
        reference = f"{name}@{bot.manifest.version}"
        click.echo(f"Let it play again: {called()} bots unretire {reference}{at}")
        return
    click.echo(f"Let it play: {called()} play {name} greedy --matches 10{at}")
    click.echo(f'Enter it: bots = ["{name}", "greedy"] in a tournament file, then')
    click.echo(f"          {called()} tournament run FILE{at}")
