"""Bots that are handed in: by a form, or with curl; and how far each of them is.

Nothing is built or started here. What was handed in waits as a job in the database until whoever
runs jobs takes it in (`arena.tournament.jobs`).
"""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response, current_app, render_template, request, url_for

from arena.bots import SINGLE_FILES
from arena.bots.limits import MAX_BYTES, MAX_FILES, mib
from arena.store import (
    MOST_UPLOAD_BYTES,
    GameRow,
    Job,
    JobState,
    JobStep,
    Reader,
    TournamentRow,
)
from dashboard.api import problem
from dashboard.api.parameters import Nothing
from dashboard.database import database
from dashboard.described import OneKey, described
from dashboard.handing_in import Refused, hand_in, posts
from dashboard.security import form_key

pages = Blueprint("submit", __name__)
pages.record_once(lambda state: state.app.config.update(POSTS=posts()))

_GAMES = 10


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


_FORM = {
    "bot": "The file: a zip of a folder with a bot.toml, or one source file.",
    "version": "Of a single file; a zip says its own.",
}
_REFUSALS = {
    400: "No file, or one that can be no bot.",
    401: "No valid token.",
    403: "The token may not hand in this bot.",
    413: "The file is too large.",
    429: "Too much was handed in; `Retry-After` says when to come again.",
    503: "The arena cannot take it now.",
}


@pages.post("/submit")
@described(
    "/submit",
    Nothing,
    SubmissionStatus,
    method="post",
    status=202,
    problems=_REFUSALS,
    form=_FORM,
    token="must",
)
def submit() -> Response:
    """Hand in a bot: it is built and checked, and enters the league where there is one.

    The answer names the page that shows how far it is; `.json` behind it is the same for programs.
    """
    is_program = _is_program()
    found = hand_in(is_program)
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


def _is_program() -> bool:
    """Whether no browser has sent its form: then the token stands in the header or nowhere."""
    headers = request.headers
    return "Authorization" in headers or "text/html" not in headers.get("Accept", "")


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
@described("/submit/{key}.json", OneKey, SubmissionStatus)
def submission_json(key: str) -> Response:
    """How far a bot is that was handed in, and what came of every step."""
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
