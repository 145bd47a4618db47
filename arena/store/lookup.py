"""Submitted bots by the names that commands and tournament files give."""

from __future__ import annotations

from pathlib import Path

from arena.bots import BotFiles, Lookup, NotEntered
from arena.store.reader import Reader
from arena.store.schema import NoDatabase


def submitted_in(database: Path, tournament: str | None = None) -> Lookup:
    """What finds the submitted bots of a database; none where it does not exist yet.

    `tournament`: the name of the one that they are entered in (see `Reader.entered`).
    """

    def look_up(name: str, version: str | None) -> BotFiles | NotEntered | None:
        try:
            with Reader(database) as reader:
                found = reader.entered(name, version, tournament)
                return found or reader.why_not_entered(name, version)
        except NoDatabase:
            return None

    return look_up
