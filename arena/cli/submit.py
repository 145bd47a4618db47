"""`kseri submit`: a bot is taken in."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from arena.bots import BotFiles, as_path
from arena.cli.called import at_database, called
from arena.cli.checking import Progress, check_again
from arena.cli.compare import run_comparison
from arena.cli.comparison_story import tell_result
from arena.cli.options import db_option, isolation_option
from arena.cli.paragraphs import paragraph
from arena.cli.running import settled_isolation
from arena.cli.story import tell_diagnosis
from arena.cli.tables import console
from arena.errors import UsageError
from arena.rating import EloHypotheses
from arena.sandbox import hide_own_memory
from arena.schedule import rules_of, table_size
from arena.store import Reader
from arena.submission import NotReady, read_submission, submit
from arena.text import one_line
from arena.tournament import ComparisonPlan
from arena.tournament.versions import enter_submitted, find_league, refuse_unfit_for

_MOST_COMPARED = 500
"""Matches after which the test against the version before ends without a decision."""
_HYPOTHESES = EloHypotheses(0.0, 20.0)

_SHOWN_LEFT_OUT = 3


@click.command(name="submit")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--version", help="Of a single file, which has no bot.toml; default: 1.0.")
@click.option("--league", metavar="NAME", help="Let it play there, in place of the version before.")
@click.option("--no-compare", is_flag=True, help="No test against the version before.")
@isolation_option
@db_option
def submit_command(
    path: Path,
    version: str | None,
    league: str | None,
    no_compare: bool,
    isolation: str,
    database: Path,
) -> None:
    """Take in a bot: build, check and store it.

    PATH is a folder or a zip with a bot.toml in it, or a single file. What is stored is never
    changed: other files need another version. It is entered as NAME (the newest version that is
    not retired) or NAME@VERSION. In a league it is tested against the version before, as by
    kseri compare.
    """
    bot = read_submission(path, version)
    if no_compare and league is None:
        raise UsageError("--no-compare: only with --league a version is compared")
    number = None if league is None else find_league(database, league).id
    if number is not None:
        refuse_unfit_for(database, number, bot)
    _say(
        f"Read: {bot.manifest.name} {bot.manifest.version}, {len(bot.files)} files, "
        f"{bot.size:,} bytes, hash {bot.hash[:12]}…{_left_out(bot)}"
    )
    settled = settled_isolation(isolation, [bot])
    if settled.isolation == "none":
        click.echo(
            f"Isolation: none ({settled.why}): bots run with all rights of this user", err=True
        )
    hide_own_memory()
    again = check_again(as_path(path), database)
    try:
        with Progress() as watch:
            watch.begin("build")
            can_play = submit(bot, database, settled.isolation, _say, again=again, watch=watch)
    except NotReady as error:
        raise _explained(error, again) from None
    if number is None or not can_play:
        _say_what_next(bot, database, can_play)
        return
    before = _enter(database, number, bot, trusted=settled.isolation == "none")
    if before and not no_compare:
        _compare(database, number, bot, before, isolation)


def _enter(database: Path, league: int, bot: BotFiles, trusted: bool) -> BotFiles | None:
    """Let it play in the league; the version that played there before it, if there was one."""
    label, before, is_new, begins = enter_submitted(database, league, bot, trusted=trusted)
    replaced = f", in the place of {before.label}" if before else ""
    _say(
        f"Entered: {label} plays {begins}{replaced}."
        if is_new
        else f"Nothing new: {label} plays there already with these files."
    )
    if before is None:
        return None
    with Reader(database) as reader:
        return reader.bot_files(before.hash)


def _compare(database: Path, league: int, bot: BotFiles, before: BotFiles, isolation: str) -> None:
    """Test whether the new version is stronger, by the rules of the league."""
    with Reader(database) as reader:
        definition = reader.stored(league).definition
    rules = rules_of(definition)
    if table_size(definition, rules) != 2:
        _say(f"Not compared with {before.manifest.version}: a comparison is of two sides.")
        return
    plan = ComparisonPlan(
        bots=(bot, before),
        hypotheses=_HYPOTHESES,
        most=_MOST_COMPARED,
        rules=definition.rules,
        overrides=definition.overrides,
    )
    _say(f"Compared with {before.manifest.version}, in {_MOST_COMPARED} matches at most:")
    tell_result(run_comparison(database, plan, workers=None, isolation=isolation), database)


def _left_out(bot: BotFiles) -> str:
    """How many hidden or generated files and folders are not taken, and the first few."""
    count = len(bot.left_out)
    if not count:
        return ""
    names = ", ".join(bot.left_out[:_SHOWN_LEFT_OUT])
    more = ", …" if count > _SHOWN_LEFT_OUT else ""
    return f"; {count} hidden or generated left out ({names}{more})"


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
