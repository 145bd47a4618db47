"""Tokens: who may hand in bots from elsewhere, how often, and whose bots are whose."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

import msgspec
import sqlite_utils

from arena.errors import UsageError
from arena.store.connection import Connection
from arena.store.tournaments import now_text
from arena.store.values import value

_SECRET_BYTES = 32
_FORM = re.compile(r"kseri_[0-9A-Za-z_-]{43}")
MOST_NAME_CHARS = 60


class Token(msgspec.Struct, frozen=True, kw_only=True):
    """One token, without its secret."""

    id: int
    name: str
    """Whom it was given to, as the organiser calls them."""
    quota: int
    """Submissions in 24 hours."""
    most_bots: int
    """Different bots in all; versions of one bot are one."""
    created: str
    revoked: str | None
    submissions: int
    """In the last 24 hours, but for those that the arena failed."""
    bots: list[str]
    """The names that are its own: it was the first to submit them."""


_TOKENS = """
    SELECT id, name, quota, most_bots, created, revoked, hash,
           (SELECT count(*) FROM jobs WHERE token_id = tokens.id AND state != 'failed'
            AND created > strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-1 day')) AS submissions,
           (SELECT json_group_array(DISTINCT name) FROM submissions
            WHERE token_id = tokens.id) AS bots
    FROM tokens
"""


def new_token(db: sqlite_utils.Database, name: str, quota: int, most_bots: int) -> str:
    """Make a token and return its secret, which is kept nowhere.

    One that was revoked is given a new secret, and has its bots again. Raises `UsageError`.
    """
    if not (name.isprintable() and name.strip() == name and 1 <= len(name) <= MOST_NAME_CHARS):
        raise UsageError(
            f"{name!r}: expected a name of 1 to {MOST_NAME_CHARS} characters on one line"
        )
    secret = f"kseri_{secrets.token_urlsafe(_SECRET_BYTES)}"
    with db.atomic():
        before = _by_name(db, name)
        if before and not before.revoked:
            raise UsageError(
                f"there is a token {name!r} already; revoke it to give it a new secret"
            )
        db.execute(
            "INSERT INTO tokens (name, hash, quota, most_bots, created) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT (name) DO UPDATE SET hash = excluded.hash, quota = excluded.quota, "
            "most_bots = excluded.most_bots, created = excluded.created, revoked = NULL",
            [name, _hash(secret), quota, most_bots, now_text()],
        )
    return secret


def revoke_token(db: sqlite_utils.Database, name: str) -> bool:
    """Let nothing more be submitted with a token; False where that was so before.

    Its bots stay its own. Raises `UsageError`.
    """
    with db.atomic():
        found = _by_name(db, name)
        if found is None:
            known = ", ".join(repr(token.name) for token in tokens(db))
            raise UsageError(f"no token {name!r}; there are {known or 'none'}")
        db.execute(
            "UPDATE tokens SET revoked = ? WHERE id = ? AND revoked IS NULL",
            [now_text(), found.id],
        )
    return found.revoked is None


def tokens(db: sqlite_utils.Database) -> list[Token]:
    """All tokens, in the order in which they were first made."""
    return [_token(row) for row in db.query(f"{_TOKENS} ORDER BY id")]


def token_of(db: sqlite_utils.Database, secret: str) -> Token | None:
    """The token with that secret, from a stranger; None where there is none or it is revoked."""
    if not _FORM.fullmatch(secret):
        return None
    wanted = _hash(secret)
    for row in db.query(f"{_TOKENS} WHERE hash = ? AND revoked IS NULL", [wanted]):
        if hmac.compare_digest(row["hash"], wanted):
            return _token(row)
    return None


def token_by_id(db: sqlite_utils.Database, token_id: int) -> Token:
    """The token of that number, which is there."""
    [row] = db.query(f"{_TOKENS} WHERE id = ?", [token_id])
    return _token(row)


def refuse_strangers_bot(db: sqlite_utils.Database, name: str, token_id: int) -> None:
    """Raise `UsageError` where a token may not submit a bot of this name.

    A name belongs to whoever submitted it first; one that was first submitted at the command line
    is the organiser's.
    """
    query = "SELECT token_id FROM submissions WHERE name = ? ORDER BY id LIMIT 1"
    first = db.execute(query, [name]).fetchone()
    if first and first[0] != token_id:
        raise UsageError(f"the name {name!r} is somebody else's bot's: choose another name")
    token = token_by_id(db, token_id)
    if first is None and len(token.bots) >= token.most_bots:
        raise UsageError(
            f"this token has {len(token.bots)} bots ({', '.join(token.bots)}), as many as it may: "
            "submit a new version of one of them"
        )


class TokenQueries(Connection):
    """What is known of tokens."""

    def tokens(self) -> list[Token]:
        """All tokens, in the order in which they were first made."""
        return tokens(self._db)

    def token_of(self, secret: str) -> Token | None:
        """See the function of that name."""
        return token_of(self._db, secret)

    def refuse_strangers_bot(self, name: str, token_id: int) -> None:
        """See the function of that name."""
        refuse_strangers_bot(self._db, name, token_id)


def _by_name(db: sqlite_utils.Database, name: str) -> Token | None:
    for row in db.query(f"{_TOKENS} WHERE name = ?", [name]):
        return _token(row)
    return None


def _token(row: dict[str, object]) -> Token:
    return value(Token, row, "tokens", "bots")


def _hash(secret: str) -> str:
    """A secret of 256 random bits needs neither salt nor a slow hash."""
    return hashlib.sha256(secret.encode()).hexdigest()
