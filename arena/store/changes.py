"""Looks again and again whether a database has new events; for whoever tells open pages."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from arena.errors import ArenaError
from arena.store.events import Event
from arena.store.reader import Reader

_MOST = 1_000
"""Events between two looks; of more it is told only that there were many."""


class Changes:
    """The events of a database as they come, for as long as the file is there.

    Of writing by other processes SQLite tells only those who ask; that costs some microseconds.
    """

    def __init__(self, database: Path) -> None:
        self.latest = 0
        """The id of the last event that was seen."""
        self._database = database
        self._reader: Reader | None = None
        self._file: tuple[int, int] | None = None
        self._version = -1

    def look(self) -> list[Event] | None:
        """The events since the last look; none where the database can't be read now.

        None where all may be different: at the first look at a file, and after too many events.
        """
        try:
            if self._is_same_file():
                return self._events()
            self._open()
            return None
        except (ArenaError, sqlite3.Error):
            # Not there yet, or moved away, or in trouble that its pages tell of.
            self.close()
            return []

    def _is_same_file(self) -> bool:
        return self._reader is not None and self._file == _file_id(self._database)

    def _open(self) -> None:
        self.close()
        file = _file_id(self._database)
        self._reader = Reader(self._database)
        self._version = self._reader.data_version()
        self.latest = self._reader.latest_event()
        self._file = file

    def _events(self) -> list[Event] | None:
        assert self._reader is not None
        version = self._reader.data_version()
        if version == self._version:
            return []
        found = self._reader.events_since(self.latest, _MOST)
        self.latest = self._reader.latest_event() if found is None else self._last(found)
        self._version = version
        return found

    def _last(self, events: list[Event]) -> int:
        return events[-1].id if events else self.latest

    def close(self) -> None:
        """Let go of the file; the next look opens it again."""
        if self._reader:
            self._reader.close()
        self._reader = self._file = None


def _file_id(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino
