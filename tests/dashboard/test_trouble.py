"""Where something goes wrong, the page says so in one sentence."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask

from arena.errors import Trouble
from arena.store import Reader, open_for_writing, schema
from dashboard import create_app, run_server
from tests.dashboard.conftest import World
from tests.dashboard.made import Made


def test_a_database_that_is_not_there_yet(tmp_path: Path) -> None:
    path = tmp_path / "later.db"
    client = create_app(path).test_client()
    answer = client.get("/")
    assert answer.status_code == 503
    assert "later.db: no such database" in answer.text
    assert str(tmp_path) not in answer.text
    assert client.get("/healthz").status_code == 200
    open_for_writing(path).close()
    answer = client.get("/")
    assert answer.status_code == 200
    assert "Nothing was played yet" in answer.text
    assert "kseri play greedy random --db " in answer.text


@pytest.mark.parametrize("content", [b"no database at all, but long enough for a header" * 30, b""])
def test_a_file_that_is_no_database(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.db"
    path.write_bytes(content)
    answer = create_app(path).test_client().get("/")
    assert answer.status_code == 503
    assert "other.db" in answer.text


def test_a_locked_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "locked.db"
    open_for_writing(path).close()
    monkeypatch.setattr(schema, "BUSY_SECONDS", 0.01)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
        answer = create_app(path).test_client().get("/")
    assert answer.status_code == 503
    assert "locked by another program" in answer.text


def test_a_mistake_of_the_arena_shows_no_traceback(
    app: Flask, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Reader) -> None:
        raise RuntimeError("inner detail")

    monkeypatch.setattr(Reader, "tournaments", fail)
    answer = app.test_client().get("/")
    assert answer.status_code == 500
    assert "its log says which" in answer.text
    assert "inner detail" not in answer.text


def test_a_record_that_does_not_follow_from_its_seed(tmp_path: Path) -> None:
    path = tmp_path / "wrong.db"
    made = Made(path, "Wrong", ["a", "b"])
    game = made.game(1, 0).game
    made.finish()
    with open_for_writing(path) as db, db.atomic():
        db.execute("UPDATE games SET seed = ?", ["00" * 32])
    client = create_app(path).test_client()
    answer = client.get(f"/games/{game}")
    assert answer.status_code == 200
    assert "This record can&#39;t be played again: deal 1" in answer.text
    assert "kseri verify" in answer.text


def test_the_database_is_closed_after_every_page(world: World) -> None:
    # An open connection that is thrown away is a warning, and here warnings are failures.
    client = create_app(world.path).test_client()
    for _ in range(3):
        client.get("/games/nope")
        client.get("/")


def test_an_address_that_cannot_be_had(tmp_path: Path) -> None:
    with pytest.raises(Trouble, match="no such address here"):
        run_server(tmp_path / "x.db", "no.such.host.invalid", 0, print)
    with pytest.raises(Trouble, match="choose another --port"):
        run_server(tmp_path / "x.db", "203.0.113.1", 0, print)
