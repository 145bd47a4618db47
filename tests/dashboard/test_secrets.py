"""What must not be known yet, or by everybody, is on no page."""

from __future__ import annotations

import json

import pytest
from flask import Flask
from flask.testing import FlaskClient

from arena.schedule import GameKey
from dashboard.logs import SETTING
from protocol.records import GameRecord
from tests.dashboard.conftest import Answer, World
from tests.dashboard.page import Page


def test_neither_seed_nor_master_secret_of_what_is_not_over(
    every_page: dict[str, Answer], world: World
) -> None:
    secret = world.running.secret
    hidden = [
        world.running.master.hex(),
        secret.seed("a,b", GameKey(2, 0, 0)).hex(),
        secret.salt("a,b", GameKey(2, 0, 0)).hex(),
    ]
    for address, answer in every_page.items():
        assert not [value for value in hidden if value in answer.text], address


def test_a_game_whose_decks_are_in_play_shows_no_card(client: FlaskClient, world: World) -> None:
    game = world.open_game.game
    for query in ("", "?deal=2&move=17", "?part=1"):
        answer = client.get(f"/games/{game}{query}")
        assert answer.status_code == 200
        page = Page(answer.text)
        assert "once every game on the same decks is over" in page.text
        assert not list(page.all("data-card"))
        assert "7H" not in answer.text
        assert world.open_game.commitment in answer.text


def test_its_record_has_neither_plays_nor_what_tells_of_them(
    client: FlaskClient, world: World
) -> None:
    data = client.get(f"/games/{world.open_game.game}.json").data
    assert b"7H" not in data
    found = json.loads(data)
    assert found["deals"] == []
    assert "seed" not in found
    assert "salt" not in found
    assert found["scores"] == world.open_game.scores
    assert [fault["kind"] for fault in found["faults"]] == ["illegal"]


def test_a_complete_match_of_a_running_tournament_is_shown(
    client: FlaskClient, world: World
) -> None:
    page = Page(client.get(f"/games/{world.closed_game.game}").text)
    assert list(page.all("data-card"))
    assert "once every game" not in page.text


def test_stderr_is_for_all_only_where_the_game_is_unrated_and_over(
    client: FlaskClient, world: World
) -> None:
    def text(record: GameRecord) -> str:
        return client.get(f"/games/{record.game}").text

    assert "seat 0: stderr" in text(world.hostile)
    assert "owner only" not in text(world.rated)
    assert "in my hand" not in text(world.open_game)


def test_so_are_notes(every_page: dict[str, Answer], world: World) -> None:
    with_note = {address for address, page in every_page.items() if "secret note" in page.text}
    assert with_note
    assert {address[: len("/games/") + 16] for address in with_note} == {
        f"/games/{world.hostile.game}"
    }


@pytest.mark.parametrize(
    ("setting", "of_unrated", "of_rated"),
    [("unrated", True, False), ("finished", True, True), ("none", False, False)],
)
def test_what_bots_wrote_is_for_all_by_a_setting(
    app: Flask, world: World, setting: str, of_unrated: bool, of_rated: bool
) -> None:
    app.config[SETTING] = setting
    client = app.test_client()
    for record, is_shown in (
        (world.hostile, of_unrated),
        (world.rated, of_rated),
        (world.open_game, False),
        (world.closed_game, False),
    ):
        text = client.get(f"/games/{record.game}").text
        assert ("secret note" in text) == is_shown
        assert ("seat 0: stderr" in text) == is_shown
