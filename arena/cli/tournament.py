"""`kseri tournament`: tournaments from a file."""

from __future__ import annotations

from pathlib import Path

import click

from arena.bots import BotFiles, CannotFind, find_bot
from arena.cli.called import at_database, called
from arena.cli.finding import note_another, submitted_for
from arena.cli.options import (
    db_option,
    isolation_option,
    read_master,
    read_small_file,
    secret_options,
)
from arena.cli.running import cluster_for, executor_for, run_entry, settled_isolation
from arena.cli.standings_tables import print_standings
from arena.cli.tables import console
from arena.cli.tournament_story import tell_outlook, tell_status, tournaments_table
from arena.errors import UsageError
from arena.executor import cores
from arena.schedule import labels_of
from arena.store import Reader
from arena.text import NotText, one_line, utf8
from arena.tournament import (
    WrongSetting,
    add_bot,
    annul_game,
    bots_added,
    check_load,
    check_tournament,
    concurrency_of,
    enter,
    outlook,
    pause_tournament,
    withdraw,
)
from protocol.codec import FileError, decode_file, line_of
from protocol.tournament import Tournament


@click.group()
def tournament() -> None:
    """Run tournaments from a file."""


_name = click.argument("name")


def _not_blank(_: click.Context, __: click.Parameter, text: str) -> str:
    if not text.strip():
        raise click.BadParameter("say why, in a few words")
    return text


_reason = click.option(
    "--reason",
    required=True,
    callback=_not_blank,
    help="Why; it is written to the audit log.",
)


@tournament.command()
@click.argument("file", type=click.Path(path_type=Path))
@secret_options
@click.option("--workers", type=click.IntRange(1, 1024), help="Processes; default: one a core.")
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Play on the workers of a Dask scheduler, tls://HOST:PORT.",
)
@isolation_option
@db_option
def run(
    file: Path,
    seed: int | None,
    master_file: str | None,
    workers: int | None,
    cluster: str | None,
    isolation: str,
    database: Path,
) -> None:
    """Play the tournament in FILE, or go on with it.

    Where it was stopped, what is missing is played, and nothing twice. Its bots are named as in
    kseri play; paths are beside FILE.
    """
    if cluster and workers:
        raise UsageError("--workers and --cluster: give one of them; a cluster has its own workers")
    definition, bots, count = read_tournament(file, database, workers, on_cluster=bool(cluster))
    wanted = definition.isolation if isolation == "auto" else isolation
    master = read_master(seed, master_file)
    added = bots_added(database, definition, definition.kind, master, bots)
    chosen = settled_isolation(wanted, [*bots.values(), *added])
    concurrency = concurrency_of(definition)
    executor = (
        cluster_for(cluster, chosen.isolation, concurrency, database)
        if cluster
        else executor_for(chosen, count, concurrency)
    )
    entry = enter(
        database,
        definition,
        bots,
        kind=definition.kind,
        master=master,
        isolation=chosen.isolation,
    )
    run_entry(database, entry, executor, chosen)
    with Reader(database) as reader:
        print_standings(reader, entry.stored)


@tournament.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--workers", type=click.IntRange(1, 1024), help="Processes; default: one a core.")
@db_option
def explain(file: Path, workers: int | None, database: Path) -> None:
    """Say what FILE comes to: games, time, certainty.

    Nothing is played or stored.
    """
    definition, bots, count = read_tournament(file, database, workers)
    tell_outlook(console(), definition, outlook(definition, bots, database, count), count)


@tournament.command(name="list")
@db_option
def list_tournaments(database: Path) -> None:
    """List tournaments and other games, the latest first."""
    with Reader(database) as reader:
        console().print(tournaments_table(reader.tournaments()))


@tournament.command()
@_name
@db_option
def status(name: str, database: Path) -> None:
    """Show how far a tournament is.

    Also who has left it, and what was decided about it.
    """
    with Reader(database) as reader:
        tell_status(console(), reader, reader.tournament(name))


