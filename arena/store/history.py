"""How ratings came to be: what was known of them after so many matches, thinned out."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import sqlite_utils

from arena.store.values import undamaged

MOST_SNAPSHOTS = 200
"""Kept of a tournament."""
_POINT = struct.Struct("<3f")


class RatingPoint(NamedTuple):
    """One entrant at one time, all values in Elo; None is what was not known."""

    rating: float | None
    """By the fit of all matches that counted then."""
    error: float | None
    """Half the width of its 95 % interval."""
    online: float | None
    """Where online Elo had it."""


class Snapshot(msgspec.Struct, frozen=True):
    """The ratings of a tournament at one time."""

    matches: int
    """How many matches were complete, in the order in which they became so."""
    last_game: int
    """The number of the last game that was stored then."""
    points: list[RatingPoint]
    """In the order of entering; who entered later is missing."""


def keep_snapshots(
    db: sqlite_utils.Database, tournament_id: int, snapshots: Sequence[Snapshot], afresh: bool
) -> None:
    """Add snapshots to the history of a tournament; `afresh`: in place of all that it has.

    Of more than `MOST_SNAPSHOTS` those go that are nearest to their neighbours.
    """
    with db.atomic():
        if afresh:
            db.execute("DELETE FROM rating_history WHERE tournament_id = ?", [tournament_id])
        db.conn.executemany(
            "INSERT OR REPLACE INTO rating_history VALUES (?, ?, ?, ?)",
            [(tournament_id, s.matches, s.last_game, _packed(s.points)) for s in snapshots],
        )
        kept = _times(db, tournament_id)
        for matches in _too_many(kept):
            db.execute(
                "DELETE FROM rating_history WHERE tournament_id = ? AND matches = ?",
                [tournament_id, matches],
            )


def _times(db: sqlite_utils.Database, tournament_id: int) -> list[int]:
    query = "SELECT matches FROM rating_history WHERE tournament_id = ? ORDER BY matches"
    return [matches for (matches,) in db.execute(query, [tournament_id])]


def _too_many(times: list[int]) -> list[int]:
    """Which of these to let go, so that the others lie about evenly; never the ends."""
    times, gone = times[:], []
    while len(times) > MOST_SNAPSHOTS:
        inner = range(1, len(times) - 1)
        gone.append(times.pop(min(inner, key=lambda i: times[i + 1] - times[i - 1])))
    return gone


def last_snapshot(db: sqlite_utils.Database, tournament_id: int) -> tuple[int, Snapshot | None]:
    """How many snapshots a tournament has, and the latest of them."""
    query = (
        "SELECT matches, last_game, ratings FROM rating_history WHERE tournament_id = ? "
        "ORDER BY matches DESC LIMIT 1"
    )
    row = db.execute(query, [tournament_id]).fetchone()
    if row is None:
        return 0, None
    with undamaged(f"row {row[0]!r} of rating_history"):
        points = [_known(values) for values in _POINT.iter_unpack(row[2])]
        return len(_times(db, tournament_id)), Snapshot(int(row[0]), int(row[1]), points)


def history_of(
    db: sqlite_utils.Database, tournament_id: int, places: Sequence[int]
) -> list[tuple[int, list[RatingPoint | None]]]:
    """After how many matches these entrants, by order of entering, were rated how."""
    query = "SELECT matches, ratings FROM rating_history WHERE tournament_id = ? ORDER BY matches"
    with undamaged("a row of rating_history"):
        return [
            (int(matches), [_point(data, place) for place in places])
            for matches, data in db.execute(query, [tournament_id])
        ]


def _packed(points: Sequence[RatingPoint]) -> bytes:
    """Three numbers an entrant, so that a thousand of them at 200 times take 2 MB."""
    return b"".join(
        _POINT.pack(*(math.nan if value is None else value for value in point)) for point in points
    )


def _point(data: bytes, place: int) -> RatingPoint | None:
    start = place * _POINT.size
    return _known(_POINT.unpack_from(data, start)) if start < len(data) else None


def _known(values: Sequence[float]) -> RatingPoint:
    return RatingPoint(*(None if math.isnan(value) else value for value in values))
