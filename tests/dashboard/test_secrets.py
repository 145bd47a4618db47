"""What must not be known yet, or by everybody, is on no page."""

from __future__ import annotations

import json

from flask.testing import FlaskClient

from arena.schedule import GameKey
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

    assert "Written to stderr" in text(world.hostile)
    assert "owner only" not in text(world.rated)
    assert "in my hand" not in text(world.open_game)


def test_notes_are_nowhere(every_page: dict[str, Answer]) -> None:
    assert not [address for address, page in every_page.items() if "secret note" in page.text]
