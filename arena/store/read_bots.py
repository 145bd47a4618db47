"""Queries about bots: submitted versions, and where they played."""

from __future__ import annotations

import msgspec

from arena.bots import BotFiles, NotEntered
from arena.errors import UsageError
from arena.store.connection import LARGEST, Connection
from arena.store.submissions import (
    Submission,
    known_submission,
    submissions,
    versions,
)
from arena.store.tournaments import files_of, readable_or_not
from arena.store.values import tuples, value

_MOST_NAMED = 10
"""Versions of a bot that are named where another one was asked for."""


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


class BotRow(msgspec.Struct, frozen=True, kw_only=True):
    """All versions of a bot together, and what they made of their complete matches."""

    name: str
    versions: int
    tournaments: int
    games: int
    wins: int
    draws: int
    losses: int
    faults: int
    forfeits: int
    """Games that it forfeited; they are among its losses."""


class VersionRow(msgspec.Struct, frozen=True, kw_only=True):
    """One version of a bot: files that played or were handed in."""

    name: str
    version: str
    hash: str
    """SHA-256 over its files, in hex."""
    submitted: str | None
    """When it was handed in; null: it was only ever entered from files."""
    retired: str | None
    """Since when it can no longer be entered by name."""
    tournaments: int
    games: int
    """In complete matches, as all that follows."""
    wins: int
    draws: int
    losses: int
    faults: int
    forfeits: int
    ms_a_play: float | None
    """The mean time of a play; null where it made none."""


