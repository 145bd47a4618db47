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
    """Of seat 0; another seat is another number."""
    rerun: str
    """Gives the bot of seat 0 its part of the game again."""
    log: str


def commands(record: GameRecord) -> Commands:
    """What `kseri` can tell of this game."""
    return Commands(
        verify=command("verify", record.game),
        show=command("show", record.game),
        transcript=command("transcript", record.game, "--seat", "0"),
        rerun=command("rerun", record.game, "--seat", "0"),
        log=command("log", record.game),
    )


def command(*words: str) -> str:
    """A command of `kseri` on this database."""
    path: Path = current_app.config["DATABASE"]
    return shlex.join(["kseri", *words, "--db", path.name])
