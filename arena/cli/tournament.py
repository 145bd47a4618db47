"""`kseri tournament`: tournaments from a file."""

from __future__ import annotations

from pathlib import Path

import click

from arena.bots import BotFiles, CannotFind, find_bot
from arena.cli.options import (
    db_option,
    isolation_option,
    read_master,
    read_small_file,
    secret_options,
)
from arena.cli.running import executor_for, run_entry, settled_isolation
from arena.cli.tables import print_standings
from arena.errors import UsageError
from arena.schedule import labels_of
from arena.store import Reader, submitted_in
from arena.text import NotText, utf8
from arena.tournament import WrongSetting, check_tournament, concurrency_of, enter
from protocol.codec import FileError, decode_file, line_of
from protocol.tournament import Tournament


@click.group()
def tournament() -> None:
    """Run tournaments from a file."""


@tournament.command()
@click.argument("file", type=click.Path(path_type=Path))
@secret_options
@click.option("--workers", type=click.IntRange(1, 1024), help="Processes; default: one a core.")
@isolation_option
@db_option
def run(
    file: Path,
    seed: int | None,
    master_file: str | None,
    workers: int | None,
    isolation: str,
    database: Path,
) -> None:
    """Play the tournament in FILE, or go on with it where it was stopped.

    Its bots are named as in kseri play; paths are beside FILE.
    """
    definition, bots = read_tournament(file, database)
    wanted = definition.isolation if isolation == "auto" else isolation
    chosen = settled_isolation(wanted, bots.values())
    entry = enter(
        database,
        definition,
        bots,
        kind=definition.kind,
        master=read_master(seed, master_file),
        isolation=chosen.isolation,
    )
    workers = workers or definition.workers
    run_entry(database, entry, executor_for(chosen, workers, concurrency_of(definition)), chosen)
    with Reader(database) as reader:
        print_standings(reader, entry.stored)


def read_tournament(file: Path, database: Path) -> tuple[Tournament, dict[str, BotFiles]]:
    """Read a tournament file and its bots, by label; submitted ones are in the database.

    Raises `UsageError` with file, line, key and what was expected.
    """
    try:
        text = utf8(read_small_file(file))
        definition = decode_file(text, Tournament)
        bots = _bots(definition, file.parent, database)
        check_tournament(definition, len(bots))
    except OSError as error:
        raise UsageError(f"{error.filename or file}: {error.strerror}") from None
    except WrongSetting as error:
        line = line_of(text, error.key)
        raise UsageError(f"{file}: {f'line {line}, ' if line else ''}{error}") from None
    except (FileError, NotText) as error:
        raise UsageError(f"{file}: {error}") from None
    return definition, bots


def _bots(definition: Tournament, folder: Path, database: Path) -> dict[str, BotFiles]:
    try:
        submitted = submitted_in(database, definition.name)
        found = [find_bot(name, folder, submitted) for name in definition.bots]
    except CannotFind as error:
        raise WrongSetting("bots", str(error)) from None
    labels = labels_of([bot.manifest.name for bot in found])
    return dict(zip(labels, found, strict=True))
