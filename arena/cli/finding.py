"""Finds the bots that a command names, and says where another may be meant."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import click

from arena.bots import (
    MANIFEST,
    SINGLE_FILES,
    BotFiles,
    Lookup,
    NotEntered,
    find_bot,
    read_bot,
    split_reference,
)
from arena.cli.called import at_database, called
from arena.errors import UsageError
from arena.store import submitted_in


def find_player(name: str, database: Path) -> BotFiles:
    """The bot of this name or path, for a command; see `find_bot`. Raises `UsageError`."""
    bot = find_bot(name, submitted=submitted_for(database))
    note_another(name, bot)
    return bot


def submitted_for(database: Path, tournament: str | None = None) -> Lookup:
    """The same as `submitted_in`, for a command: it says how a retired bot may play again."""
    find = submitted_in(database, tournament)

    def look_up(name: str, version: str | None) -> BotFiles | NotEntered | None:
        found = find(name, version)
        if isinstance(found, NotEntered) and found.retired:
            again = f"{called()} bots unretire {found.retired}{at_database(database)}"
            return replace(found, why=f"{found.why}; {again} lets it play again")
        return found

    return look_up


def note_another(name: str, bot: BotFiles, beside: Path = Path()) -> None:
    """Say so where `name` names a bot, and the folder `beside` has another one of that name."""
    reference = split_reference(name)
    if reference is None or reference[1] is not None:
        return
    paths = [name, *(f"{name}{ending}" for ending in SINGLE_FILES)]
    there = [path for path in paths if (beside / path).exists()]
    if there and not any(_is_same(bot, beside / path) for path in there):
        which = "the arena's own" if bot.is_shipped else f"the submitted {bot.manifest.version}"
        other = f"./{there[0]}"
        click.echo(f"{name} is {which}; {other} is another: give {other} to play that", err=True)


def _is_same(bot: BotFiles, path: Path) -> bool:
    """Whether these are the bot's files; what is no bot is not another one."""
    with suppress(UsageError, OSError):
        other = read_bot(path)
        return _compared(bot, path) == _compared(other, path)
    return True


def _compared(bot: BotFiles, path: Path) -> dict[str, tuple[bool, bytes]]:
    """Its files, but for the bot.toml that is made up for a single file."""
    made_up = MANIFEST if path.is_file() else ""
    return {name: file for name, file in bot.files.items() if name != made_up}
