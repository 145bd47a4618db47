"""The page that explains a rating; that the numbers are right is tested with `arena.standings`."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from arena.standings import Explanation, explain, standings
from arena.store import Reader
from tests.dashboard.conftest import World
from tests.dashboard.cups import LABELS, Cups
from tests.dashboard.page import Page


def explained(cups: Cups, label: str, *without: str) -> Explanation:
    with Reader(cups.path) as reader:
        found = explain(reader, standings(reader, cups.cup), cups.cup, label, without)
    assert found is not None
    return found


def signed(value: float) -> str:
    return f"{value:+.1f}".replace("-", "−")


@pytest.mark.parametrize("label", LABELS)
def test_every_opponent_has_a_row_with_what_it_moved(
    cup_client: FlaskClient, cups: Cups, label: str
) -> None:
    answer = cup_client.get(f"/tournaments/{cups.cup}/explain?bot={label}")
    text, found = Page(answer.text).text, explained(cups, label)
    assert len(found.influences) == len(LABELS) - 1
    for one in found.influences:
        m = one.meeting
        assert f"{m.b} {one.rating:.0f} {m.wins}-{m.draws}-{m.losses} {one.expected:.1f} " in text
        assert f"{signed(one.residual)} {signed(one.moved)} {signed(one.win_moves)}" in text
        assert f"/head-to-head?a={label}&amp;b={m.b}" in answer.text
    assert answer.text.count('class="up"') == sum(one.moved > 0 for one in found.influences)
    assert f"{signed(found.elo_a_game)} Elo" in text


def test_the_cycle_is_what_lowered_the_favourite(cup_client: FlaskClient, cups: Cups) -> None:
    text = cup_client.get(f"/tournaments/{cups.cup}/explain?bot=ace").text
    rows = re.findall(r'<th scope="row"><a href="[^"]*">(\w+)</a>', text)
    assert rows[-1] == "dog"


@pytest.mark.parametrize("query", ["without=dog&without=elk", "without=dog,elk"])
def test_what_it_would_be_without_some_of_them(
    cup_client: FlaskClient, cups: Cups, query: str
) -> None:
    answer = cup_client.get(f"/tournaments/{cups.cup}/explain?bot=ace&{query}")
    found = explained(cups, "ace", "dog", "elk")
    assert found.rating_without is not None
    text = Page(answer.text).text
    assert f"Without the games against {', '.join(found.without)}" in text
    change = found.rating_without - found.rating
    assert (
        f"{found.rating_without:.0f} in place of {found.rating:.0f}: {signed(change)} Elo" in text
    )
    ticked = re.findall(r'name="without" value="(\w+)"[^>]* checked', answer.text)
    assert sorted(ticked) == ["dog", "elk"]


def test_without_everybody_no_game_is_left(cup_client: FlaskClient, cups: Cups) -> None:
    query = ",".join(LABELS[1:])
    answer = cup_client.get(f"/tournaments/{cups.cup}/explain?bot=ace&without={query}")
    assert "Without these opponents no game is left." in Page(answer.text).text


def test_nobody_chosen_is_a_choice_of_all(cup_client: FlaskClient, cups: Cups) -> None:
    answer = cup_client.get(f"/tournaments/{cups.cup}/explain")
    assert answer.status_code == 200
    assert answer.text.count("<option") == len(LABELS) + 1


def test_where_partners_are_drawn_it_says_why_there_is_none(
    cup_client: FlaskClient, cups: Cups
) -> None:
    text = Page(cup_client.get(f"/tournaments/{cups.drawn}/explain?bot=ace").text).text
    assert "Where partners are drawn a result is that of two" in text


def test_a_provisional_rating_is_marked_and_explained(client: FlaskClient, world: World) -> None:
    text = Page(client.get(f"/tournaments/{world.running.id}/explain?bot=a").text).text
    assert "prov." in text
    assert "What moved it, by opponent" in text


def test_nobody_of_that_name(cup_client: FlaskClient, cups: Cups) -> None:
    answer = cup_client.get(f"/tournaments/{cups.cup}/explain?bot=zebra")
    assert answer.status_code == 404
    assert "bot: nobody of that name is in this tournament." in answer.text
