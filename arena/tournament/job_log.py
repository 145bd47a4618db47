"""What comes of a job, noted in the database while it goes on.

By a thread of its own: a check measures how fast a bot answers, and must not wait for the disk.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Self

from arena.errors import ArenaError
from arena.store import JobStep, put_job, writing
from protocol.check import CheckStep

_SECONDS = 0.2
"""Not more often is it noted how far a job is."""
_QUOTED_CHARS = 400
_NEXT = {"Read": "build", "Built": "check", "Checked": "store", "Stored": "enter"}
"""What is done after a step."""


class JobLog:
    """The steps of a job that runs; as a context manager it notes them. A `Watch` of its check."""

    def __init__(self, database: Path, job_id: int) -> None:
        self.steps: list[JobStep] = []
        self.doing = ""
        """What is being done."""
        self._database, self._id = database, job_id
        self._trying = ""
        self._changed = threading.Event()
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._note, name="job log", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._changed.set()
        self._thread.join()

    def begin(self, name: str) -> None:
        """A step of the check begins."""
        self._trying = f"trying: {name}"
        self.show(self._trying)

    def goes_on(self, text: str) -> None:
        """How far the step of the check is."""
        self.show(f"{self._trying}: {text}")

    def done(self, step: CheckStep) -> None:
        """A step of the check is over."""
        text = step.meaning
        if step.verdict == "failed" and not step.diagnosis:
            text = f"{text}; sent: {_quoted(step.sent)}; got: {_quoted(step.received)}"
        diagnosis = step.diagnosis if step.verdict == "failed" else None
        self.add(JobStep(name=step.name, verdict=step.verdict, text=text, diagnosis=diagnosis))

    def show(self, doing: str) -> None:
        """Say what is being done now."""
        self.doing = doing
        self._changed.set()

    def say(self, line: str) -> None:
        """Add a step that went well, from a line such as `Built: nothing to build.`"""
        name, _, text = line.partition(": ")
        self.doing = _NEXT.get(name, self.doing)
        self.add(JobStep(name=name, verdict="ok", text=text))

    def add(self, step: JobStep) -> None:
        """Add a step that is over."""
        self.steps.append(step)
        self._changed.set()

    def _note(self) -> None:
        try:
            with writing(self._database, new=False) as db:
                while self._changed.wait() and not self._is_over.is_set():
                    self._changed.clear()
                    put_job(db, self._id, self.doing, list(self.steps))
                    self._is_over.wait(_SECONDS)
        except ArenaError:
            # Whoever closes the job finds the same trouble, and tells it.
            return


def _quoted(text: str) -> str:
    return text if len(text) <= _QUOTED_CHARS else text[:_QUOTED_CHARS] + "…"
