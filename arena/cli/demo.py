"""`kseri demo`: a tournament of the bots that come with the arena, then the dashboard."""

from __future__ import annotations

import math
from pathlib import Path

import click

from arena.bots import BotFiles, CannotBuild, find_bot, prepare, shipped_names, toolchain_missing
from arena.cli.options import isolation_option
from arena.cli.running import executor_for, run_entry, settled_isolation
from arena.cli.serve import serve_until_stopped
from arena.cli.standings_tables import print_standings
from arena.store import Reader, refuse_unwritable
from arena.store.tournaments import now_text
from arena.text import one_line
from arena.tournament import enter
from protocol.tournament import Tournament

_MATCHES = 30


@click.command()
@click.option("--no-serve", is_flag=True, help="End after the standings.")
@click.option(
    "--matches",
    type=click.IntRange(1, 10_000),
    default=_MATCHES,
    show_default=True,
    help="Of every two bots; a match is two games.",
)
@click.option(
    "--db",
    "database",
    type=click.Path(path_type=Path),
    default=Path("demo.db"),
    show_default=True,
    help="The database file.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8040,
    show_default=True,
    help="Of the dashboard; 0: any free one.",
)
@isolation_option
def demo(no_serve: bool, matches: int, database: Path, port: int, isolation: str) -> None:
    """Let all shipped bots play, then serve the dashboard.

    Every demo is a new round robin, with a secret of its own. Bots whose programming language is
    not on this machine are left out and named. Ctrl-C ends the dashboard; kseri serve --db demo.db
    shows it again.
    """
    chosen = settled_isolation(isolation, map(find_bot, shipped_names()))
    refuse_unwritable(database)
    bots = _playable(chosen.isolation)
    tournament = Tournament(
        name=f"Demo {now_text()}", bots=list(bots), matches=matches, rated=False
    )
    entry = enter(
        database, tournament, bots, kind="round-robin", master=None, isolation=chosen.isolation
    )
    games = 2 * matches * math.comb(len(bots), 2)
    click.echo(f"{games} games between {', '.join(bots)}", err=True)
    run_entry(database, entry, executor_for(chosen, None), chosen)
    with Reader(database) as reader:
        print_standings(reader, entry.stored)
    if not no_serve:
        serve_until_stopped(database, "127.0.0.1", port)


def _playable(isolation: str) -> dict[str, BotFiles]:
    """The bots that this machine can build and run, by name; says which it can't and why."""
    found: dict[str, BotFiles] = {}
    for name in shipped_names():
        bot = find_bot(name)
        missing = toolchain_missing(bot)
        try:
            if missing is None:
                prepare(bot, isolation)
        except CannotBuild as error:
            missing = str(error)
        if missing is None:
            found[name] = bot
        else:
            click.echo(f"Left out {name}: {one_line(missing)}", err=True)
    return found
