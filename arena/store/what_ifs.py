"""What ifs: deals of recorded games that visitors of the dashboard let other bots go on with.

The dashboard writes what is asked; the process that plays it takes it from here, and writes what
came of it. None of it is a game: nothing of it is rated, counted or exported.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Literal

import msgspec
import sqlite_utils

from arena.store.events import note_event
from arena.store.jobs import NotNow
from arena.store.lock import is_playing, playing
from arena.store.schema import undisturbed
from arena.store.tournaments import now_text
from arena.store.values import value
from protocol.what_if import Continued

MOST_ASKED = 8
"""What ifs that wait or are played at a time, of all visitors together."""
KEPT = 500
"""How many can be looked at when they are over: the latest ones."""
_PLACE = 2**62
"""The byte of the file of locks that stands for all of them: no tournament's number."""
_LATER_S = 60

WhatIfState = Literal["waiting", "playing", "over", "refused", "failed"]
"""`refused`: these bots can't play it; `failed`: the arena could not, or was ended."""


class Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """A bot on a seat."""

    name: str
    version: str
    hash: str
    """SHA-256 over its files, in hex."""
    is_shipped: bool = False
    """Whether it comes with the arena; the files of others are in the database."""


class WhatIfRow(msgspec.Struct, frozen=True, kw_only=True):
    """One what if, and how far it is."""

    id: int
    key: str
    """Names its page."""
    game: str
    deal: int
    move: int
    """How many plays were made before the bots came."""
    bots: list[Chosen]
    """By seat."""
    state: WhatIfState
    text: str
    """Why nothing came of it, where that is so."""
    ways: list[Continued]
    """What came of it every time, as far as it is played."""
    created: str
    finished: str | None

    @property
    def is_over(self) -> bool:
        """Whether nothing more comes of it."""
        return self.finished is not None


WHAT_IF_COLUMNS = ", ".join(WhatIfRow.__struct_fields__)
_encode = msgspec.json.encode


def of_what_if(number: int) -> str:
    """The topic of a what if's events."""
    return f"what-if:{number}"


def playing_what_ifs(database: Path) -> AbstractContextManager[None]:
    """Hold the right to play what visitors ask for. Raises `Trouble` where somebody has it."""
    return playing(database, _PLACE, "what visitors ask for")


def are_what_ifs_played(database: Path) -> bool:
    """Whether somebody holds that right at the moment."""
    return is_playing(database, _PLACE)


def ask_what_if(
    db: sqlite_utils.Database, game: str, deal: int, move: int, bots: Sequence[Chosen]
) -> str:
    """Let a what if wait to be played; returns its key, or that of the same one asked before.

    Raises `NotNow` where as many wait as may.
    """
    seats = _encode(list(bots)).decode()
    with undisturbed(db):
        known = db.execute(
            "SELECT key FROM what_ifs WHERE game = ? AND deal = ? AND move = ? AND bots = ? "
            "AND state IN ('waiting', 'playing', 'over')",
            [game, deal, move, seats],
        ).fetchone()
        if known:
            return str(known[0])
        query = "SELECT count(*) FROM what_ifs WHERE finished IS NULL"
        (waiting,) = db.execute(query).fetchone()
        if waiting >= MOST_ASKED:
            raise NotNow(f"{waiting} others are asked for already: try again later", _LATER_S)
        query = (
            "DELETE FROM what_ifs WHERE finished IS NOT NULL "
            "AND id <= (SELECT max(id) FROM what_ifs) - ?"
        )
        db.execute(query, [KEPT])
        key = secrets.token_hex(8)
        cursor = db.execute(
            "INSERT INTO what_ifs (key, game, deal, move, bots, state, created) "
            "VALUES (?, ?, ?, ?, ?, 'waiting', ?)",
            [key, game, deal, move, seats, now_text()],
        )
        note_event(db, of_what_if(int(cursor.lastrowid or 0)), "what-if")
        return key


def take_what_if(db: sqlite_utils.Database) -> WhatIfRow | None:
    """Begin with the one that has waited longest; None where none waits."""
    with undisturbed(db):
        query = (
            f"SELECT {WHAT_IF_COLUMNS} FROM what_ifs WHERE state = 'waiting' ORDER BY id LIMIT 1"
        )
        for row in list(db.query(query)):
            db.execute("UPDATE what_ifs SET state = 'playing' WHERE id = ?", [row["id"]])
            note_event(db, of_what_if(row["id"]), "what-if")
            return what_if_of_row(row)
    return None


def put_what_if(
    db: sqlite_utils.Database,
    number: int,
    state: WhatIfState,
    ways: Sequence[Continued],
    text: str = "",
) -> None:
    """Note how far a what if is."""
    finished = None if state in ("waiting", "playing") else now_text()
    with db.atomic():
        db.execute(
            "UPDATE what_ifs SET state = ?, ways = ?, text = ?, finished = ? WHERE id = ?",
            [state, _encode(list(ways)).decode(), text, finished, number],
        )
        note_event(db, of_what_if(number), "what-if", len(ways))


def fail_what_ifs(db: sqlite_utils.Database) -> None:
    """Close all that were being played, now that nobody plays them any more."""
    query = "SELECT id FROM what_ifs WHERE state = 'playing'"
    for (number,) in db.execute(query).fetchall():
        put_what_if(db, number, "failed", [], "the arena was ended while it was played")


def what_if_of_row(row: dict[str, Any]) -> WhatIfRow:
    """A row of `what_ifs` as a struct."""
    return value(WhatIfRow, row, "what_ifs", "bots", "ways")
