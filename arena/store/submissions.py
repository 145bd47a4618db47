"""Submitted bots: every version of every one is kept as it was handed in."""

from __future__ import annotations

import msgspec
import sqlite_utils

from arena.bots import BotFiles
from arena.errors import UsageError
from arena.store.events import note_event
from arena.store.tokens import refuse_strangers_bot
from arena.store.tournaments import keep_bot, now_text
from arena.store.values import value


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """One version of a submitted bot."""

    id: int
    """Rises in the order of submitting: the newest version has the largest."""
    name: str
    version: str
    hash: str
    """SHA-256 over its files, in hex."""
    submitted: str
    retired: str | None
    """Since when it can no longer be entered by name."""
    games: int
    """Its games in complete matches."""

    @property
    def reference(self) -> str:
        """What names this version."""
        return f"{self.name}@{self.version}"


_SUBMISSIONS = """
    SELECT submissions.id, submissions.name, submissions.version, bot_hash AS hash, submitted,
           retired,
           coalesce((SELECT sum(games) FROM entrants JOIN totals USING (tournament_id, label)
                     WHERE entrants.bot_hash = submissions.bot_hash), 0) AS games
    FROM submissions
"""


def submissions(db: sqlite_utils.Database) -> list[Submission]:
    """All versions of all submitted bots, by name, the newest first."""
    query = f"{_SUBMISSIONS} ORDER BY submissions.name, submissions.id DESC"
    return [value(Submission, row, "submissions") for row in db.query(query)]


def versions(db: sqlite_utils.Database, name: str, version: str | None = None) -> list[Submission]:
    """The versions of one bot, or the one asked for; the newest first."""
    query = f"""{_SUBMISSIONS} WHERE submissions.name = :name
        AND (:version IS NULL OR submissions.version = :version) ORDER BY submissions.id DESC"""
    values = {"name": name, "version": version}
    return [value(Submission, row, "submissions") for row in db.query(query, values)]


def known_submission(db: sqlite_utils.Database, bot: BotFiles) -> Submission | None:
    """The version that these very files were submitted as; None for a new version.

    Raises `UsageError` where other files have that name and version.
    """
    manifest = bot.manifest
    for known in versions(db, manifest.name, manifest.version):
        if known.hash != bot.hash:
            raise UsageError(
                f"{known.reference} was submitted {known.submitted} with other files (hash "
                f"{known.hash[:12]}…, these have {bot.hash[:12]}…): raise the version, by "
                "`version` in bot.toml or, for a single file, by --version"
            )
        return known
    return None


def keep_submission(db: sqlite_utils.Database, bot: BotFiles, token_id: int | None = None) -> None:
    """Enter a new version, in a transaction of the caller's in which it is known to be new.

    `token_id`: of the token that it is handed in with; None: by the organiser. Raises `UsageError`
    where the name is somebody else's.
    """
    if token_id is not None:
        refuse_strangers_bot(db, bot.manifest.name, token_id)
    keep_bot(db, bot)
    cursor = db.execute(
        "INSERT INTO submissions (name, version, bot_hash, submitted, token_id) "
        "VALUES (?, ?, ?, ?, ?)",
        [bot.manifest.name, bot.manifest.version, bot.hash, now_text(), token_id],
    )
    note_event(db, "bots", "submitted", int(cursor.lastrowid or 0))


def retire(db: sqlite_utils.Database, found: list[Submission]) -> None:
    """Let these versions be entered by name no longer; all else of them stays."""
    with db.atomic():
        db.conn.executemany(
            "UPDATE submissions SET retired = ? WHERE id = ? AND retired IS NULL",
            [(now_text(), submission.id) for submission in found],
        )


def unretire(db: sqlite_utils.Database, submission: Submission) -> None:
    """Let a version that was retired be entered by name again."""
    with db.atomic():
        db.execute("UPDATE submissions SET retired = NULL WHERE id = ?", [submission.id])
