"""Lists: tournaments, standings, crosstable."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from arena.standings import standings
from arena.store import Reader, ResultRow
from dashboard.crosstable import crosstable
from dashboard.show import duration, halves
from dashboard.whiskers import WIDTH, scale_of
from tests.dashboard.conftest import World
from tests.dashboard.made import Made
from tests.dashboard.page import Page


def test_home_says_what_runs_and_how_far_it_is(client: FlaskClient) -> None:
    text = Page(client.get("/").text).text
    assert "Running cup kseri 2 3 of 60 in progress" in text
    assert "Rated cup kseri 2 2 of 2 finished rated isolation: bubblewrap" in text


def test_standings_of_every_tournament_are_those_of_the_arena(
    client: FlaskClient, world: World
) -> None:
    with Reader(world.path) as reader:
        for tournament in reader.tournaments():
            text = Page(client.get(f"/tournaments/{tournament.id}/").text).text
            for row in standings(reader, tournament.id).lines:
                assert f"{row.wins}-{row.draws}-{row.losses}" in text
            assert f"isolation: {tournament.isolation}" in text
            assert ("rated" if tournament.rated else "unrated") in text


def test_provisional_rows_are_grey_and_bounds_are_marked(client: FlaskClient, world: World) -> None:
    answer = client.get(f"/tournaments/{world.running.id}/")
    assert answer.text.count('class="provisional"') == 2
    assert "prov." in answer.text


def test_whiskers_lie_inside_their_picture(world: World) -> None:
    with Reader(world.path) as reader:
        for tournament in reader.tournaments():
            rows = standings(reader, tournament.id).lines
            scale = scale_of(rows)
            for row in rows:
                whisker = scale.whisker(row)
                assert 0 <= whisker.low <= whisker.point <= whisker.high <= WIDTH


def test_crosstable_counts_both_directions() -> None:
    rows = [ResultRow(["a", "b"], [1.5], 3), ResultRow(["a", "c"], [0.0], 1)]
    a, b, c = crosstable(["a", "b", "c"], rows, 2)
    assert [cell and (cell.score, cell.games, cell.shade) for cell in a.cells] == [
        None,
        (4.5, 6, 15),
        (0, 2, 0),
    ]
    assert [cell and cell.score for cell in b.cells] == [1.5, None, None]
    assert c.total is not None
    assert c.total.percent == 100


def test_partners_are_no_opponents() -> None:
    rows = [ResultRow(["a", "b", "c"], [None, 1.0, 2.0], 1)]
    a, _, _ = crosstable(["a", "b", "c"], rows, 2)
    assert a.cells[1] is None


def test_groups_that_never_met_stand_apart(client: FlaskClient, world: World) -> None:
    made = Made(world.path, "Two rooms", ["a", "b", "c", "d", "idle"], seed=9)
    for pairing in (["a", "b"], ["c", "d"]):
        for match in (1, 2):
            made.game(match, 0, pairing=pairing)
            made.game(match, 1, pairing=pairing)
    text = Page(client.get(f"/tournaments/{made.id}/").text).text
    assert "Group 1" in text
    assert "Group 2" in text
    assert "Without a complete match" in text
    assert "can't be compared" in text


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("/tournaments/999/", "no tournament 999"),
        ("/tournaments/" + "9" * 40 + "/", "no tournament 9"),
        ("/tournaments/x/", "There is no such page."),
        ("/nowhere", "There is no such page."),
    ],
)
def test_what_is_not_there(client: FlaskClient, world: World, address: str, sentence: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 404
    assert sentence in answer.text
    assert str(world.path.parent) not in answer.text


def test_numbers_are_written_with_the_digits_they_are_worth() -> None:
    assert [duration(us) for us in (7, 999, 1_234, 12_345)] == [
        "7\u00a0µs",
        "999\u00a0µs",
        "1.2\u00a0ms",
        "12\u00a0ms",
    ]
    assert [halves(value) for value in (0, 0.5, 17.5, 3)] == ["0", "½", "17½", "3"]
