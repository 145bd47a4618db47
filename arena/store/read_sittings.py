"""Queries about visitors who play bots, and about whom they may choose."""

from __future__ import annotations

import msgspec

from arena.errors import UsageError
from arena.store.connection import LARGEST, Connection
from arena.store.sittings import SITTING_COLUMNS, Sitting, sitting_of_row
from arena.store.values import value

_MOST_NAMES = 500


class TableRow(msgspec.Struct, frozen=True, kw_only=True):
    """A visitor at a table, for everybody."""

    id: int
    bots: list[str]
    """Who else sits there; the last takes the seats that are left."""
    rules: str
    """The preset."""
    started: str


class SittingQueries(Connection):
    """What is known of sittings."""

    def sitting(self, sitting_id: int, visitor: str) -> Sitting:
        """A sitting of the visitor whose key has that hash. Raises `UsageError`."""
        query = f"SELECT {SITTING_COLUMNS} FROM sittings WHERE id = ? AND visitor = ?"
        for row in self._db.query(query, [min(sitting_id, LARGEST), visitor]):
            return sitting_of_row(row)
        raise UsageError(f"{self.path}: no seat of yours at table {sitting_id}")

    def sitting_of(self, visitor: str) -> int | None:
        """The number of the sitting that this visitor has not ended; None: there is none."""
        query = "SELECT id FROM sittings WHERE visitor = ? AND finished IS NULL"
        row = self._db.execute(query, [visitor]).fetchone()
        return None if row is None else int(row[0])

    def game_of_sitting(self, sitting_id: int) -> str | None:
        """The game of a sitting, once it is over; None: there is none to be shown."""
        query = "SELECT game FROM sittings WHERE id = ?"
        row = self._db.execute(query, [min(sitting_id, LARGEST)]).fetchone()
        return None if row is None else row[0]

    def tables(self) -> list[TableRow]:
        """The sittings that are not over, with what everybody may know of them."""
        query = (
            "SELECT id, bots, rules, created AS started FROM sittings WHERE finished IS NULL "
            "ORDER BY id"
        )
        return [value(TableRow, row, "sittings", "bots") for row in self._db.query(query)]

    def submitted_names(self) -> list[str]:
        """The names of submitted bots that have a version which is not retired."""
        query = "SELECT DISTINCT name FROM submissions WHERE retired IS NULL ORDER BY name LIMIT ?"
        return [str(row[0]) for row in self._db.execute(query, [_MOST_NAMES])]
