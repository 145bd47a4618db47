"""Takes in the bots that were handed in from elsewhere: job after job, as they wait.

A process of its own runs this. Whatever a bot does, its job is over at the end; where the process
itself is ended, the job waits again.
"""

from __future__ import annotations

import shlex
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.bots import BotFiles
from arena.errors import ArenaError, UsageError
from arena.store import (
    Database,
    Job,
    JobState,
    JobStep,
    Reader,
    finish_job,
    interrupt_job,
    put_back,
    running_jobs,
    take_job,
    writing,
)
from arena.submission import NotReady, read_handed_in, submit
from arena.tournament.job_log import JobLog
from arena.tournament.versions import enter_submitted, refuse_unfit_for
from protocol.records import Isolation

_LOOK_SECONDS = 0.25
"""How often it is looked whether somebody has handed in a bot."""


@dataclass(frozen=True)
class Intake:
    """How bots that were handed in are taken in."""

    database: Path
    isolation: Isolation
    """Of their builds and checks."""
    league: int | None = None
    """The league that they are entered in, if any."""
    trusted: bool = False
    """Whether a stranger's program may play there without isolation."""
    say: Callable[[str], None] = lambda line: None
    """Takes a line for the organiser about every job that is over."""


def run_jobs(intake: Intake) -> None:
    """Take in bot after bot until interrupted. Raises `Trouble` where another process does so."""
    with running_jobs(intake.database), writing(intake.database, new=False) as db:
        put_back(db)
        with Reader(intake.database) as reader:
            while True:
                before = reader.data_version()
                if not run_next_job(intake, db):
                    # Of another process's writing SQLite tells only those who ask.
                    while reader.data_version() == before:
                        time.sleep(_LOOK_SECONDS)


def run_next_job(intake: Intake, db: Database) -> bool:
    """Run the job that has waited longest; False where none waits."""
    taken = take_job(db)
    if taken is None:
        return False
    job, upload = taken
    try:
        with JobLog(intake.database, job.id) as log:
            state, changed = _Run(intake, job, log).run(upload)
        finish_job(db, job.id, state, log.steps, **changed)
    except BaseException:
        interrupt_job(db, job.id)
        raise
    intake.say(f"{job.file}: {changed.get('bot') or 'no bot'}: {state}")
    return True


class _Run:
    """One job while it runs."""

    def __init__(self, intake: Intake, job: Job, log: JobLog) -> None:
        self._intake, self._job, self._log = intake, job, log
        self._changed: dict[str, Any] = {}

    def run(self, upload: bytes) -> tuple[JobState, dict[str, Any]]:
        """How the job ends, and what of its row changes by that."""
        try:
            state = self._state(upload)
        except BaseExceptionGroup as group:
            # A nursery wraps even the only exception.
            if group.subgroup(KeyboardInterrupt):
                raise KeyboardInterrupt from None
            state = self._failed(group)
        except Exception as error:
            state = self._failed(error)
        return state, self._changed

    def _state(self, upload: bytes) -> JobState:
        try:
            self._take_in(upload)
        except NotReady:
            return "refused"  # by a step of its check, which says why
        except UsageError as error:
            self._fail(self._public(error), error.output)
            return "refused"
        return "accepted"

    def _failed(self, error: BaseException) -> JobState:
        """What is the arena's own trouble is for its organiser to read."""
        if isinstance(error, ArenaError):
            self._intake.say(f"{self._job.file}: {error}")
        else:
            traceback.print_exception(error)
        self._fail("the arena is in trouble, its organiser is told why; hand it in again later")
        return "failed"

    def _fail(self, text: str, output: str = "") -> None:
        name = self._log.doing.capitalize() or "Arena"
        self._log.add(JobStep(name=name, verdict="failed", text=text, output=output))

    def _public(self, error: Exception) -> str:
        """What is wrong, without the folders of this machine."""
        return str(error).replace(str(self._intake.database), self._intake.database.name)

    def _take_in(self, upload: bytes) -> None:
        self._log.show("read")
        bot = read_handed_in(self._job.file, upload, self._job.version)
        manifest = bot.manifest
        self._changed["bot"] = f"{manifest.name}@{manifest.version}"
        self._log.say(f"Read: {self._changed['bot']}, {len(bot.files)} files, {bot.size:,} bytes")
        if self._intake.league is not None:
            # Before it is built: it could not be entered.
            refuse_unfit_for(self._intake.database, self._intake.league, bot)
        can_play = submit(
            bot,
            self._intake.database,
            self._intake.isolation,
            lambda line: self._log.say(line.replace(f" in {self._intake.database}", "")),
            again=f"kseri check {shlex.quote(self._job.file)}",
            watch=self._log,
            token_id=self._job.token_id,
        )
        if not can_play:
            raise UsageError("this version is retired, and can't be entered any more")
        self._enter(bot)

    def _enter(self, bot: BotFiles) -> None:
        intake = self._intake
        if intake.league is None:
            return
        label, before, is_new, begins = enter_submitted(
            intake.database, intake.league, bot, trusted=intake.trusted
        )
        replaced = f" in the place of {before.label}" if before else ""
        self._log.say(
            f"Entered: {label} plays {begins}{replaced}."
            if is_new
            else f"Entered: {label} plays already with these files."
        )
        self._changed |= {"tournament_id": intake.league, "label": label}
