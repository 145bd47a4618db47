"""Sittings: a visitor of the dashboard at a table with bots, for one game.

The dashboard writes who has sat down and what they play; the process that plays the games takes it
from here, and writes what the visitor's seat is sent.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Literal

import msgspec
import sqlite_utils

from arena.errors import UsageError
from arena.store.connection import LARGEST
from arena.store.events import note_event
from arena.store.lock import is_playing, playing
from arena.store.schema import undisturbed
from arena.store.tournaments import finish_tournament, now_text
from arena.store.values import undamaged, value
from protocol.messages import Play, ToBot, Turn

MOST_A_DAY = 500
"""Games that all visitors together may begin in 24 hours."""
VISITOR = "visitor"
"""What a visitor is called in the list of seats."""
PLAY_S = 600.0
"""How long a visitor may take for one play, in seconds; then the game is forfeited."""
GAME_S = 2 * 60 * 60.0
"""For a whole game, in seconds."""
KEPT_DAYS = 7
"""How long a sitting can be looked at when it is over; its game stays."""
_ROOM = 0
"""The byte of the file of locks that stands for all sittings: tournaments begin at 1."""

SittingState = Literal["waiting", "playing", "over", "refused", "void"]
"""`over`: its game is stored; `refused`: these bots can't play these rules; `void`: the arena was
ended, or failed, before the game was over."""


class Sitting(msgspec.Struct, frozen=True, kw_only=True):
    """A visitor at a table, for that visitor; `TableRow` is what everybody may know."""

    id: int
    bots: list[str]
    """Who else sits there; the last takes the seats that are left."""
    rules: str
    """The preset."""
    state: SittingState
    text: str
    """Why it was refused, or is void."""
    told: list[ToBot]
    """What the seat was sent last: hello, the turn before, ends of deals, the turn."""
    turn: int
    """The number of the turn that the seat was asked last; 0: none yet."""
    answer: Play | None
    """Its answer to that turn; None: it has not answered, or has given up."""
    is_answered: bool
    game: str | None
    """Once it is stored."""
    created: str
    finished: str | None

    @property
    def is_over(self) -> bool:
        """Whether nothing more comes of it."""
        return self.finished is not None


class TooMany(UsageError):
    """A game that can't begin now: all tables are taken, or this visitor sits at one."""


class StaleAnswer(UsageError):
    """A play for a turn that is over, or one that is not legal in it."""


SITTING_COLUMNS = (
    "id, bots, rules, state, text, told, turn, answer, answer IS NOT NULL AS is_answered, game, "
    "created, finished"
)
_encode = msgspec.json.encode


def of_sitting(sitting_id: int) -> str:
    """The topic of a sitting's events."""
    return f"sitting:{sitting_id}"


def playing_sittings(database: Path) -> AbstractContextManager[None]:
    """Hold the right to play the games of visitors. Raises `Trouble` where somebody has it."""
    return playing(database, _ROOM, "games of visitors")


def are_sittings_played(database: Path) -> bool:
    """Whether somebody holds that right at the moment."""
    return is_playing(database, _ROOM)


def add_sitting(
    db: sqlite_utils.Database, visitor: str, bots: Sequence[str], rules: str, tables: int
) -> int:
    """Seat a visitor; `visitor` is the hash of their key. Returns the number of the sitting.

    Raises `TooMany`: at most `tables` games go on at a time, one of them with this visitor.
    """
    with undisturbed(db):
        _refuse(db, visitor, tables)
        db.execute("DELETE FROM sittings WHERE finished < " + _AGO, [f"-{KEPT_DAYS} days"])
        cursor = db.execute(
            "INSERT INTO sittings (visitor, bots, rules, state, created) "
            "VALUES (?, ?, ?, 'waiting', ?)",
            [visitor, json.dumps(list(bots)), rules, now_text()],
        )
        number = int(cursor.lastrowid or 0)
        note_event(db, of_sitting(number), "sitting")
        return number


_AGO = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now', ?)"


def _refuse(db: sqlite_utils.Database, visitor: str, tables: int) -> None:
    query = "SELECT count(*), coalesce(sum(visitor = ?), 0) FROM sittings WHERE finished IS NULL"
    at_once, own = db.execute(query, [visitor]).fetchone()
    if own:
        raise TooMany("you sit at a table already: end that game, or give it up, first")
    if at_once >= tables:
        raise TooMany(f"all {tables} tables are taken: try again when a game is over")
    query = f"SELECT count(*) FROM sittings WHERE created >= {_AGO}"
    (today,) = db.execute(query, ["-1 days"]).fetchone()
    if today >= MOST_A_DAY:
        raise TooMany(f"{MOST_A_DAY} games were begun in the last 24 hours, as many as may be")


