"""Queries about what has changed, for pages that are open."""

from __future__ import annotations

from arena.store.connection import LARGEST, Connection
from arena.store.events import Event, EventKind
from arena.store.values import tuples


class EventQueries(Connection):
    """What has changed."""

    def data_version(self) -> int:
        """A number that is another one after somebody else has written to the database."""
        return int(self._db.execute("PRAGMA data_version").fetchone()[0])

    def latest_event(self) -> int:
        """The id of the latest event; 0 before the first."""
        query = "SELECT coalesce(max(id), 0) FROM events"
        return int(self._db.execute(query).fetchone()[0])

    def events_since(self, event_id: int, most: int) -> list[Event] | None:
        """The events after that one, in order.

        None where that cannot be told: there are more than `most`, some of them were removed, or
        there never was such an event.
        """
        (first,) = self._db.execute("SELECT coalesce(min(id), 1) FROM events").fetchone()
        if not first - 1 <= event_id <= self.latest_event():
            return None
        query = "SELECT id, topic, kind, number FROM events WHERE id > ? ORDER BY id LIMIT ?"
        rows = self._db.execute(query, [min(event_id, LARGEST), most + 1]).fetchall()
        if len(rows) > most:
            return None
        return [Event(*row) for row in tuples(tuple[int, str, EventKind, int], rows, "events")]
