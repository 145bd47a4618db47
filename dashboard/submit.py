"""Bots that are handed in: by a form, or with curl; and how far each of them is.

Nothing is built or started here. What was handed in waits as a job in the database until whoever
runs jobs takes it in (`arena.tournament.jobs`).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import msgspec
from flask import Blueprint, Response, current_app, render_template, request, url_for
from werkzeug.exceptions import RequestEntityTooLarge

from arena.bots import SINGLE_FILES
from arena.bots.limits import MAX_BYTES, MAX_FILES, mib
from arena.errors import ArenaError, UsageError
from arena.store import (
    MOST_UPLOAD_BYTES,
    GameRow,
    Job,
    JobState,
    JobStep,
    NotNow,
    Reader,
    Token,
    TournamentRow,
    add_job,
    writing,
)
from dashboard.api import problem
from dashboard.database import database
from dashboard.security import Allowance, form_key, refuse_foreign_form

pages = Blueprint("submit", __name__)
pages.record_once(lambda state: state.app.config.update(POSTS=Allowance(_POSTS, _POST_EVERY_S)))

_GAMES = 10
_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_MOST_VERSION_CHARS = 40
_POSTS, _POST_EVERY_S = 30, 2.0
_BEARER = "Bearer "


class Refused(NamedTuple):
    """Why something handed in is not even looked at."""

    status: int
    sentence: str
    retry_s: int | None = None


class Upload(NamedTuple):
    """What a visitor has sent."""

    token: Token
    file: str
    version: str | None
    data: bytes


class SubmissionStatus(msgspec.Struct, frozen=True, kw_only=True):
    """How far a bot is that was handed in."""

    key: str
    """Names its page; only who handed it in knows it."""
    page: str
    """The address of that page."""
    file: str
    state: JobState
    doing: str
    """What is being done with it; empty where nothing is."""
    before: int
    """How many others are to be done before it."""
    bot: str | None
    """Name and version, once it is read."""
    tournament_id: int | None
    """The league that it is entered in."""
    label: str | None
    """As what it plays there."""
    steps: list[JobStep]
    created: str
    started: str | None
    finished: str | None


@pages.get("/submit")
def form() -> Response:
    """The form."""
    return _form()


@pages.post("/submit")
def submit() -> Response:
    """Take what is handed in, by the form or by a program with its token in a header."""
    is_program = "Authorization" in request.headers
    found = _hand_in(is_program)
    if isinstance(found, Refused):
        return _refusal(found, is_program)
    page = url_for("submit.submission", key=found.key)
    if not is_program:
        return Response(status=303, headers={"Location": page})
    with database() as reader:
        answer = _json(submission_status(reader, found.key))
    answer.status_code = 202
    answer.headers["Location"] = page
    return answer


def _form(refused: Refused | None = None) -> Response:
    page = render_template(
        "submit.html",
        refused=refused,
        version=request.form.get("version", "") if refused and refused.status != 413 else "",
        form_key=form_key(),
        takes_in=current_app.config["TAKES_IN"],
        endings=SINGLE_FILES,
        most_upload=mib(MOST_UPLOAD_BYTES),
        most_upload_bytes=MOST_UPLOAD_BYTES,
        most_files=MAX_FILES,
        most_bytes=mib(MAX_BYTES),
    )
    return Response(page, refused.status if refused else 200, headers=_PRIVATE)


_PRIVATE = {"Cache-Control": "no-store"}


def _refusal(refused: Refused, is_program: bool) -> Response:
    if is_program:
        answer = problem(refused.status, "Not taken", refused.sentence)
        answer.headers.update(_PRIVATE)
    else:
        answer = _form(refused)
    if refused.status == 401:
        answer.headers["WWW-Authenticate"] = "Bearer"
    if refused.retry_s is not None:
        answer.headers["Retry-After"] = str(refused.retry_s)
    return answer


def _hand_in(is_program: bool) -> Job | Refused:
    """Let what was sent wait as a job, or say why not."""
    posts: Allowance = current_app.config["POSTS"]
    if not posts.take(request.remote_addr or ""):
        return Refused(429, "Too many attempts; wait a minute.", 60)
    try:
        if not is_program:
            refuse_foreign_form()
        found = _upload(is_program)
    except RequestEntityTooLarge:
        return Refused(413, f"Too large: at most {mib(MOST_UPLOAD_BYTES)} in one file.")
    return found if isinstance(found, Refused) else _add(found)


def _upload(is_program: bool) -> Upload | Refused:
    """What was sent, with the token that it was sent with."""
    header = request.headers.get("Authorization", "")
    secret = header.removeprefix(_BEARER) if is_program else request.form.get("token", "")
    with database() as reader:
        token = reader.token_of(secret.strip())
    if token is None:
        return Refused(401, "This is no valid token; the organiser of the arena gives them out.")
    version = request.form.get("version", "").strip() or None
    if version and len(version) > _MOST_VERSION_CHARS:
        return Refused(400, f"The version has more than {_MOST_VERSION_CHARS} characters.")
    sent = request.files.get("bot")
    if sent is None or not sent.filename:
        return Refused(400, "No file was sent: choose one (with curl: -F bot=@mybot.zip).")
    file = _file_name(sent.filename)
    if file is None:
        return Refused(
            400, f"{sent.filename!r}: expected a name of letters, digits and . _ - for the file."
        )
    data = sent.stream.read(MOST_UPLOAD_BYTES + 1)
    if len(data) > MOST_UPLOAD_BYTES:
        raise RequestEntityTooLarge
    return Upload(token, file, version, data) if data else Refused(400, f"{file} is empty.")


def _file_name(sent: str) -> str | None:
    """The name of a file that was sent; None where a bot could not be called so.

    A zip may be called anything, as by a browser that has loaded it twice.
    """
    if sent.lower().endswith(".zip"):
        stem = re.sub(r"[^A-Za-z0-9_-]+", "-", sent[:-4]).strip("-_")[:90]
        return f"{stem or 'bot'}.zip"
    return sent if _FILE.fullmatch(sent) else None


def _add(upload: Upload) -> Job | Refused:
    path: Path = current_app.config["DATABASE"]
    try:
        with writing(path) as db:
            return add_job(db, upload.token, upload.file, upload.version, upload.data)
    except NotNow as error:
        return Refused(429, _sentence(error), error.retry_s)
    except UsageError as error:
        return Refused(403, _sentence(error))
    except ArenaError as error:
        current_app.logger.error("A bot that was handed in could not be kept: %s", error)
        return Refused(503, "The arena can't keep it now; its log says why. Try again later.", 60)


def _sentence(error: Exception) -> str:
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}."


@pages.get("/submit/<key>")
def submission(key: str) -> Response:
    """One bot that was handed in: what came of every step, and its first games."""
    with database() as reader:
        job = reader.job(key)
        before = 0 if job.started else reader.jobs_before(job.id)
        league, games = _league(reader, job)
    page = render_template(
        "_submission.html" if request.args.get("fragment") == "1" else "submission.html",
        job=job,
        before=before,
        failed=[step for step in job.steps if step.verdict == "failed"],
        league=league,
        games=games,
        takes_in=current_app.config["TAKES_IN"],
    )
    return Response(page, headers=_PRIVATE)


def _league(reader: Reader, job: Job) -> tuple[TournamentRow | None, list[GameRow]]:
    """The league that the bot is entered in, and its latest games there."""
    if job.tournament_id is None:
        return None, []
    games = reader.games(tournament_id=job.tournament_id, bot=job.label, limit=_GAMES)
    return reader.tournament_row(job.tournament_id), games


@pages.get("/submit/<key>.json")
def submission_json(key: str) -> Response:
    """The same for programs."""
    with database() as reader:
        return _json(submission_status(reader, key))


def submission_status(reader: Reader, key: str) -> SubmissionStatus:
    """How far a bot is that was handed in. Raises `UsageError`."""
    job = reader.job(key)
    return SubmissionStatus(
        key=job.key,
        page=url_for("submit.submission", key=job.key, _external=True),
        file=job.file,
        state=job.state,
        doing=job.doing,
        before=0 if job.started else reader.jobs_before(job.id),
        bot=job.bot,
        tournament_id=job.tournament_id,
        label=job.label,
        steps=job.steps,
        created=job.created,
        started=job.started,
        finished=job.finished,
    )


def _json(status: SubmissionStatus) -> Response:
    data = msgspec.json.encode(status) + b"\n"
    return Response(data, mimetype="application/json", headers=_PRIVATE)
