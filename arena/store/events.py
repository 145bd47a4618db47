"""What has changed, for pages that are open: a row a change, written in its own transaction.

An event says where something changed and how much, never what: it is sent to everybody.
"""

from __future__ import annotations

from typing import Literal

import msgspec
import sqlite_utils

MOST_EVENTS = 10_000
"""Older ones are removed: a page that missed more is shown anew as a whole."""

EventKind = Literal[
    "begun",
    "planned",
    "games",
    "standings",
    "round begun",
    "round finished",
    "decided",
    "paused",
    "finished",
    "submitted",
    "job",
    "sitting",
    "what-if",
]
"""Of a tournament: begun; how many games it has; games stored or void; its standings kept; a round
of it begun and finished; an organiser's decision; paused or going on; finished. Of a version of a
bot: submitted. Of a job: a step taken. Of a visitor at a table: sat down, asked, answered, over.
Of a what if: asked for, begun, played once more, over."""


class Event(msgspec.Struct, frozen=True):
    """One change."""

    id: int
    """Rises; never used again, also when the event is removed."""
    topic: str
    """Of what: `tournament:3`, `job:17`, `sitting:5`, `what-if:4`, `bots`."""
    kind: EventKind
    number: int
    """How many games, which round, which submission; 0 where there is nothing to count."""


def of_tournament(tournament_id: int) -> str:
    """The topic of a tournament's events."""
    return f"tournament:{tournament_id}"


def note_event(db: sqlite_utils.Database, topic: str, kind: EventKind, number: int = 0) -> None:
    """Tell open pages of a change, in the transaction that makes it."""
    cursor = db.execute(
        "INSERT INTO events (topic, kind, number) VALUES (?, ?, ?)", [topic, kind, number]
    )
    db.execute("DELETE FROM events WHERE id <= ?", [int(cursor.lastrowid or 0) - MOST_EVENTS])
