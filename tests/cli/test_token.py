"""`kseri token` from outside: made, listed, revoked, and what is wrong use of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena.store import Reader, token_of, writing
from tests.cli.conftest import Here
from tests.cli.program import HOSTILE, assert_harmless, complaint, kseri


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


def valid(database: Path, secret: str) -> bool:
    with writing(database) as db:
        return token_of(db, secret) is not None


def test_the_life_of_a_token(here: Here, database: Path) -> None:
    at = ["--db", database]
    made = kseri("token", "new", "Ada L.", "--quota", 3, "--bots", 2, *at)
    assert made.returncode == 0
    secret = made.stdout.strip()
    assert re.fullmatch(r"kseri_[\w-]{43}", secret)
    assert "3 submissions a day, 2 bots. It is not shown again" in made.stderr
    assert valid(database, secret)
    listed = here("token", "list", *at).stdout
    assert re.search(r"Ada L\. +20\d\d-\d\d-\d\d +0 of 3 +0 of 2", listed)
    assert secret not in listed
    assert here("token", "revoke", "Ada L.", *at).stdout == "Revoked Ada L..\n"
    assert not valid(database, secret)
    assert "Nothing new" in here("token", "revoke", "Ada L.", *at).stdout
    assert re.search(r"Ada L\.( +20\d\d-\d\d-\d\d){2} +0 of 3", here("token", "list", *at).stdout)
    again = here("token", "new", "Ada L.", *at).stdout.strip()
    assert valid(database, again)
    assert not valid(database, secret)
    assert again != secret


def test_every_token_is_another(here: Here, database: Path) -> None:
    secrets = {here("token", "new", f"t{n}", "--db", database).stdout for n in range(20)}
    assert len(secrets) == 20


def test_only_its_hash_is_stored(here: Here, database: Path) -> None:
    secret = here("token", "new", "ada", "--db", database).stdout.strip()
    with writing(database) as db:
        rows = list(db.query("SELECT * FROM tokens"))
    assert secret not in str(rows)
    assert database.stat().st_mode & 0o077 == 0


def test_a_list_without_any(here: Here, database: Path) -> None:
    complaint(here("token", "list", "--db", database), 2, "no such database")
    here("token", "new", "ada", "--db", database)
    with writing(database) as db:
        db.execute("DELETE FROM tokens")
    assert here("token", "list", "--db", database).stdout == "No tokens.\n"


def test_wrong_use_is_told(here: Here, database: Path) -> None:
    at = ["--db", database]
    complaint(here("token", "revoke", "ada", *at), 2, "no such database")
    here("token", "new", "ada", *at)
    complaint(here("token", "new", "ada", *at), 2, "there is a token 'ada' already; revoke it")
    complaint(here("token", "revoke", "bob", *at), 2, "no token 'bob'; there are 'ada'")
    for name in ("", " ", "a" * 61, "a\nb", HOSTILE):
        result = here("token", "new", name, *at)
        complaint(result, 2, "expected a name of 1 to 60 characters")
        assert_harmless([result.stderr])
    complaint(here("token", "new", "x", "--quota", 0, *at), 2, "--quota")
    complaint(here("token", "new", "x", "--bots", "many", *at), 2, "--bots")
    with Reader(database) as reader:
        assert [token.name for token in reader.tokens()] == ["ada"]
