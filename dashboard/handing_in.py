"""What a visitor has sent, looked at without belief, and kept as a job."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from flask import current_app, request
from werkzeug.exceptions import RequestEntityTooLarge

from arena.bots.limits import mib
from arena.errors import ArenaError, UsageError
from arena.store import MOST_UPLOAD_BYTES, Job, NotNow, Token, add_job, writing
from dashboard.database import database
from dashboard.security import Allowance, refuse_foreign_form

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


def posts() -> Allowance:
    """How often one address may hand in something."""
    return Allowance(_POSTS, _POST_EVERY_S)


def hand_in(is_program: bool) -> Job | Refused:
    """Let what was sent wait as a job, or say why not."""
    allowance: Allowance = current_app.config["POSTS"]
    if not allowance.take(request.remote_addr or ""):
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
