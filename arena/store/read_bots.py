"""Queries about bots: submitted versions, and where they played."""

from __future__ import annotations

import msgspec

from arena.bots import BotFiles
from arena.errors import UsageError
from arena.store.connection import Connection
from arena.store.submissions import (
    Submission,
    files_of,
    known_submission,
    submissions,
    versions,
)


class AppearanceRow(msgspec.Struct, frozen=True, kw_only=True):
    """One tournament that a bot is entered in, and what it made of its complete matches."""

    tournament_id: int
    tournament: str
    kind: str
    label: str
    games: int
    wins: int
    draws: int
    losses: int
    faults: int
    forfeits: int


class BotQueries(Connection):
    """What is known of bots."""

    def submissions(self) -> list[Submission]:
        """All versions of all submitted bots, by name, the newest first."""
        return submissions(self._db)

    def submission(self, name: str, version: str | None = None) -> Submission:
        """That version of a submitted bot, retired or not; None: the newest not retired, if any.

        Raises `UsageError`.
        """
        found = versions(self._db, name, version)
        if not found:
            known = dict.fromkeys(row.name for row in submissions(self._db))
            asked = f"{name}@{version}" if version else name
            raise UsageError(
                f"{self.path}: no submitted bot {asked!r} in it; it has "
                f"{', '.join(known) or 'none'}"
            )
        return next((row for row in found if not row.retired), found[0])

    def known_submission(self, bot: BotFiles) -> Submission | None:
        """See the function of that name."""
        return known_submission(self._db, bot)

    def entered(self, name: str, version: str | None, tournament: str | None) -> BotFiles | None:
        """The files of the newest version that may be entered by name; None if there is none.

        A retired one may in a tournament of that name that it is in already, to go on with it.
        """
        for row in versions(self._db, name, version):
            if not row.retired or self._plays_in(row.hash, tournament):
                return files_of(self._db, row.hash)
        return None

    def _plays_in(self, digest: str, tournament: str | None) -> bool:
        return any(row.tournament == tournament for row in self.appearances(digest))

    def bot_files(self, digest: str) -> BotFiles:
        """The files of a bot that the database has, by their hash."""
        return files_of(self._db, digest)

    def appearances(self, digest: str) -> list[AppearanceRow]:
        """The tournaments that a bot of this hash is entered in, the latest first."""
        query = """
            SELECT tournaments.id AS tournament_id, tournaments.name AS tournament, kind,
                   entrants.label, coalesce(games, 0) AS games, coalesce(wins, 0) AS wins,
                   coalesce(draws, 0) AS draws, coalesce(losses, 0) AS losses,
                   coalesce(faults, 0) AS faults, coalesce(forfeits, 0) AS forfeits
            FROM entrants JOIN tournaments ON tournaments.id = entrants.tournament_id
            LEFT JOIN totals ON totals.tournament_id = entrants.tournament_id
                            AND totals.label = entrants.label
            WHERE bot_hash = ? ORDER BY tournaments.id DESC, place
        """
        return [AppearanceRow(**row) for row in self._db.query(query, [digest])]

    def thinking_us(self, digest: str) -> float | None:
        """The mean time of a play of a bot of this hash, in all tournaments; None: no plays."""
        query = (
            "SELECT sum(elapsed_us) * 1.0 / sum(plays) FROM totals JOIN entrants "
            "USING (tournament_id, label) WHERE bot_hash = ?"
        )
        (mean,) = self._db.execute(query, [digest]).fetchone()
        return None if mean is None else float(mean)