def put_answer(
    db: sqlite_utils.Database, sitting_id: int, visitor: str, turn: int, play: Play | None
) -> None:
    """Note what a visitor plays in a turn; None: gives the game up. Raises `StaleAnswer`."""
    with undisturbed(db):
        row = next(
            db.query(
                "SELECT told, turn, answer, state FROM sittings WHERE id = ? AND visitor = ?",
                [min(sitting_id, LARGEST), visitor],
            ),
            None,
        )
        if row is None or row["state"] != "playing":
            raise StaleAnswer("this game is over")
        if row["turn"] != turn or row["answer"] is not None:
            raise StaleAnswer("that turn is over")
        if play is not None and not _is_legal(row["told"], play):
            raise StaleAnswer("that card can't be played now")
        db.execute(
            "UPDATE sittings SET answer = ? WHERE id = ?", [_encode(play).decode(), sitting_id]
        )
        note_event(db, of_sitting(sitting_id), "sitting")


def _is_legal(told: str, play: Play) -> bool:
    asked = [message for message in _messages(told) if isinstance(message, Turn)][-1]
    return any((play.card, play.capture) == (each.card, each.capture) for each in asked.legal)


def _messages(told: str) -> list[ToBot]:
    return msgspec.json.decode(told, type=list[ToBot])


def take_sittings(db: sqlite_utils.Database) -> list[Sitting]:
    """Begin with all that wait."""
    that_wait = "FROM sittings WHERE finished IS NULL AND state = 'waiting'"
    if db.execute(f"SELECT 1 {that_wait}").fetchone() is None:
        # Asked after everybody's every change: most of them are none of ours.
        return []
    with undisturbed(db):
        query = f"SELECT {SITTING_COLUMNS} {that_wait} ORDER BY id"
        found = [sitting_of_row(row) for row in db.query(query)]
        for sitting in found:
            db.execute("UPDATE sittings SET state = 'playing' WHERE id = ?", [sitting.id])
    return found


def answers(db: sqlite_utils.Database) -> list[tuple[int, int, Play | None]]:
    """What was answered in games that go on: sitting, turn, and the play or None."""
    query = "SELECT id, turn, answer FROM sittings WHERE finished IS NULL AND answer IS NOT NULL"
    decode = msgspec.json.Decoder(Play | None).decode
    return [(number, turn, decode(text)) for number, turn, text in db.execute(query).fetchall()]


def ask_sitting(
    db: sqlite_utils.Database, sitting_id: int, told: Sequence[ToBot], turn: int
) -> None:
    """Ask the seat for its answer to a turn; `told` is all that its page then shows."""
    with db.atomic():
        db.execute(
            "UPDATE sittings SET told = ?, turn = ?, answer = NULL WHERE id = ?",
            [_encode(told).decode(), turn, sitting_id],
        )
        note_event(db, of_sitting(sitting_id), "sitting")


def note_table(db: sqlite_utils.Database, sitting_id: int, tournament_id: int) -> None:
    """Note which row of `tournaments` the game of a sitting has."""
    query = "UPDATE sittings SET tournament_id = ? WHERE id = ?"
    with db.atomic():
        db.execute(query, [tournament_id, sitting_id])


def end_sitting(
    db: sqlite_utils.Database,
    sitting_id: int,
    state: SittingState,
    *,
    text: str = "",
    game: str | None = None,
) -> None:
    """Close a sitting. What the seat was told is removed: the record of its game has it."""
    query = "SELECT tournament_id FROM sittings WHERE id = ?"
    (tournament_id,) = db.execute(query, [sitting_id]).fetchone()
    if tournament_id is not None:
        # Nobody plays it on: one game on decks of its own.
        finish_tournament(db, tournament_id)
        planned = "UPDATE tournaments SET games_planned = games_played WHERE id = ?"
        with db.atomic():
            db.execute(planned, [tournament_id])
    with db.atomic():
        db.execute(
            "UPDATE sittings SET state = ?, text = ?, game = ?, finished = ?, told = '[]', "
            "turn = 0, answer = NULL WHERE id = ?",
            [state, text, game, now_text(), sitting_id],
        )
        note_event(db, of_sitting(sitting_id), "sitting")


def void_sittings(db: sqlite_utils.Database, text: str) -> None:
    """Close all that were being played, now that nobody plays them any more.

    One whose game was stored before its arena was killed is over.
    """
    query = """
        SELECT id, (SELECT game FROM games WHERE games.tournament_id = sittings.tournament_id)
        FROM sittings WHERE state = 'playing'
    """
    for number, game in db.execute(query).fetchall():
        if game:
            end_sitting(db, number, "over", game=game)
        else:
            end_sitting(db, number, "void", text=text)


def sitting_of_row(row: dict[str, Any]) -> Sitting:
    """A row of `sittings` as a struct."""
    with undamaged(f"row {row['id']} of sittings"):
        changed = {
            "told": _messages(row["told"]),
            "answer": msgspec.json.decode(row["answer"] or "null", type=Play | None),
        }
    return value(Sitting, row | changed, "sittings", "bots")
