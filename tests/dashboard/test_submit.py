"""Bots that are handed in on the dashboard: what is taken, what is refused, what its page says."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from arena.store import JobStep, Reader, finish_job, put_job, take_job, writing
from arena.store.jobs import MOST_UPLOAD_BYTES, MOST_WAITING
from dashboard import create_app
from protocol.check import Diagnosis
from tests.dashboard.cups import Cups
from tests.dashboard.handing_in import BOT, Author
from tests.dashboard.made import MARKUP, TURNED, Made
from tests.dashboard.page import Page


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


@pytest.fixture
def ada(path: Path) -> Author:
    return Author(path)


# What is taken


def test_by_the_form(ada: Author) -> None:
    answer = ada.by_form("mine.py", version=" 1.1 ")
    assert answer.status_code == 303
    assert ada.waiting() == [("mine.py", "1.1", BOT)]
    page = ada.browser.get(answer.headers["Location"])
    assert page.status_code == 200
    assert "mine.py" in page.text
    assert page.headers["Cache-Control"] == "no-store"
    with Reader(ada.path) as reader:
        job = reader.job(answer.headers["Location"].rpartition("/")[2])
        assert [token.submissions for token in reader.tokens()] == [1]
    assert (job.state, job.steps) == ("waiting", [])


def test_with_curl(ada: Author) -> None:
    answer = ada.by_curl("mine.zip", b"PK")
    assert (answer.status_code, answer.json["state"]) == (202, "waiting")
    assert ada.waiting() == [("mine.zip", None, b"PK")]
    assert "Set-Cookie" not in answer.headers
    found = ada.browser.get(answer.headers["Location"] + ".json")
    assert found.json == answer.json
    assert answer.json["page"].endswith(answer.headers["Location"])


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("my bot (1).zip", "my-bot-1.zip"),
        ("../../etc/passwd.zip", "etc-passwd.zip"),
        ("C:\\bots\\mine.ZIP", "C-botsmine.zip"),
        ("\u202egnp.zip", "gnp.zip"),
        (".zip", "bot.zip"),
        ("a" * 500 + ".zip", "a" * 90 + ".zip"),
        ("Mine_2.py", "Mine_2.py"),
    ],
)
def test_a_zip_may_be_called_anything_and_is_kept_under_a_plain_name(
    ada: Author, sent: str, kept: str
) -> None:
    assert ada.by_curl(sent).status_code == 202
    assert [file for file, _, _ in ada.waiting()] == [kept]


# What is refused


@pytest.mark.parametrize(
    "name", ["../mine.py", "/etc/mine.py", "a b.py", "mine.py\x00", MARKUP, "-rf.py", ".py", "é.py"]
)
def test_a_single_file_has_its_bots_name(ada: Author, name: str) -> None:
    answer = ada.by_form(name)
    assert answer.status_code == 400
    assert "for the file" in Page(answer.text).text
    assert "<script>alert" not in answer.text
    assert ada.waiting() == []


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"file": ""}, "No file was sent"),
        ({"data": b""}, "mine.py is empty"),
        ({"version": "1" * 41}, "more than 40 characters"),
    ],
)
def test_what_is_missing_or_too_long_is_told(
    ada: Author, fields: dict[str, str], told: str
) -> None:
    for answer in (ada.by_form(**fields), ada.by_curl(**fields)):  # type: ignore[arg-type]
        assert answer.status_code == 400
        assert told in answer.text
    assert ada.waiting() == []


def test_what_is_too_large_is_refused_and_not_kept(ada: Author) -> None:
    for size in (MOST_UPLOAD_BYTES + 1, MOST_UPLOAD_BYTES + 10**6):
        answer = ada.by_curl(data=bytes(size))
        assert answer.status_code == 413
        assert "at most 16 MiB" in answer.json["detail"]
    page = ada.by_form(data=bytes(MOST_UPLOAD_BYTES + 10**6))
    assert page.status_code == 413
    assert "at most 16 MiB" in page.text
    assert ada.waiting() == []
    assert ada.by_curl(data=bytes(MOST_UPLOAD_BYTES)).status_code == 202


def test_a_form_of_many_fields_is_refused(ada: Author) -> None:
    answer = ada.by_curl(**{f"field{n}": "x" for n in range(100)})
    assert answer.status_code == 413
    answer = ada.by_curl(version="x" * 10**5)
    assert answer.status_code == 413
    assert ada.waiting() == []


def test_one_at_a_time_and_so_many_a_day(path: Path) -> None:
    ada = Author(path, quota=3)
    assert ada.by_curl().status_code == 202
    answer = ada.by_curl()
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "60")
    assert "one at a time" in answer.json["detail"]
    for _ in range(2):
        ada.all_done()
        assert ada.by_form().status_code == 303
    ada.all_done()
    answer = ada.by_form()
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 3600
    assert "3 submissions in the last 24 hours" in answer.text
    bob = Author(path, "bob")
    assert bob.by_curl().status_code == 202, "others are not held up"
    with writing(path) as db, db.atomic():
        db.execute("UPDATE jobs SET created = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-25 hours')")
    assert ada.by_curl().status_code == 202


def test_so_many_wait_at_most(path: Path) -> None:
    authors = [Author(path, f"author {n}") for n in range(MOST_WAITING + 1)]
    statuses = [author.by_curl().status_code for author in authors]
    assert statuses == [202] * MOST_WAITING + [429]


def test_what_was_refused_stands_in_the_form_again(ada: Author) -> None:
    answer = ada.by_form("a b.py", version="2.0")
    page = Page(answer.text)
    values = {a["name"]: a.get("value") for _, a in page.elements if a.get("name")}
    assert values["version"] == "2.0"
    assert ada.secret not in answer.text
    described = {a["id"]: a.get("aria-describedby") for _, a in page.elements if a.get("id")}
    assert "refused" in (described["token"] or "").split()


def test_a_database_that_cannot_be_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = Author(path)
    monkeypatch.setattr("arena.store.schema.BUSY_SECONDS", 0.05)
    ada.app.logger.disabled = True
    with writing(path) as db:
        db.execute("BEGIN IMMEDIATE")
        answer = ada.by_curl()
    assert answer.status_code == 503
    assert str(path.parent) not in answer.text
    assert ada.by_curl().status_code == 202


def test_a_database_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "none.db"
    client = create_app(path).test_client()
    assert client.get("/submit").status_code == 200
    answer = client.post("/submit", headers={"Authorization": "Bearer x"}, data={})
    assert answer.status_code == 503
    assert not path.exists()


# Its page


def test_who_takes_nothing_in_says_so(path: Path) -> None:
    ada = Author(path, app=create_app(path))
    assert "takes in no bots at the moment" in ada.browser.get("/submit").text
    page = ada.browser.get(ada.by_form().headers["Location"])
    assert "until the organiser takes in bots" in page.text


DIAGNOSIS = Diagnosis(
    game="0" * 16,
    seat=0,
    bot="mine",
    deal=1,
    turn=3,
    kind="crash",
    phase="turn",
    forfeits=True,
    what=f"it crashed {MARKUP} {TURNED}",
    expected="a card",
    got=f"got {MARKUP}",
    stderr=[f"Traceback {TURNED}", f"Error {MARKUP}"],
    cause="crash",
    because="an exception",
    mend="catch it",
    again="kseri check mine.zip",
    used_us=2_000_000,
    limit_us=3_000_000,
    cpu_us=40_000,
    max_rss_kb=10_240,
    memory_mb=512,
    ended="exit status 1",
)


def test_failures_stand_first_with_what_mends_them_as_text(ada: Author) -> None:
    address = ada.by_form("mine.zip").headers["Location"]
    steps = [
        JobStep(name="Read", verdict="ok", text="mine@1.0, 2 files"),
        JobStep(name="first answer", verdict="failed", text="no card", diagnosis=DIAGNOSIS),
        JobStep(name="Build", verdict="failed", text=f"exit 3 {MARKUP}", output=f"make: {TURNED}"),
    ]
    with writing(ada.path) as db:
        taken = take_job(db)
        assert taken
        finish_job(db, taken[0].id, "refused", steps, bot=f"mine@1.0{MARKUP}")
    page = ada.browser.get(address)
    assert "<script>alert" not in page.text
    assert "\u202e" not in page.text
    assert "\x1b" not in page.text
    text = Page(page.text).text
    order = [text.index(part) for part in (f"it crashed {MARKUP}", "catch it", "Error", "Steps")]
    assert order == sorted(order)
    assert f"exit 3 {MARKUP}" in text
    assert "seat 0, turn 3 of the game, in deal 1, in its turn" in text
    used = "2000.0 of 3000 ms; CPU time 40 ms; memory 10 of 512 MB; ended with exit status 1"
    assert used in text
    assert "make: �gnp.exe�[31m" in text
    assert "to be mended" in text
    found = json.loads(ada.browser.get(address + ".json").data)
    assert found["steps"][1]["diagnosis"]["what"] == DIAGNOSIS.what
    assert ada.waiting() == []


def test_a_fragment_is_what_the_page_has(ada: Author) -> None:
    address = ada.by_form("mine.zip").headers["Location"]
    with writing(ada.path) as db:
        taken = take_job(db)
        assert taken
        put_job(db, taken[0].id, "trying: time", [JobStep(name="Read", verdict="ok", text="x")])
    fragment = ada.browser.get(address + "?fragment=1").text
    whole = ada.browser.get(address).text
    assert fragment.strip() in whole
    assert "trying: time" in fragment
    page = Page(whole)
    assert list(page.all("data-live")) == [f"job:{taken[0].id}"]
    assert list(page.all("data-fragment")) == [f"{address}?fragment=1"]


def test_a_bot_in_a_league_has_its_games_there(ada: Author) -> None:
    made = Made(ada.path, "cup", ["mine", "b"])
    made.game(1, 0)
    address = ada.by_form("mine.zip").headers["Location"]
    with writing(ada.path) as db:
        taken = take_job(db)
        assert taken
        finish_job(db, taken[0].id, "accepted", [], tournament_id=made.id, label="mine")
    page = Page(ada.browser.get(address).text)
    assert list(page.all("data-live")) == [f"job:{taken[0].id} tournament:{made.id}"]
    assert f"/tournaments/{made.id}/" in page.links()
    assert "mine plays in cup" in page.text


def test_a_league_without_rounds_left_is_told_as_it_is(cups: Cups, path: Path) -> None:
    shutil.copy(cups.path, path)
    ada = Author(path)
    address = ada.by_form("late.zip").headers["Location"]
    with writing(ada.path) as db:
        taken = take_job(db)
        assert taken
        finish_job(db, taken[0].id, "accepted", [], tournament_id=cups.league, label="one")
    text = Page(ada.browser.get(address).text).text
    assert "one is entered in League , all of whose rounds are played" in text
    assert "one plays in" not in text


def test_only_who_has_its_address_sees_a_submission(ada: Author, client: FlaskClient) -> None:
    address = ada.by_form().headers["Location"]
    key = address.rpartition("/")[2]
    assert len(key) == 32
    for other in ("1", key[:-1], key.upper(), "0" * 32, f"{key}' OR '1"):
        if other != key:
            assert ada.browser.get(f"/submit/{other}").status_code == 404
    assert key not in ada.browser.get("/events.json?since=0").text
    assert "no-store" in ada.browser.get(address).headers["Cache-Control"]
