"""Plays what visitors of the dashboard ask for, one after another.

A process of its own runs this, so that the dashboard never starts a bot. Whatever the bots do, a
what if is over at the end.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from arena.bots import BotFiles, find_bot
from arena.continuation.deal import SECONDS
from arena.continuation.with_files import go_on
from arena.errors import ArenaError, UsageError
from arena.replay import ReplayError
from arena.store import (
    Chosen,
    Database,
    Reader,
    fail_what_ifs,
    playing_what_ifs,
    put_what_if,
    take_what_if,
    writing,
)
from protocol.records import Isolation
from protocol.what_if import Continued

_LOOK_SECONDS = 0.25
"""How often it is looked whether somebody has asked for something."""


@dataclass(frozen=True)
class Asked:
    """How it is played."""

    database: Path
    isolation: Isolation
    seconds: float = SECONDS
    """How long one may take."""
    say: Callable[[str], None] = lambda line: None
    """Takes a line for the organiser about what the arena could not do."""


def run_what_ifs(asked: Asked) -> None:
    """Play one after another until interrupted. Raises `Trouble` where another process does so."""
    with playing_what_ifs(asked.database), writing(asked.database) as db:
        fail_what_ifs(db)
        with Reader(asked.database) as reader:
            while True:
                before = reader.data_version()
                if not play_next_what_if(asked, db):
                    # Of another process's writing SQLite tells only those who ask.
                    while reader.data_version() == before:
                        time.sleep(_LOOK_SECONDS)


def play_next_what_if(asked: Asked, db: Database) -> bool:
    """Play the one that has waited longest; False where none waits."""
    row = take_what_if(db)
    if row is None:
        return False
    ways: list[Continued] = []

    def report(way: Continued) -> None:
        ways.append(way)
        put_what_if(db, row.id, "playing", ways)

    try:
        with Reader(asked.database) as reader:
            record, bots = reader.game(row.game), [_files(reader, bot) for bot in row.bots]
        go_on(
            record,
            row.deal,
            row.move,
            bots,
            asked.isolation,
            seconds=asked.seconds,
            report=report,
        )
        text = "" if ways else f"it took longer than {asked.seconds:.0f} s"
        put_what_if(db, row.id, "over" if ways else "refused", ways, text)
    except (UsageError, ReplayError) as error:
        put_what_if(db, row.id, "refused", ways, str(error).replace(str(asked.database), ""))
    except BaseException as error:
        put_what_if(db, row.id, "failed", ways, "the arena is in trouble; its organiser is told")
        if isinstance(error, ArenaError):
            asked.say(f"what if {row.key}: {error}")
        elif isinstance(error, Exception) and not _is_interrupt(error):
            traceback.print_exception(error)
        else:
            raise
    return True


def _is_interrupt(error: BaseException) -> bool:
    """Whether somebody pressed Ctrl-C: a nursery wraps even the only exception."""
    group = isinstance(error, BaseExceptionGroup) and error.subgroup(KeyboardInterrupt)
    return bool(group) or isinstance(error, KeyboardInterrupt)


def _files(reader: Reader, bot: Chosen) -> BotFiles:
    if not bot.is_shipped:
        return reader.bot_files(bot.hash)
    found = find_bot(bot.name)
    if found.hash != bot.hash:
        raise UsageError(f"{bot.name} has changed since: ask again")
    return found
