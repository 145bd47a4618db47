"""How the bots of recorded games are started and built: a diagnosis is in their language then."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from flask import current_app

from arena.diagnosis import Program, program_of
from arena.store import Damaged
from dashboard.database import database
from protocol.records import SeatRecord

Programs = Callable[[SeatRecord], Program]
"""What is known of the program that sat there."""

_KEPT = 256


def program(seat: SeatRecord) -> Program:
    """What the database knows of a seat's program."""
    return _by_hash(str(current_app.config["DATABASE"]), seat.hash)


@lru_cache(maxsize=_KEPT)
def _by_hash(_path: str, digest: str) -> Program:
    # The same hash is the same files for ever, and a bot may have many megabytes of them.
    with database() as reader:
        try:
            bot = reader.bot_files(digest)
        except Damaged:
            # Of another arena's making, or by hand: all else of the page can be shown.
            return Program()
    return program_of(bot.manifest.run, bot.manifest.build, bot.files)
