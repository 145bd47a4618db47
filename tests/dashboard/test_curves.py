"""Rating curves: what is drawn is what was kept, inside its picture, with labels to be read."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.standings import standings
from arena.store import Reader
from dashboard.curve_picture import BOTTOM, LEFT, RIGHT, TOP, Picture, picture_of
from dashboard.curves import Curve, CurvePoint, curves
from tests.dashboard.conftest import World
from tests.dashboard.cups import LABELS, Cups
from tests.dashboard.page import Page

LABEL_HEIGHT = 15


def drawn_on(text: str) -> list[str]:
    """The names at the ends of the curves."""
    return re.findall(r'<text class="name"[^>]*>([^<]*)</text>', text)


def numbers(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.e+]+),(-?[\d.e+]+)", path)]


def test_curves_are_the_history_that_was_kept(cups: Cups) -> None:
    with Reader(cups.path) as reader:
        entrants = [entrant.label for entrant in reader.entrants(cups.cup)]
        found = curves(reader, cups.cup, ["dog", "ace"])
        places = [entrants.index("dog"), entrants.index("ace")]
        history = reader.rating_history(cups.cup, places)
        lines = {line.label: line for line in standings(reader, cups.cup).lines}
    assert [curve.label for curve in found] == ["dog", "ace"]
    for number, curve in enumerate(found):
        assert len(curve.points) == len(history) >= 20
        for point, (matches, points) in zip(curve.points, history, strict=True):
            kept = points[number]
            assert kept is not None
            assert (point.matches, point.rating, point.error) == (matches, *kept[:2])
        last = curve.points[-1]
        assert last.rating == pytest.approx(lines[curve.label].rating, abs=0.01)
        assert last.error == pytest.approx(lines[curve.label].error, abs=0.01)
        assert last.matches == 210


def test_every_curve_is_labelled_at_its_end_with_the_rating(
    cup_client: FlaskClient, cups: Cups
) -> None:
    text = cup_client.get(f"/tournaments/{cups.cup}/curves").text
    with Reader(cups.path) as reader:
        lines = standings(reader, cups.cup).lines
    assert drawn_on(text) == [f"{line.label} {line.rating:.0f}" for line in lines]
    assert text.count('class="band"') == len(LABELS)


@pytest.mark.parametrize("query", ["bots=dog,ace", "bots=dog&bots=ace", "bots=ace,dog&bots="])
def test_the_address_says_whose_curves(cup_client: FlaskClient, cups: Cups, query: str) -> None:
    text = cup_client.get(f"/tournaments/{cups.cup}/curves?{query}").text
    assert [name.split()[0] for name in drawn_on(text)] == ["ace", "dog"]
    ticked = re.findall(r'name="bots" value="(\w+)" checked', text)
    assert ticked == ["ace", "dog"]


def test_online_elo_is_named_as_such(cup_client: FlaskClient, cups: Cups) -> None:
    text = cup_client.get(f"/tournaments/{cups.cup}/curves?by=online&bots=ace").text
    with Reader(cups.path) as reader:
        [curve] = curves(reader, cups.cup, ["ace"])
    assert drawn_on(text) == [f"ace {curve.points[-1].online:.0f}"]
    assert "It is history, not the rating." in Page(text).text
    assert 'class="band"' not in text


def test_the_same_stands_there_as_numbers(cup_client: FlaskClient, cups: Cups) -> None:
    text = Page(cup_client.get(f"/tournaments/{cups.cup}/curves?bots=cat").text).text
    with Reader(cups.path) as reader:
        [curve] = curves(reader, cups.cup, ["cat"])
    last = curve.points[-1]
    assert re.search(rf"cat( .*)? {last.rating:.0f} ± {last.error:.0f} Whose curves", text)


def test_without_a_history_it_says_so(client: FlaskClient, world: World) -> None:
    text = Page(client.get(f"/tournaments/{world.running.id}/curves").text).text
    assert "There is no curve yet" in text
    assert "Draw" in text


@pytest.mark.parametrize(
    ("query", "sentence"),
    [("bots=zebra", "nobody of the name zebra"), ("by=magic", "by: expected one of fit, online")],
)
def test_what_is_not_there(cup_client: FlaskClient, cups: Cups, query: str, sentence: str) -> None:
    answer = cup_client.get(f"/tournaments/{cups.cup}/curves?{query}")
    assert answer.status_code == 404
    assert sentence in answer.text


def test_no_more_curves_than_can_be_told_apart(cup_client: FlaskClient, cups: Cups) -> None:
    text = cup_client.get(f"/tournaments/{cups.cup}/curves?bots={','.join(LABELS)}").text
    colours = re.findall(r'<g class="(curve-\d(?: dashed)?)">', text)
    assert len(set(colours)) == len(colours) == len(LABELS)


RATING = st.floats(800, 2400)
POINTS = st.lists(st.tuples(RATING, st.none() | st.floats(0.1, 400)), min_size=2, max_size=30)


def made(values: list[list[tuple[float, float | None]]]) -> list[Curve]:
    return [
        Curve(
            label=f"bot-{number}",
            points=[
                CurvePoint(matches=10 * (n + 1), rating=rating, error=error, online=rating)
                for n, (rating, error) in enumerate(points)
            ],
        )
        for number, points in enumerate(values)
    ]


@settings(deadline=None)
@given(st.lists(POINTS, min_size=1, max_size=16))
def test_curves_lie_inside_their_bands_and_end_inside_the_picture(
    values: list[list[tuple[float, float | None]]],
) -> None:
    picture = picture_of(made(values), False)
    assert picture is not None
    for one, points in zip(picture.series, values, strict=True):
        line = numbers(one.line)
        assert len(line) == len(points)
        assert [x for x, _ in line] == sorted(x for x, _ in line)
        assert LEFT <= line[-1][0] <= RIGHT
        band = numbers(one.band)
        known = [error is not None for _, error in points]
        assert bool(band) == any(a and b for a, b in pairwise(known))
        for (x, y), (_, error) in zip(line, points, strict=True):
            heights = [height for across, height in band if across == x]
            if heights and error is not None:
                assert min(heights) <= y <= max(heights)
    assert_grid(picture)
    assert_labels(picture)


def assert_grid(picture: Picture) -> None:
    heights = [y for y, _ in picture.rows]
    assert heights[0] == pytest.approx(BOTTOM)
    assert heights[-1] == pytest.approx(TOP)
    assert 3 <= len(heights) <= 14
    steps = {round(int(b) - int(a)) for (_, a), (_, b) in pairwise(picture.rows)}
    assert len(steps) == 1 or max(steps) <= 1, "less than one Elo is written without digits"
    assert [x for x, _ in picture.columns] == sorted(x for x, _ in picture.columns)


def assert_labels(picture: Picture) -> None:
    heights = sorted(one.label_y for one in picture.series)
    assert all(b - a >= LABEL_HEIGHT - 0.2 for a, b in pairwise(heights))
    assert heights[0] >= TOP
    assert heights[-1] <= BOTTOM


def test_whatever_comes_late_is_inside(cups: Cups) -> None:
    with Reader(cups.path) as reader:
        found = curves(reader, cups.cup, LABELS)
    picture = picture_of(found, False)
    assert picture is not None
    for one in picture.series:
        for x, y in numbers(one.line):
            if x > LEFT + 0.1 * (RIGHT - LEFT):
                assert TOP <= y <= BOTTOM


def test_one_time_alone_is_no_curve() -> None:
    assert picture_of(made([[(1500.0, None)]]), False) is None
    assert picture_of([], True) is None
