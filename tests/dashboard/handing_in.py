"""An author at the form and with curl, for tests of what is handed in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from arena.store import new_token, open_for_writing, writing
from dashboard import create_app
from tests.dashboard.page import Page
from tests.dashboard.server import multipart

BOT = b"import sys\n"


class Author:
    """Somebody with a token, and the dashboard in front of them."""

    def __init__(
        self, path: Path, name: str = "ada", app: Flask | None = None, **quota: int
    ) -> None:
        self.path = path
        if not path.exists():
            open_for_writing(path).close()
        with writing(path) as db:
            self.secret = new_token(db, name, quota.get("quota", 20), quota.get("most_bots", 5))
        self.app = app or create_app(path, takes_in=True)
        self.browser: FlaskClient = self.app.test_client()

    def form_key(self) -> str:
        """What the form carries when this browser looks at it."""
        page = Page(self.browser.get("/submit").text)
        fields = {attributes.get("name"): attributes for _, attributes in page.elements}
        return fields["form_key"]["value"] or ""

    def by_form(self, file: str = "mine.py", data: bytes = BOT, **fields: Any) -> TestResponse:
        """Send the form as a browser does; `fields` instead of what it would have."""
        sent = {"form_key": self.form_key, "token": self.secret, "version": ""} | fields
        filled = {name: value() if callable(value) else value for name, value in sent.items()}
        body, kind = multipart(filled, bot=(file, data))
        accept = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
        return self.browser.post("/submit", data=body, content_type=kind, headers=accept)

    def by_curl(
        self, file: str = "mine.py", data: bytes = BOT, secret: str | None = None, **fields: Any
    ) -> TestResponse:
        """Send it with the token in a header, and no cookie."""
        header = f"Bearer {self.secret if secret is None else secret}"
        body, kind = multipart(fields, bot=(file, data))
        return self.app.test_client().post(
            "/submit", data=body, content_type=kind, headers={"Authorization": header}
        )

    def waiting(self) -> list[tuple[str, str | None, bytes]]:
        """What waits to be taken in: file, version, content."""
        with writing(self.path) as db:
            return list(
                db.execute(
                    "SELECT file, version, upload FROM jobs WHERE finished IS NULL ORDER BY id"
                )
            )

    def all_done(self) -> None:
        """Let whatever waits be over, as if it had been taken in."""
        with writing(self.path) as db, db.atomic():
            db.execute("UPDATE jobs SET state = 'accepted', finished = created, upload = NULL")
