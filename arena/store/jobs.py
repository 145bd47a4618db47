"""Jobs: bots that were handed in from elsewhere, waiting for whoever takes them in."""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import msgspec
import sqlite_utils

from arena.errors import Trouble, UsageError
from arena.store.events import note_event
from arena.store.schema import undisturbed
from arena.store.tokens import Token, token_by_id
from arena.store.tournaments import now_text
from arena.store.values import value
from protocol.check import Diagnosis

MOST_UPLOAD_BYTES = 16 * 1024 * 1024
"""One bot that is handed in from elsewhere."""
MOST_WAITING = 32
"""Jobs that wait at a time, of all tokens together."""
MOST_TRIES = 3
"""How often a job may be begun: whatever ended the arena may be this bot's doing."""
KEPT_DAYS = 90
"""How long a job can be looked at when it is over."""
_DAY_S = 24 * 60 * 60
_SOON_S = 60

JobState = Literal["waiting", "running", "accepted", "refused", "failed"]
"""`refused`: for its author to mend; `failed`: for the arena's fault, to be handed in again."""
StepVerdict = Literal["ok", "warning", "failed", "skipped"]


class JobStep(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One step of a job that is over."""

    name: str
    verdict: StepVerdict
    text: str
    """What came of it; for one that failed, what to mend."""
    output: str = ""
    """The end of what a build printed that failed."""
    diagnosis: Diagnosis | None = None
    """Of the fault that ended a step of the check."""


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """One bot that was handed in, and how far it is."""

    id: int
    key: str
    """Names its page; only who handed it in knows it."""
    token_id: int
    file: str
    """The name of the file that was handed in."""
    version: str | None
    """Of a single file, where its author said so."""
    state: JobState
    doing: str
    """What is being done with it."""
    bot: str | None
    """Name and version, once it is read."""
    tournament_id: int | None
    """The league that it is entered in."""
    label: str | None
    """As what it is entered there."""
    steps: list[JobStep]
    """In the order in which they were taken."""
    created: str
    started: str | None
    finished: str | None

    @property
    def is_over(self) -> bool:
        """Whether nothing more comes of it."""
        return self.finished is not None


class NotNow(UsageError):
    """What can't be done now: a token's quota is used, or too many wait already."""

    def __init__(self, text: str, retry_s: int) -> None:
        super().__init__(text)
        self.retry_s = retry_s
        """When to try again, in seconds."""


JOB_COLUMNS = ", ".join(Job.__struct_fields__)


def of_job(job_id: int) -> str:
    """The topic of a job's events."""
    return f"job:{job_id}"


def add_job(
    db: sqlite_utils.Database, token: Token, file: str, version: str | None, upload: bytes
) -> Job:
    """Let a bot wait to be taken in. Raises `NotNow`, and `UsageError` for a revoked token."""
    with undisturbed(db):
        _refuse(db, token_by_id(db, token.id))
        _forget_old(db)
        cursor = db.execute(
            "INSERT INTO jobs (key, token_id, file, version, upload, state, created) "
            "VALUES (?, ?, ?, ?, ?, 'waiting', ?)",
            [secrets.token_hex(16), token.id, file, version, upload, now_text()],
        )
        number = int(cursor.lastrowid or 0)
        note_event(db, of_job(number), "job")
        return _job(db, number)


def _refuse(db: sqlite_utils.Database, token: Token) -> None:
    if token.revoked:
        raise UsageError(f"the token was revoked {token.revoked}")
    query = "SELECT count(*), coalesce(sum(token_id = ?), 0) FROM jobs WHERE finished IS NULL"
    waiting, own = db.execute(query, [token.id]).fetchone()
    if own:
        raise NotNow("the submission before is not over yet: one at a time", _SOON_S)
    if token.submissions >= token.quota:
        raise NotNow(
            f"{token.submissions} submissions in the last 24 hours, as many as this token may",
            _DAY_S // token.quota,
        )
    if waiting >= MOST_WAITING:
        raise NotNow(f"{waiting} submissions are waiting, as many as may: try later", _SOON_S)


def _forget_old(db: sqlite_utils.Database) -> None:
    db.execute(
        "DELETE FROM jobs WHERE finished < strftime('%Y-%m-%dT%H:%M:%SZ', 'now', ?)",
        [f"-{KEPT_DAYS} days"],
    )


def take_job(db: sqlite_utils.Database) -> tuple[Job, bytes] | None:
    """Begin with the job that has waited longest: itself, and what was handed in."""
    with undisturbed(db):
        query = "SELECT id, upload FROM jobs WHERE state = 'waiting' ORDER BY id LIMIT 1"
        found = db.execute(query).fetchone()
        if found is None:
            return None
        db.execute(
            "UPDATE jobs SET state = 'running', started = ?, tries = tries + 1, steps = '[]' "
            "WHERE id = ?",
            [now_text(), found[0]],
        )
        note_event(db, of_job(found[0]), "job")
        return _job(db, found[0]), bytes(found[1])


def put_job(
    db: sqlite_utils.Database, job_id: int, doing: str, steps: Sequence[JobStep], **changed: Any
) -> None:
    """Note how far a job is; `changed`: other columns of it."""
    values = changed | {"doing": doing, "steps": msgspec.json.encode(list(steps)).decode()}
    names = ", ".join(f"{name} = :{name}" for name in values)
    with db.atomic():
        db.execute(f"UPDATE jobs SET {names} WHERE id = :id", values | {"id": job_id})
        note_event(db, of_job(job_id), "job", len(steps))


def finish_job(
    db: sqlite_utils.Database,
    job_id: int,
    state: JobState,
    steps: Sequence[JobStep],
    **changed: Any,
) -> None:
    """Close a job; what was handed in is removed, for a bot that was accepted stands elsewhere."""
    put_job(
        db, job_id, "", steps, state=state, upload=None, finished=now_text(), **changed
    )  # fmt: skip


def interrupt_job(db: sqlite_utils.Database, job_id: int) -> None:
    """Let a job wait again whose run was stopped; that is no try that failed."""
    with db.atomic():
        db.execute("UPDATE jobs SET tries = tries - 1 WHERE id = ?", [job_id])
    put_job(db, job_id, "", [], state="waiting")


def put_back(db: sqlite_utils.Database) -> None:
    """Let jobs wait again that were begun and are not over, now that nobody runs them.

    One that was begun too often is given up: it may be what ends the arena.
    """
    why = f"the arena ended {MOST_TRIES} times while it took this bot in"
    given_up = [JobStep(name="Arena", verdict="failed", text=why)]
    query = "SELECT id FROM jobs WHERE state = 'running' AND tries >= ?"
    for (number,) in db.execute(query, [MOST_TRIES]).fetchall():
        finish_job(db, number, "failed", given_up)
    for (number,) in db.execute("SELECT id FROM jobs WHERE state = 'running'").fetchall():
        put_job(db, number, "", [], state="waiting")


def _job(db: sqlite_utils.Database, job_id: int) -> Job:
    [row] = db.query(f"SELECT {JOB_COLUMNS} FROM jobs WHERE id = ?", [job_id])
    return job_of_row(row)


def job_of_row(row: dict[str, Any]) -> Job:
    """A row of `jobs` as a struct."""
    return value(Job, row, "jobs", "steps")


@contextmanager
def running_jobs(database: Path) -> Iterator[None]:
    """Hold the right to run the jobs of a database.

    Raises `Trouble` where another process has it.
    """
    path = database.with_name(database.name + "-jobs")
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise Trouble(f"{path}: {error.strerror}") from error
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Trouble(f"{database}: another process takes in bots already") from None
        yield
    finally:
        os.close(descriptor)
