"""Who may hand in bots: tokens, forms of our own, and not too often."""

from __future__ import annotations

import stat
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.store import Reader, revoke_token, writing
from dashboard import create_app
from dashboard.security import Allowance, session_key
from tests.dashboard.handing_in import Author
from tests.dashboard.page import Page


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


@pytest.fixture
def ada(path: Path) -> Author:
    return Author(path)


# Tokens


@pytest.mark.parametrize(
    "forged",
    [
        "",
        "x",
        "kseri_",
        "kseri_" + "A" * 43,
        "kseri_" + "A" * 10**4,
        "kseri_' OR 1=1 --" + "A" * 30,
        "Bearer kseri_" + "A" * 43,
        "\x00" * 49,
        "kseri_" + "é" * 43,
    ],
)
def test_forged_tokens_are_refused(ada: Author, forged: str) -> None:
    answer = ada.by_form(token=forged)
    assert answer.status_code == 401
    assert "no valid token" in answer.text
    if forged.isascii() and forged.isprintable():
        answer = ada.by_curl(secret=forged)
        assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
    assert ada.waiting() == []


def test_a_token_with_one_other_character_is_none(ada: Author) -> None:
    for place in (6, 20, 48):
        other = "A" if ada.secret[place] != "A" else "B"
        assert (
            ada.by_curl(secret=ada.secret[:place] + other + ada.secret[place + 1 :]).status_code
            == 401
        )
    assert ada.by_curl(secret=ada.secret[:-1]).status_code == 401
    assert ada.by_curl(secret=ada.secret.upper()).status_code == 401
    assert ada.by_curl(secret=f" {ada.secret} ").status_code == 202


def test_a_revoked_token_is_none(ada: Author, path: Path) -> None:
    with writing(path) as db:
        revoke_token(db, "ada")
    assert ada.by_curl().status_code == 401
    assert Author(path).by_curl().status_code == 202, "another one for the same author"
    assert ada.by_curl().status_code == 401


def test_no_secret_is_kept(ada: Author, path: Path) -> None:
    ada.by_curl()
    data = path.read_bytes()
    assert ada.secret.encode() not in data
    assert ada.secret[6:].encode() not in data
    with Reader(path) as reader:
        assert not [row for row in reader.tokens() if ada.secret in str(row)]


# Forms


def test_a_form_that_no_page_of_ours_sent_is_refused(ada: Author) -> None:
    for key in ("", "x", "é", Author(ada.path, "eve", app=ada.app).form_key()):
        answer = ada.by_form(form_key=key)
        assert answer.status_code == 403
        assert "load the page anew" in answer.text
    assert ada.waiting() == []
    assert ada.by_form().status_code == 303


def test_a_form_without_the_cookie_is_refused(ada: Author) -> None:
    key = ada.form_key()
    ada.browser.delete_cookie(ada.app.config["SESSION_COOKIE_NAME"])
    assert ada.by_form(form_key=key).status_code == 403


def test_a_forged_session_is_none(ada: Author) -> None:
    key, name = ada.form_key(), ada.app.config["SESSION_COOKIE_NAME"]
    cookie = ada.browser.get_cookie(name)
    assert cookie
    payload, _, signature = cookie.value.partition(".")
    ada.browser.set_cookie(name, f"{payload}.{'A' * len(signature)}")
    assert ada.by_form(form_key=key).status_code == 403


@pytest.mark.parametrize("accept", ["*/*", "application/json", ""])
def test_a_program_without_a_token_is_told_so(ada: Author, accept: str) -> None:
    """Whatever else it sends: the form's key and cookie are for browsers."""
    sent = {"token": ada.secret, "form_key": ada.form_key()}
    answer = ada.browser.post("/submit", data=sent, headers={"Accept": accept})
    assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
    assert answer.content_type == "application/problem+json"
    assert "token" in answer.json["detail"]
    assert ada.waiting() == []


def test_a_header_of_a_browsers_own_is_no_token(ada: Author) -> None:
    # Whoever sends the header needs no form: no other site can make a browser send it.
    answer = ada.browser.post("/submit", headers={"Authorization": "Basic YWRhOng="})
    assert answer.status_code == 401
    assert ada.waiting() == []


def test_the_cookie_is_for_our_own_pages_alone(ada: Author) -> None:
    header = ada.browser.get("/submit").headers["Set-Cookie"]
    assert "HttpOnly" in header
    assert "SameSite=Strict" in header
    for page in ("/", "/games/", "/healthz", "/events.json"):
        assert "Set-Cookie" not in create_app(ada.path).test_client().get(page).headers


def test_the_key_of_sessions_is_its_owners_and_stays(path: Path) -> None:
    key = session_key(path)
    file = path.with_name("arena.db-key")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(key) == 32
    assert session_key(path) == key == file.read_bytes()
    assert [found.name for found in path.parent.iterdir()] == [file.name]
    file.write_bytes(b"short")
    assert len(session_key(path)) == 32, "what is no key is not used"
    assert session_key(path.parent / "no folder" / "x.db") != key


def test_two_dashboards_of_one_machine_do_not_share_a_cookie(tmp_path: Path) -> None:
    names = {create_app(tmp_path / name).config["SESSION_COOKIE_NAME"] for name in ("a.db", "b.db")}
    assert len(names) == 2


# Not too often


def test_too_many_attempts_from_one_address(ada: Author) -> None:
    statuses = [ada.by_curl(secret="x").status_code for _ in range(40)]
    assert statuses[:20] == [401] * 20
    answer = ada.by_curl()
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0
    elsewhere = {"REMOTE_ADDR": "203.0.113.7"}
    page = ada.app.test_client().post(
        "/submit", headers={"Authorization": f"Bearer {ada.secret}"}, environ_base=elsewhere
    )
    assert page.status_code == 400, "others are not held up"
    assert Page(ada.browser.get("/submit").text).text


@given(st.integers(1, 5), st.lists(st.tuples(st.sampled_from("ab"), st.floats(0, 3)), max_size=40))
def test_an_allowance_comes_back_one_by_one(most: int, asked: list[tuple[str, float]]) -> None:
    """Of any span of time no more are taken than `most` and one for every second of it."""
    now, taken = 100.0, list[tuple[str, float]]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "monotonic", lambda: now)
        allowance = Allowance(most, 1.0)
        for who, later in asked:
            now += later
            before = [at for other, at in taken if other == who]
            expected = all(
                len(before) - n + 1 <= most + (now - at) + 1e-6 for n, at in enumerate(before)
            )
            got = allowance.take(who)
            assert got <= expected
            assert got or len(before) >= most
            if got:
                taken.append((who, now))


def test_an_allowance_forgets_the_oldest_and_takes_one_visitors_network_as_one() -> None:
    allowance = Allowance(1, 3600.0)
    assert allowance.take("2001:db8::1")
    assert not allowance.take("2001:db8::ffff:2")
    assert allowance.take("2001:db8:1::1")
    assert not [n for n in range(20_000) if not allowance.take(f"192.0.2.{n}")]
    assert len(allowance._full_at) == 10_000
    assert allowance.take("2001:db8::1")
