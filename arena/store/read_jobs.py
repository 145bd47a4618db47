"""Queries about bots that were handed in from elsewhere."""

from __future__ import annotations

from arena.errors import UsageError
from arena.store.connection import Connection
from arena.store.jobs import JOB_COLUMNS, KEPT_DAYS, Job, job_of_row


class JobQueries(Connection):
    """What is known of jobs."""

    def job(self, key: str) -> Job:
        """The job of that key. Raises `UsageError`."""
        for row in self._db.query(f"SELECT {JOB_COLUMNS} FROM jobs WHERE key = ?", [key]):
            return job_of_row(row)
        raise UsageError(f"{self.path}: no such submission in it; they are kept {KEPT_DAYS} days")

    def jobs_before(self, job_id: int) -> int:
        """How many jobs are to be done before that one."""
        query = "SELECT count(*) FROM jobs WHERE finished IS NULL AND id < ?"
        return int(self._db.execute(query, [job_id]).fetchone()[0])
