"""The commands that look further into a game than a page does."""

from __future__ import annotations

import shlex
from pathlib import Path

import msgspec
from flask import current_app

from protocol.records import GameRecord


class Commands(msgspec.Struct, frozen=True, kw_only=True):
    """Commands as they can be pasted, where the database lies."""

    verify: str
    """Deals the decks again, checks every play and counts the points."""
    show: str
    transcript: str
    """Of the seat of the first fault, else of seat 0."""
    rerun: str
    """Gives the bot of that seat its part of the game again."""
    log: str


def commands(record: GameRecord) -> Commands:
    """What `kseri` can tell of this game."""
    seat = str(record.faults[0].seat if record.faults else 0)
    return Commands(
        verify=command("verify", record.game),
        show=command("show", record.game),
        transcript=command("transcript", record.game, "--seat", seat),
        rerun=command("rerun", record.game, "--seat", seat),
        log=command("log", record.game),
    )


def command(*words: str) -> str:
    """A command of `kseri` on this database."""
    return shlex.join(["kseri", *words]) + at_database()


def at_database() -> str:
    """The option for this database, in its folder, with a blank before it."""
    path: Path = current_app.config["DATABASE"]
    return f" --db {shlex.quote(path.name)}"
