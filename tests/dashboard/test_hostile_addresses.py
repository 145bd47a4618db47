"""Whatever stands in an address, a header or a cookie: it is answered, with nothing of ours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import cycle, islice, product
from urllib.parse import quote

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from tests.dashboard.conftest import World
from tests.dashboard.made import MARKUP, TURNED

ESCAPES = (
    "../../../../etc/passwd",
    "..%2f..%2f..%2fetc%2fpasswd",
    "....//....//etc/passwd",
    "/etc/passwd",
    "//etc/passwd",
    "file:///etc/passwd",
    "..\\..\\pages.db",
    "../pages.db",
    "pages.db",
    "pages.db-key",
    ".",
    "..",
)
ODD = (
    MARKUP,
    TURNED,
    "\x00",
    "a\r\nSet-Cookie: x=1",
    "=cmd|' /C calc'!A0",
    "' OR 1=1 --",
    "{{7*7}}",
    "%s%n",
    "\ufffe\ud7ff",
    "9" * 400,
    "-1",
    "1e9",
    "a" * 5_000,
    ",".join("a" * 2_000),
)
WORDS = (
    *("find", "sort", "page", "bots", "by", "columns", "a", "b", "round", "bot", "without"),
    *("tournament", "pairing", "result", "fault", "rules", "before", "limit", "deal", "move"),
    *("seat", "part", "play", "begins", "after", "show", "since", "fragment", "reverse"),
)
"""What addresses of pages ask by."""


def _rules(app: Flask) -> Iterator[Rule]:
    """Those that can be asked for and come to an end."""
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and rule.endpoint != "live.events":
            yield rule


def _filled(rule: Rule, value: str) -> str:
    return re.sub(
        r"<int:[^>]*>", "1", re.sub(r"<(?:path:)?\w+>", value.replace("\\", r"\\"), rule.rule)
    )


def _asked(client: FlaskClient, address: str, **options: object) -> None:
    """Ask for it: no mistake of the arena, no file of the machine, no header of the asker's."""
    with client.get(address, **options) as answer:  # type: ignore[arg-type]
        assert answer.status_code < 500, address
        assert "root:" not in answer.text, address
        assert not answer.data.startswith(b"SQLite format"), address
        assert "Traceback" not in answer.text, address
        assert "evil.example" not in answer.text, address
        assert "x=1" not in answer.headers.get("Set-Cookie", ""), address
        if answer.mimetype == "text/html":
            assert MARKUP not in answer.text, address
            assert "\u202e" not in answer.text, address


@pytest.mark.parametrize("start", ["/static/", "/bots/", "/games/", "/submit/", "/api/schemas/"])
def test_nothing_in_a_path_leads_out_of_the_dashboard(client: FlaskClient, start: str) -> None:
    for escape in ESCAPES:
        for path in (quote(escape, safe=""), quote(escape)):
            _asked(client, start + path)


def test_no_path_is_a_mistake(app: Flask, client: FlaskClient) -> None:
    """Every address that has something of the asker's in it, each with other odd values."""
    odd = cycle(ODD)
    for rule in _rules(app):
        for value in islice(odd, 4 * ("<" in rule.rule)):
            _asked(client, _filled(rule, quote(value, safe="")))


def test_nothing_asked_for_is_a_mistake(app: Flask, client: FlaskClient, world: World) -> None:
    """Every word at every address, each with another of the odd values."""
    odd = cycle(ODD)
    for rule, word in product(_rules(app), WORDS):
        name = world.rated.game if "<game>" in rule.rule else "a"
        _asked(client, f"{_filled(rule, name)}?{word}={quote(next(odd))}")


@pytest.mark.parametrize(
    "headers",
    [
        {"Cookie": "session=" + "A" * 30_000},
        {"Cookie": "; ".join(f"kseri-{number}=x" for number in range(2_000))},
        {"Accept-Language": "x" * 30_000, "If-None-Match": '"' * 9_999},
        {"Authorization": "Bearer " + "é" * 9_999},
        {"Last-Event-ID": "9" * 9_999, "Range": "bytes=0-" + "9" * 400},
        {"X-Forwarded-Host": "evil.example", "X-Forwarded-For": MARKUP, "Forwarded": "host=evil"},
    ],
    ids=["cookie", "cookies", "lists", "token", "numbers", "proxy"],
)
def test_no_header_is_a_mistake_or_is_believed(
    client: FlaskClient, headers: dict[str, str]
) -> None:
    for address in ("/", "/submit", "/static/style.css", "/events.json", "/api/bots", "/games/"):
        _asked(client, address, headers=headers)


def test_a_session_of_another_size_is_none(client: FlaskClient, app: Flask) -> None:
    cookie = f"{app.config['SESSION_COOKIE_NAME']}={'A' * 30_000}"
    headers = {"Cookie": cookie, "Accept": "text/html"}
    answer = client.post("/submit", data={"form_key": "A" * 30_000}, headers=headers)
    assert answer.status_code == 403
