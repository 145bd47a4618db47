"""Queries about what visitors let other bots go on with."""

from __future__ import annotations

from arena.errors import UsageError
from arena.store.connection import Connection
from arena.store.what_ifs import WHAT_IF_COLUMNS, WhatIfRow, what_if_of_row

_MOST_NAMES = 500


class WhatIfQueries(Connection):
    """What is known of what ifs."""

    def what_if(self, key: str) -> WhatIfRow:
        """The one of that key. Raises `UsageError`."""
        query = f"SELECT {WHAT_IF_COLUMNS} FROM what_ifs WHERE key = ?"
        for row in self._db.query(query, [key]):
            return what_if_of_row(row)
        raise UsageError(f"{self.path}: no such what if in it; only the latest are kept")

    def what_ifs_before(self, number: int) -> int:
        """How many are to be played before that one."""
        query = "SELECT count(*) FROM what_ifs WHERE finished IS NULL AND id < ?"
        return int(self._db.execute(query, [number]).fetchone()[0])

    def submitted_for(self, preset: str) -> list[str]:
        """The names of submitted bots with a version in use that says it plays a rule set."""
        query = """
            SELECT DISTINCT submissions.name FROM submissions JOIN bots ON hash = bot_hash
            WHERE retired IS NULL AND (json_extract(manifest, '$.rules') IS NULL
                OR ? IN (SELECT value FROM json_each(manifest, '$.rules')))
            ORDER BY submissions.name LIMIT ?
        """
        return [str(row[0]) for row in self._db.execute(query, [preset, _MOST_NAMES])]
