"""Rounds and brackets: what was drawn and what came of it, each tie at its height."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.pairing import Bracket, Met, knockout
from arena.standings import knockout_bracket, knockout_places, swiss_table
from arena.store import Reader
from dashboard import create_app, rounds_page
from dashboard.brackets import MOST_TIES, Column, parts_of
from dashboard.show import halves
from tests.dashboard.cups import LABELS, Cups
from tests.dashboard.page import Page
from tests.tournament.made_up import MadeUp, by_order, entered, played

# Swiss


def test_a_swiss_has_its_table(cup_client: FlaskClient, cups: Cups) -> None:
    text = Page(cup_client.get(f"/tournaments/{cups.swiss}/rounds").text).text
    with Reader(cups.path) as reader:
        lines = swiss_table(reader, reader.stored(cups.swiss))
    assert len(lines) == 7
    for line in lines:
        byes = " bye" * (line.byes == 1)
        margin = f"{line.margin:+.0f}".replace("-", "−")
        assert (
            f"{line.place} {line.label}{byes} {halves(line.score)} {halves(line.buchholz)} "
            f"{line.sonneborn_berger:.2f} {margin}" in text
        )


def test_every_round_of_a_swiss_has_its_pairings_and_results(
    cup_client: FlaskClient, cups: Cups
) -> None:
    with Reader(cups.path) as reader:
        met = reader.met(cups.swiss)
    rounds = {one.pairing.round for one in met}
    assert len(rounds) == 3
    for number in rounds:
        text = cup_client.get(f"/tournaments/{cups.swiss}/rounds?round={number}").text
        words = Page(text).text
        here = [one for one in met if one.pairing.round == number]
        assert text.count("<li>") + text.count('<li class="bye">') == len(here)
        for one in here:
            if one.pairing.is_bye:
                assert f"{one.pairing.entrants[0]} bye" in words
            else:
                a, b = one.pairing.entrants
                result = f"{halves(one.score)} : {halves(one.games - one.score)}"
                assert f"{a} {result} {b}" in words
    latest = cup_client.get(f"/tournaments/{cups.swiss}/rounds").text
    assert "<h2>Round 3 " in latest


def test_long_tables_are_paged(
    cup_client: FlaskClient, cups: Cups, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds_page, "PAGE", 3)
    pages = [
        cup_client.get(f"/tournaments/{cups.swiss}/rounds?round=1&page={page}").text
        for page in (1, 2, 3)
    ]
    rows = [re.findall(r'<th scope="row"><a href="[^"]*">(\w+)</a>', page) for page in pages]
    assert [len(page) for page in rows] == [3, 3, 1]
    assert sorted(chain(*rows)) == sorted((*LABELS, "gnu"))
    assert "Page 2 of 3" in pages[1]


# League


def test_rounds_of_a_league_have_their_pairings(cup_client: FlaskClient, cups: Cups) -> None:
    with Reader(cups.path) as reader:
        pairings = reader.pairings(cups.league)
        stored = reader.stored(cups.league)
    for number in (1, 2, 3):
        words = Page(cup_client.get(f"/tournaments/{cups.league}/rounds?round={number}").text).text
        for pairing in pairings:
            if pairing.round == number:
                a, b = pairing.entrants
                found = re.search(rf"{a} ([\d½]+) : ([\d½]+) {b}\b", words)
                assert found
                games = sum(float(n.replace("½", ".5")) for n in found.groups())
                assert games == pairing.matches * stored.rotations
    assert "its order is that of the standings" in words


def test_a_league_does_not_show_the_secret_of_a_round(cup_client: FlaskClient, cups: Cups) -> None:
    with Reader(cups.path) as reader:
        secrets = [each.master for each in reader.rounds(cups.league)]
        row = reader.round_row(cups.league, 1)
    assert all(secrets)
    assert row is not None
    assert row.master is None


# Knockouts


def ties_on(text: str) -> list[list[str]]:
    """The labels of every tie of two that is shown."""
    boxes = re.findall(r'<a class="tie[^"]*" href="[^"]*\?a=([\w-]+)&amp;b=([\w-]+)">', text)
    return [list(box) for box in boxes]


@pytest.mark.parametrize("name", ["knockout", "double", "open_double"])
def test_a_bracket_has_every_tie_once_with_its_score(
    cup_client: FlaskClient, cups: Cups, name: str
) -> None:
    number: int = getattr(cups, name)
    text = cup_client.get(f"/tournaments/{number}/rounds").text
    with Reader(cups.path) as reader:
        stored = reader.stored(number)
        bracket = knockout_bracket(reader, stored)
        places = knockout_places(reader, stored)
    labels = [[side.label for side in tie.sides] for tie in bracket.ties]
    assert sorted(ties_on(text)) == sorted(pair for pair in labels if None not in pair)
    words = Page(text).text
    for tie in bracket.ties:
        a, b = tie.sides
        if tie.winner and not tie.is_bye:
            won = [" won" * (side.label == tie.winner) for side in (a, b)]
            assert (
                f"{a.label} {halves(a.score)}{won[0]} {b.label} {halves(b.score)}{won[1]}" in words
            )
    assert words.count(" bye") == sum(tie.is_bye for tie in bracket.ties)
    for place in places:
        rank = f"{place.best}" if place.best == place.worst else f"{place.best}–{place.worst}"
        assert f"{rank} {place.label}" in words
    assert (f"Won by {bracket.winner}" in words) == (bracket.winner is not None)


def test_what_is_not_known_yet_says_where_it_comes_from(
    cup_client: FlaskClient, cups: Cups
) -> None:
    words = Page(cup_client.get(f"/tournaments/{cups.open_double}/rounds").text).text
    assert re.search(r"winner of losers' round \d, tie 1", words)


def test_a_round_of_a_knockout_is_a_list_of_its_ties(cup_client: FlaskClient, cups: Cups) -> None:
    with Reader(cups.path) as reader:
        bracket = knockout_bracket(reader, reader.stored(cups.double))
    text = cup_client.get(f"/tournaments/{cups.double}/rounds?round=2").text
    here = [tie for tie in bracket.ties if tie.slot.round == 2]
    assert len(re.findall(r'class="tie[ "]', text)) == len(here)


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 200), st.booleans())
def test_every_winner_goes_on_where_the_lines_lead(entrants: int, double: bool) -> None:
    labels = [f"b{number}" for number in range(entrants)]
    bracket = decided(labels, double)
    for part in parts_of(bracket, entrants, double):
        assert all(len(column.ties) <= MOST_TIES for column in part.columns)
        for column, following in zip(part.columns, part.columns[1:], strict=False):
            if column.flow == "end":
                continue
            step = 2 if column.flow == "half" else 1
            assert len(column.ties) == step * len(following.ties)
            assert_lines(column, following, step)


def assert_lines(column: Column, following: Column, step: int) -> None:
    for place, tie in enumerate(column.ties):
        if tie and tie.winner:
            onward = following.ties[place // step]
            assert onward is not None
            assert tie.winner in [side.label for side in onward.sides]


def decided(labels: list[str], double: bool) -> Bracket:
    """A knockout that the better seed always wins."""
    met: list[Met] = []
    seed = {label: number for number, label in enumerate(labels)}
    while pairings := knockout.next_round(labels, met, 1, double):
        for pairing in pairings:
            if not pairing.is_bye:
                a, b = pairing.entrants
                met.append(Met(pairing, 2, 2.0 if seed[a] < seed[b] else 0.0, 0.0))
    return knockout.bracket(labels, met, double)


def test_all_ties_that_are_not_drawn_are_lists_of_their_rounds(tmp_path: Path) -> None:
    path = tmp_path / "large.db"
    labels = [f"b{number:02}" for number in range(40)]
    entry = entered(path, *labels, kind="knockout")
    played(path, entry, MadeUp(by_order(*labels)))
    client = create_app(path).test_client()
    shown = ties_on(client.get("/tournaments/1/rounds").text)
    for number in (1, 2):
        shown += ties_on(client.get(f"/tournaments/1/rounds?round={number}").text)
    with Reader(path) as reader:
        bracket = knockout_bracket(reader, reader.stored(1))
    wanted = [[side.label for side in tie.sides] for tie in bracket.ties if not tie.is_bye]
    assert {tuple(pair) for pair in shown} == {tuple(pair) for pair in wanted}
    assert len(wanted) == 39


# All kinds


@pytest.mark.parametrize(
    ("name", "query", "sentence"),
    [
        ("cup", "", "is not played in rounds"),
        ("swiss", "?round=9", "round: there are rounds 1 to 3 so far."),
        ("swiss", "?round=0", "round: there are rounds 1 to 3 so far."),
        ("knockout", "?round=x", "round: expected a whole number"),
    ],
)
def test_what_is_not_there(
    cup_client: FlaskClient, cups: Cups, name: str, query: str, sentence: str
) -> None:
    answer = cup_client.get(f"/tournaments/{getattr(cups, name)}/rounds{query}")
    assert answer.status_code == 404
    assert sentence in answer.text


def test_ways_to_rounds_stand_on_tournaments_that_have_them(
    cup_client: FlaskClient, cups: Cups
) -> None:
    for name, word in (("swiss", "Rounds"), ("league", "Rounds"), ("double", "Bracket")):
        text = cup_client.get(f"/tournaments/{getattr(cups, name)}/").text
        assert f'/rounds">{word}</a>' in text
    assert "/rounds" not in cup_client.get(f"/tournaments/{cups.cup}/").text
