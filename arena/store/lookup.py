"""Submitted bots by the names that commands and tournament files give."""

from __future__ import annotations

from pathlib import Path

from arena.bots import BotFiles, Lookup
from arena.store.reader import Reader


def has_content(database: Path) -> bool:
    """Whether there is a database to look into: it may still be made. Raises `OSError`."""
    return database.exists() and (database.is_dir() or database.stat().st_size > 0)


def submitted_in(database: Path, tournament: str | None = None) -> Lookup:
    """What finds the submitted bots of a database; none where it does not exist yet.

    `tournament`: the name of the one that they are entered in (see `Reader.entered`).
    """

    def look_up(name: str, version: str | None) -> BotFiles | None:
        if not has_content(database):
            return None
        with Reader(database) as reader:
            return reader.entered(name, version, tournament)

    return look_up
