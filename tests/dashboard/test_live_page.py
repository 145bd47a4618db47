"""The page of a tournament while it is played, and that of a game whose decks are in play."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from arena.store import Reader
from dashboard import create_app
from dashboard.home import running_now
from tests.dashboard.cups import Cups
from tests.dashboard.made import Made
from tests.dashboard.page import Page


@pytest.fixture
def cup(tmp_path: Path) -> Made:
    """Of its first match one game of two is over, of its second both are."""
    made = Made(tmp_path / "cup.db", "Cup", ["ann", "ben"], matches=9)
    made.game(1, 0)
    made.game(2, 0)
    made.game(2, 1)
    return made


def in_play(path: Path) -> list[list[tuple[int, int]]]:
    """Match and rotation of the games that are over, by match in play."""
    with Reader(path) as reader:
        return [
            [(game.match, game.rotation) for game in games]
            for games in reader.matches_in_play(1, 10)
        ]


def test_a_match_is_in_play_while_some_of_its_games_are_over(cup: Made) -> None:
    assert in_play(cup.path) == [[(1, 0)]]
    cup.game(1, 1)
    assert in_play(cup.path) == []
    cup.game(4, 1)
    cup.game(3, 0)
    assert in_play(cup.path) == [[(3, 0)], [(4, 1)]], "the latest first"


def test_the_page_shows_results_and_no_cards(cup: Made) -> None:
    client = create_app(cup.path).test_client()
    text = client.get("/tournaments/1/live").text
    page = Page(text)
    with Reader(cup.path) as reader:
        games = reader.games()
    assert {f"/games/{game.game}" for game in games} <= set(page.links())
    assert "Matches in play" in page.text
    assert "data-card" not in text
    assert "3 of 18 games" in page.text
    assert "/tournaments/1/live" in Page(client.get("/tournaments/1/").text).links()


def test_of_one_that_is_over_it_says_so(cup: Made) -> None:
    cup.finish()
    client = create_app(cup.path).test_client()
    assert "This tournament is over" in Page(client.get("/tournaments/1/live").text).text
    assert "/tournaments/1/live" not in Page(client.get("/tournaments/1/").text).links()
    assert client.get("/tournaments/2/live").status_code == 404


def test_a_game_in_play_names_the_others_on_its_decks(cup: Made) -> None:
    game = cup.game(5, 1)
    client = create_app(cup.path).test_client()
    page = Page(client.get(f"/games/{game.game}").text)
    assert "2, this one" in page.text
    assert "1 still to come" in page.text
    assert "/tournaments/1/live" in page.links()
    part = client.get(f"/games/{game.game}?part=state").text
    assert "data-reload" not in part
    cup.game(5, 0)
    assert "data-reload" in client.get(f"/games/{game.game}?part=state").text


def test_one_that_stands_still_has_no_pace(cups: Cups, cup_client: FlaskClient) -> None:
    page = Page(cup_client.get(f"/tournaments/{cups.running}/live").text)
    assert "Stands still since" in page.text
    assert "a minute" not in page.text


def test_the_pace_of_one_that_is_played_is_that_of_the_latest_games(tmp_path: Path) -> None:
    made = Made(tmp_path / "cup.db", "Cup", ["ann", "ben"], matches=9)
    for match in range(1, 4):
        made.game(match, 0)
        made.game(match, 1)
    with Reader(made.path) as reader:
        row = reader.tournament_row(made.id)
        found = running_now(reader, row, datetime(2026, 1, 1, 12, 0, 5, tzinfo=UTC))
    # Six games that all began within one second.
    assert (found.is_still, found.a_minute, found.left) == (False, 300, "2\u00a0s")
