"""What a bot wrote is for whoever submitted it, and for nobody else."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from arena.store import keep_submission, new_token, revoke_token, token_of, writing
from dashboard import create_app
from protocol.records import GameRecord
from tests.dashboard.made import MARKUP, TURNED, Made, bot
from tests.dashboard.page import Page


@dataclass(frozen=True)
class Owned:
    """A rated game whose seat 0 wrote something, and two owners."""

    path: Path
    game: GameRecord
    mine: str
    """The token of whoever owns the bot on seat 0."""
    other: str
    """That of the other bot's owner."""
    browser: FlaskClient

    def by_form(self, token: str, **fields: str) -> TestResponse:
        """Send the form as a browser does."""
        address = f"/games/{self.game.game}/logs"
        page = Page(self.browser.get(address).text)
        inputs = {attributes.get("name"): attributes for _, attributes in page.elements}
        key = inputs["form_key"]["value"] or ""
        return self.browser.post(address, data={"form_key": key, "token": token} | fields)

    def by_curl(self, token: str | None) -> TestResponse:
        """Ask with the token in a header."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return self.browser.get(f"/games/{self.game.game}/logs.json", headers=headers)


def made(path: Path, whole: bool = True) -> Owned:
    cup = Made(path, "Rated", ["mine", "theirs"], rated=True)
    game = cup.game(1, 0, stderr=f"mine {MARKUP} {TURNED}", notes="my note")
    if whole:
        cup.game(1, 1)
        cup.finish()
    owner, other = (game.seats[seat].bot for seat in (0, 1))
    with writing(path) as db:
        secrets = [new_token(db, name, 20, 5) for name in ("ada", "ben")]
        for label, secret in zip((owner, other), secrets, strict=True):
            token = token_of(db, secret)
            assert token is not None
            with db.atomic():
                keep_submission(db, bot(label), token.id)
    return Owned(path, game, *secrets, create_app(path).test_client())


@pytest.fixture
def owned(tmp_path: Path) -> Owned:
    return made(tmp_path / "owned.db")


def test_the_owner_sees_it_on_a_page(owned: Owned) -> None:
    answer = owned.by_form(owned.mine)
    assert answer.status_code == 200
    assert "my note" in answer.text
    assert f"mine {MARKUP} �gnp.exe�[31m" in Page(answer.text).text
    assert "<script>" not in answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    assert owned.mine not in answer.text


def test_and_with_curl_all_of_it(owned: Owned) -> None:
    answer = owned.by_curl(owned.mine)
    (log,) = answer.json
    assert log["seat"] == 0
    assert log["stderr"] == f"mine {MARKUP} {TURNED}"
    assert log["notes"] == {"1": "my note"}
    assert answer.headers["Cache-Control"] == "no-store"


def test_nobody_else_does(owned: Owned) -> None:
    assert owned.by_curl(None).json == []
    assert owned.by_curl(owned.other).json == []
    answer = owned.by_form(owned.other)
    assert "No bot of this token wrote anything in this game." in answer.text
    assert "my note" not in answer.text
    page = owned.browser.get(f"/games/{owned.game.game}").text
    assert "my note" not in page
    assert f"/games/{owned.game.game}/logs" in page


@pytest.mark.parametrize("secret", ["", "kseri_" + "x" * 43, MARKUP, "no token"])
def test_what_is_no_token(owned: Owned, secret: str) -> None:
    answer = owned.by_form(secret)
    assert answer.status_code == 401
    assert "This is no valid token" in answer.text
    assert owned.by_curl(secret).status_code == 401


def test_a_revoked_token_opens_nothing(owned: Owned) -> None:
    with writing(owned.path) as db:
        revoke_token(db, "ada")
    assert owned.by_curl(owned.mine).status_code == 401


def test_a_bot_of_the_same_name_from_elsewhere_is_not_the_owners(tmp_path: Path) -> None:
    """Names are the organiser's to give in a tournament; files tell whose bot it is."""
    path = tmp_path / "names.db"
    cup = Made(path, "Rated", ["mine", "theirs"], rated=True, version="2.0")
    game = cup.game(1, 0, stderr="of other files")
    cup.game(1, 1)
    cup.finish()
    with writing(path) as db:
        secret = new_token(db, "ada", 20, 5)
        token = token_of(db, secret)
        assert token is not None
        with db.atomic():
            for label in ("mine", "theirs"):
                keep_submission(db, bot(label, "1.0"), token.id)
    owned = Owned(path, game, secret, "", create_app(path).test_client())
    assert owned.by_curl(secret).json == []


def test_not_even_the_owner_sees_it_while_the_decks_are_in_play(tmp_path: Path) -> None:
    owned = made(tmp_path / "open.db", whole=False)
    assert owned.by_curl(owned.mine).json == []
    answer = owned.by_form(owned.mine)
    assert "my note" not in answer.text
    assert "once every game on the same decks is over" in answer.text


def test_a_form_of_another_site_is_refused(owned: Owned) -> None:
    answer = owned.by_form(owned.mine, form_key="stolen")
    assert answer.status_code == 403
    assert "my note" not in answer.text


def test_tokens_can_not_be_tried_without_end(owned: Owned) -> None:
    statuses = [owned.by_curl("kseri_" + "x" * 43).status_code for _ in range(40)]
    assert statuses[0] == 401
    assert statuses[-1] == 429
    assert owned.by_form(owned.mine).status_code == 429