class EntryRow(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of a bot in a tournament, and what it made of its complete matches there."""

    id: int
    """Rises in the order of entering; lists are paged by it."""
    tournament_id: int
    tournament: str
    kind: str
    rules: str
    finished: str | None
    label: str
    """Its name in this tournament, which no other entrant has."""
    version: str
    hash: str
    departure: str | None
    """How it left the tournament, if it did."""
    games: int
    wins: int
    draws: int
    losses: int
    faults: int
    forfeits: int


_COUNTS = ", ".join(
    f"coalesce(sum(totals.{name}), 0) AS {name}"
    for name in ("games", "wins", "draws", "losses", "faults", "forfeits")
)
# Games with visitors are no measure of a bot, and anybody can begin many.
_WITH_TOTALS = """
    FROM bots LEFT JOIN entrants ON entrants.bot_hash = bots.hash
                      AND entrants.tournament_id NOT IN (
                          SELECT id FROM tournaments WHERE kind = 'person')
    LEFT JOIN totals ON totals.tournament_id = entrants.tournament_id
                    AND totals.label = entrants.label
"""
_ENTRIES = f"""
    SELECT entrants.rowid AS id, tournaments.id AS tournament_id, tournaments.name AS tournament,
           kind, json_extract(rules, '$.preset') AS rules, finished, entrants.label,
           bots.version, bots.hash, departure, {_COUNTS}
    {_WITH_TOTALS} JOIN tournaments ON tournaments.id = entrants.tournament_id
"""


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

    def hashes_of_token(self, token_id: int) -> set[str]:
        """The hashes of all bots that were submitted with a token."""
        query = "SELECT bot_hash FROM submissions WHERE token_id = ?"
        return {str(row[0]) for row in self._db.execute(query, [token_id])}

    def entered(self, name: str, version: str | None, tournament: str | None) -> BotFiles | None:
        """The files of the newest version that may be entered by name; None if there is none.

        A retired one may in a tournament of that name that it is in already, to go on with it.
        There one that can't be read any more is `Unreadable`; elsewhere that raises `UsageError`.
        """
        for row in versions(self._db, name, version):
            if tournament is not None and self._plays_in(row.hash, tournament):
                return readable_or_not(self._db, row.hash)
            if not row.retired:
                return files_of(self._db, row.hash)
        return None

    def why_not_entered(self, name: str, version: str | None) -> NotEntered | None:
        """Why there is no such version that may be entered; None where no bot has that name."""
        query = "SELECT version, retired FROM submissions WHERE name = ? ORDER BY id DESC"
        rows = self._db.execute(query, [name])
        known = dict(tuples(tuple[str, str | None], rows, "submissions"))
        if not known:
            return None
        asked = next(iter(known)) if version is None else version
        if asked in known:
            return NotEntered("retired", retired=f"{name}@{asked}")
        there = [f"{each}{' (retired)' if retired else ''}" for each, retired in known.items()]
        more = len(there) - _MOST_NAMED
        text = ", ".join(there[:_MOST_NAMED]) + (f" and {more} older ones" if more > 0 else "")
        return NotEntered(f"that version was not submitted; there are: {text}")

    def _plays_in(self, digest: str, tournament: str) -> bool:
        query = (
            "SELECT EXISTS (SELECT 1 FROM entrants JOIN tournaments ON id = tournament_id "
            "WHERE bot_hash = ? AND name = ?)"
        )
        return bool(self._db.execute(query, [digest, tournament]).fetchone()[0])

    def bots(self, *, after: str = "", begins: str = "", limit: int = 50) -> list[BotRow]:
        """Bots by name: so many of those whose names begin so and come after that one."""
        query = f"""
            SELECT bots.name, count(DISTINCT bots.hash) AS versions,
                   count(DISTINCT entrants.tournament_id) AS tournaments, {_COUNTS} {_WITH_TOTALS}
            WHERE bots.name IN (
                SELECT DISTINCT name FROM bots WHERE name > :after
                AND substr(name, 1, length(:begins)) = :begins ORDER BY name LIMIT :limit)
            GROUP BY bots.name ORDER BY bots.name
        """
        values = {"after": after, "begins": begins, "limit": limit}
        return [value(BotRow, row, "bots", key="name") for row in self._db.query(query, values)]

    def bot_versions(self, name: str, limit: int = 50) -> list[VersionRow]:
        """The versions of a bot, the newest first, at most `limit` of them.

        Raises `UsageError` where there is none.
        """
        query = f"""
            SELECT bots.name, bots.version, bots.hash, submitted, retired,
                   count(DISTINCT entrants.tournament_id) AS tournaments, {_COUNTS},
                   sum(elapsed_us) / 1000.0 / nullif(sum(plays), 0) AS ms_a_play
            {_WITH_TOTALS} LEFT JOIN submissions ON submissions.bot_hash = bots.hash
            WHERE bots.name = ? GROUP BY bots.hash ORDER BY bots.rowid DESC LIMIT ?
        """
        rows = self._db.query(query, [name, limit])
        found = [value(VersionRow, row, "bots", key="hash") for row in rows]
        if not found:
            raise UsageError(f"{self.path}: no bot {name!r} in it")
        return found

    def entries(
        self, name: str, *, before: int | None = None, limit: int | None = None
    ) -> list[EntryRow]:
        """The entries of a bot in tournaments, the latest first: so many with smaller numbers."""
        query = (
            f"{_ENTRIES} WHERE bots.name = ? AND entrants.rowid < ? GROUP BY entrants.rowid "
            "ORDER BY entrants.rowid DESC LIMIT ?"
        )
        values = [name, LARGEST if before is None else before, -1 if limit is None else limit]
        return [value(EntryRow, row, "entrants") for row in self._db.query(query, values)]

    def entry(self, tournament_id: int, label: str) -> tuple[str, EntryRow]:
        """An entrant of a tournament: the name of the bot, and its entry. Raises `UsageError`."""
        query = (
            f"{_ENTRIES.replace('SELECT', 'SELECT bots.name AS bot,', 1)} "
            "WHERE entrants.tournament_id = ? AND entrants.label = ? GROUP BY entrants.rowid"
        )
        for row in self._db.query(query, [min(tournament_id, LARGEST), label]):
            return str(row["bot"]), value(EntryRow, row, "entrants")
        raise UsageError(f"{self.path}: no entrant {label!r} in tournament {tournament_id}")

    def bot_name(self, digest: str) -> str:
        """What the bot of these files is called; empty where there is none."""
        found = self._db.execute("SELECT name FROM bots WHERE hash = ?", [digest]).fetchone()
        return str(found[0]) if found else ""

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
        rows = self._db.query(query, [digest])
        return [value(AppearanceRow, row, "entrants", key="label") for row in rows]

    def thinking_us(self, digest: str) -> float | None:
        """The mean time of a play of a bot of this hash, in all tournaments; None: no plays."""
        query = (
            "SELECT sum(elapsed_us) * 1.0 / sum(plays) FROM totals JOIN entrants "
            "USING (tournament_id, label) WHERE bot_hash = ?"
        )
        (mean,) = self._db.execute(query, [digest]).fetchone()
        return None if mean is None else float(mean)
