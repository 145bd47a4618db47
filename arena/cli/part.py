"""The processes of `kseri serve` beside its pages: a league's games, the jobs, visitors' games.

Each is a program of its own: bots, builds and workers are nothing that one process could keep
apart. It ends when its standard input does, so when whoever started it ends, however that is.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path
from types import FrameType

import click

from arena.cli.called import at_database, called
from arena.cli.errors import run
from arena.cli.options import db_option, isolation_option
from arena.cli.running import executor_for, settled_isolation, tell_withdrawal, tell_withdrawn
from arena.continuation import Asked, run_what_ifs
from arena.executor import cores
from arena.person import Room, run_tables
from arena.sandbox import hide_own_memory
from arena.store import Reader, bots_of, writing
from arena.text import one_line
from arena.tournament import check_load, concurrency_of, enter
from arena.tournament.jobs import Intake, run_jobs
from arena.tournament.league import play_league

_NICENESS = 10


@click.group()
def part() -> None:
    """One of the processes beside the pages."""


@part.command()
@click.argument("number", type=int)
@click.option("--workers", type=click.IntRange(1, 1024))
@isolation_option
@db_option
def league(number: int, workers: int | None, isolation: str, database: Path) -> None:
    """Play the league of that number, round after round."""
    with Reader(database) as reader:
        stored = reader.stored(number)
    with writing(database) as db:
        bots = bots_of(db, number)
    definition = stored.definition
    count = workers or definition.workers or len(cores())
    check_load(definition, count, len(cores()))
    chosen = settled_isolation(isolation, bots.values())
    entry = enter(
        database, definition, bots, kind="league", master=None, isolation=chosen.isolation
    )
    tell_withdrawn(entry)
    executor = executor_for(chosen, count, concurrency_of(definition))
    if play_league(database, entry, executor, tell_withdrawal):
        again = f"{called()} serve --league {number}{at_database(database)}"
        click.echo(f"{one_line(stored.name)} is paused; to go on:\n  {again}", err=True)


@part.command()
@click.option("--league", type=int, help="The league that the bots are entered in.")
@isolation_option
@db_option
def jobs(league: int | None, isolation: str, database: Path) -> None:
    """Take in the bots that are handed in."""
    # SIGTERM is to end a check as Ctrl-C does: trio knows how.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, _interrupt)
    chosen = settled_isolation(isolation, [])
    run_jobs(
        Intake(
            database=database,
            isolation=chosen.isolation,
            league=league,
            # Whoever started this has asked for it.
            trusted=chosen.isolation == "none",
            say=lambda line: click.echo(one_line(line)),
        )
    )


@part.command()
@isolation_option
@db_option
def tables(isolation: str, database: Path) -> None:
    """Play the games of visitors."""
    chosen = settled_isolation(isolation, [])
    run_tables(Room(database, chosen.isolation, say=lambda line: click.echo(one_line(line))))


@part.command("what-ifs")
@isolation_option
@db_option
def what_ifs(isolation: str, database: Path) -> None:
    """Let other bots go on with games, as visitors ask for it."""
    # What visitors ask for can wait for games that are rated, on a machine that has both.
    os.nice(_NICENESS)
    # SIGTERM is to end a deal as Ctrl-C does: trio knows how.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, _interrupt)
    chosen = settled_isolation(isolation, [])
    run_what_ifs(Asked(database, chosen.isolation, say=lambda line: click.echo(one_line(line))))


def _interrupt(_: int, __: FrameType | None) -> None:
    signal.raise_signal(signal.SIGINT)


def _end_with_input() -> None:
    """Stop this process as soon as nobody holds its standard input open any more."""

    def wait() -> None:
        while os.read(sys.stdin.fileno(), 1):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="end of input", daemon=True).start()


if __name__ == "__main__":
    _end_with_input()
    hide_own_memory()
    sys.exit(run(part))
