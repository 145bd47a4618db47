"""The Flask application: pages, headers, and what is shown when something goes wrong."""

from __future__ import annotations

from pathlib import Path

from flask import Flask, Response, render_template, request
from werkzeug.exceptions import HTTPException, InternalServerError, SecurityError

from dashboard import api, bots, cards, docs, games, live, logs, play, show, submit, tournaments
from dashboard.commands import command
from dashboard.security import secure

_POLICY = "; ".join(
    [
        "default-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "object-src 'none'",
    ]
)
"""Neither inline scripts nor inline styles, and nothing from any other host."""

_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

_SENTENCES = {
    404: "There is no such page.",
    405: "This page can only be looked at.",
    500: "The arena made a mistake while it wrote this page; its log says which.",
}


def create_app(
    database: Path, *, takes_in: bool = False, tables: int = 0, bot_logs: str = "unrated"
) -> Flask:
    """The dashboard of a database, as a WSGI application.

    The file is opened anew for every page, and to be read, but for bots that are handed in: it
    need not exist yet. `takes_in`: whether somebody runs the jobs that these make; `tables`: how
    many games of visitors somebody plays at a time; `bot_logs`: in which tournaments that are over
    everybody reads what bots wrote, see `dashboard.logs`. Whoever has opened a stream of events
    ends it with `app.config["FEED"].stop()`.
    """
    app = Flask(__name__)
    app.config.update(DATABASE=database, FEED=live.Feed(database), TAKES_IN=takes_in, TABLES=tables)
    app.config[logs.SETTING] = bot_logs
    secure(app, database)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters.update(show.FILTERS)
    app.jinja_env.globals.update(cards.GLOBALS, icon=show.icon, command=command)
    for pages in (
        tournaments.pages,
        games.pages,
        api.pages,
        docs.pages,
        bots.pages,
        live.pages,
        submit.pages,
        play.pages,
    ):
        app.register_blueprint(pages)
    app.add_url_rule("/healthz", "healthz", _healthz)
    app.after_request(_with_headers)
    app.register_error_handler(HTTPException, _error_page)
    return app


def _healthz() -> Response:
    """Whether this process answers; it does not ask the database."""
    return Response("ok\n", mimetype="text/plain")


def _with_headers(response: Response) -> Response:
    response.headers.update(_HEADERS)
    return response


def _error_page(error: HTTPException) -> Response | tuple[str, int]:
    """One sentence in the look of all pages, or as JSON where that was asked for."""
    code = error.code or InternalServerError.code
    if isinstance(error, SecurityError):
        # No page can be written for it: its links would lead to a host that is not ours.
        return Response("This arena is not called so.\n", code, mimetype="text/plain")
    # Werkzeug's own descriptions are kept for what has no sentence here.
    written_here = error.description != type(error).description
    sentence = error.description if written_here else _SENTENCES.get(code, error.description)
    if code == InternalServerError.code:
        sentence = _SENTENCES[code]
    if request.path.startswith("/api/") or request.path.endswith(".json"):
        return api.problem(code, error.name, sentence or error.name)
    return render_template("error.html", name=error.name, sentence=sentence), code
