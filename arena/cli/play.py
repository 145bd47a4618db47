"""`kseri play`: a few matches from the command line."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.finding import find_player
from arena.cli.me import play_me
from arena.cli.options import (
    db_option,
    isolation_option,
    read_master,
    read_overrides,
    secret_options,
)
from arena.cli.running import executor_for, run_entry, settled_isolation
from arena.cli.standings_tables import print_standings
from arena.cli.watch import Watcher
from arena.errors import UsageError
from arena.person import ME
from arena.schedule import labels_of
from arena.store import Reader
from arena.tournament import enter
from protocol.rules import RuleSetError, make_rules
from protocol.tournament import TimeControl, Tournament

_NO_CLOCK = TimeControl(boot_ms=86_400_000, move_ms=86_400_000, bank_ms=0)
"""A day: long enough to step through a bot in a debugger."""


@click.command()
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT…")
@click.option("--rules", default="kseri", show_default=True, help="The preset of the rules.")
@click.option("--set", "settings", multiple=True, metavar="FIELD=VALUE", help="Change a rule.")
@click.option(
    "--matches",
    type=click.IntRange(1, 1_000_000),
    default=1,
    show_default=True,
    help="Matches of every pairing: games on the same decks with the seats exchanged.",
)
@secret_options
@click.option("--no-clock", is_flag=True, help="Let bots take as long as they like.")
@click.option("--watch", is_flag=True, help="Show every play as it is made.")
@click.option("--workers", type=click.IntRange(1, 1024), help="Processes; default: one a core.")
@isolation_option
@db_option
def play(
    bots: tuple[str, ...],
    rules: str,
    settings: tuple[str, ...],
    matches: int,
    seed: int | None,
    master_file: str | None,
    no_clock: bool,
    watch: bool,
    workers: int | None,
    isolation: str,
    database: Path,
) -> None:
    """Play a few matches between BOTs.

    BOTs are names of bots that come with the arena or were submitted (NAME is the newest version,
    NAME@VERSION that one), or paths. A name wins over a path: ./NAME is always the path. The same
    bot may be given twice. `me` is a person at this terminal, who plays one game a match against
    one bot or several, seat by seat; the last takes the seats that are left.
    Games are stored in the database, unrated.
    """
    overrides = read_overrides(settings)
    try:
        make_rules(rules, overrides)
    except RuleSetError as error:
        option = "--rules" if error.field == "preset" else f"--set {error.field}"
        raise UsageError(f"{option}: {error.args[0].partition(': ')[2]}") from None
    if ME in bots:
        if watch or workers:
            raise UsageError(f"--watch and --workers: not with {ME}, who sees the own hand only")
        return play_me(
            database,
            [None if name == ME else find_player(name, database) for name in bots],
            rules=rules,
            overrides=overrides,
            matches=matches,
            master=read_master(seed, master_file),
            time=_NO_CLOCK if no_clock else TimeControl(),
            isolation=isolation,
        )
    files = [find_player(name, database) for name in bots]
    labels = labels_of([bot.manifest.name for bot in files])
    tournament = Tournament(
        name=" v ".join(labels)[:80],
        bots=list(bots),
        rules=rules,
        overrides=overrides,
        matches=matches,
        rated=False,
        names_hidden=False,
        time=_NO_CLOCK if no_clock else TimeControl(),
    )
    chosen = settled_isolation(isolation, files)
    entry = enter(
        database,
        tournament,
        dict(zip(labels, files, strict=True)),
        kind="play",
        master=read_master(seed, master_file),
        isolation=chosen.isolation,
    )
    observer = Watcher() if watch else None
    run_entry(
        database, entry, executor_for(chosen, workers, observer=observer), chosen, quiet=watch
    )
    with Reader(database) as reader:
        print_standings(reader, entry.stored)