@tournament.command()
@_name
@db_option
def pause(name: str, database: Path) -> None:
    """Stop a tournament; run goes on with it.

    Wherever it is being played: the games that are going on are played again.
    """
    with Reader(database) as reader:
        stored = reader.tournament(name)
    pause_tournament(database, stored.id)
    at = at_database(database)
    click.echo(f"{one_line(stored.name)} is paused; to go on:")
    click.echo(f"  {called()} tournament run FILE{at}")
    if stored.kind == "league":
        click.echo(f"  {called()} serve --league {stored.id}{at}")


@tournament.command()
@_name
@click.argument("bot")
@click.option("--trusted", is_flag=True, help="It may play where there is no isolation.")
@db_option
def add(name: str, bot: str, trusted: bool, database: Path) -> None:
    """Enter another BOT, also while games go on.

    In a round robin or a gauntlet it plays all games it would have had, in a Swiss or a league it
    is paired from the next round on.
    """
    files = find_bot(bot, submitted=submitted_for(database, name))
    note_another(bot, files)
    label = add_bot(database, _id(name, database), files, trusted=trusted)
    click.echo(f"{label} is entered in {name}")


@tournament.command(name="withdraw")
@_name
@click.argument("bot")
@_reason
@db_option
def withdraw_command(name: str, bot: str, reason: str, database: Path) -> None:
    """Let BOT play no more.

    In a round robin or a gauntlet all its games are annulled where it has played less than half
    of them; else the rest is forfeited, which does not count in ratings.
    """
    click.echo(withdraw(database, _id(name, database), bot, reason))


@tournament.command()
@_name
@click.argument("what", metavar="GAME|BOT")
@_reason
@db_option
def annul(name: str, what: str, reason: str, database: Path) -> None:
    """Annul a game's match, or all of a bot's.

    While the tournament goes on a bot that is annulled plays no more.
    The games stay stored; ratings and tables are made without them.
    """
    click.echo(annul_game(database, _id(name, database), what, reason))


def _id(name: str, database: Path) -> int:
    with Reader(database) as reader:
        return reader.tournament(name).id


def read_tournament(
    file: Path, database: Path, workers: int | None, on_cluster: bool = False
) -> tuple[Tournament, dict[str, BotFiles], int]:
    """A tournament file, its bots by label, and how many workers play it.

    Submitted bots are in the database; `workers` is what the command says instead of the file;
    `on_cluster`: it has workers of its own.
    Raises `UsageError` with file, line, key and what was expected.
    """
    try:
        text = utf8(read_small_file(file))
        definition = decode_file(text, Tournament)
        bots = _bots(definition, file.parent, database)
        check_tournament(definition, len(bots))
        count = workers or definition.workers or len(cores())
        # A worker of a cluster has one core, wherever that is.
        check_load(definition, *((1, 1) if on_cluster else (count, len(cores()))))
    except OSError as error:
        raise UsageError(f"{error.filename or file}: {error.strerror}") from None
    except WrongSetting as error:
        if error.key == "workers" and workers:
            raise UsageError(f"--{error}") from None
        line = line_of(text, error.key)
        raise UsageError(f"{file}: {f'line {line}, ' if line else ''}{error}") from None
    except (FileError, NotText) as error:
        raise UsageError(f"{file}: {error}") from None
    return definition, bots, count


def _bots(definition: Tournament, folder: Path, database: Path) -> dict[str, BotFiles]:
    try:
        submitted = submitted_for(database, definition.name)
        found = [find_bot(name, folder, submitted) for name in definition.bots]
    except CannotFind as error:
        raise WrongSetting("bots", str(error)) from None
    for name, bot in zip(definition.bots, found, strict=True):
        note_another(name, bot, folder)
    labels = labels_of([bot.manifest.name for bot in found])
    return dict(zip(labels, found, strict=True))
