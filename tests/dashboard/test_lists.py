"""Lists: what runs, standings in every order, the crosstable."""

from __future__ import annotations

import re
import shutil
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from arena.rating import WinShare
from arena.standings import cached_standings, keep_shares, refresh, standings
from arena.store import Reader, writing
from dashboard import create_app, crosstable_page, standings_page
from dashboard.crosstable import crosstable
from dashboard.home import about
from dashboard.show import duration, halves
from dashboard.standing_rows import ORDERS, in_order, standing_rows
from dashboard.whiskers import WIDTH, scale_of
from protocol.records import GameRecord
from tests.dashboard.conftest import World
from tests.dashboard.cups import FAULTY, Cups
from tests.dashboard.made import Made
from tests.dashboard.page import Page


def text_of(client: FlaskClient, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, answer.text
    return Page(answer.text).text


def named_in(text: str) -> list[str]:
    """The bots of the standings, in the order of their rows."""
    return re.findall(r'<th scope="row"><a href="[^"]*">([^<]*)</a>', text)


# Home


def test_home_says_what_runs_and_how_far_it_is(client: FlaskClient) -> None:
    text = text_of(client, "/")
    assert "Running cup 3 of 60 games · 2 bots · round-robin, kseri Stands still since" in text
    assert "Rated cup round-robin kseri 2 2 of 2 finished rated isolation: bubblewrap" in text


@pytest.fixture
def copied(cups: Cups, tmp_path: Path) -> Path:
    """A database of its own, to be changed."""
    path = tmp_path / "copied.db"
    with writing(cups.path) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(cups.path, path)
    return path


def test_home_says_how_long_the_rest_takes(copied: Path, cups: Cups) -> None:
    """Ten games in the last minute and a half, 240 to go: about 40 minutes."""
    now = datetime.now(UTC)
    with writing(copied) as db, db.atomic():
        query = "SELECT id FROM games WHERE tournament_id = ? ORDER BY id DESC"
        numbers = [number for (number,) in db.execute(query, [cups.running])]
        for place, number in enumerate(numbers):
            started = (now - timedelta(seconds=10 * place)).strftime("%Y-%m-%dT%H:%M:%SZ")
            db.execute("UPDATE games SET started = ? WHERE id = ?", [started, number])
    text = text_of(create_app(copied).test_client(), "/")
    assert "Half a cup 180 of 420 games · 6 bots · round-robin, kseri Being played;" in text
    assert "about 40\u00a0min left".replace("\u00a0", " ") in text


def test_a_paused_tournament_is_called_so(copied: Path, cups: Cups) -> None:
    with writing(copied) as db, db.atomic():
        db.execute("UPDATE tournaments SET paused = 'now' WHERE id = ?", [cups.running])
    text = text_of(create_app(copied).test_client(), "/")
    assert "180 of 420 games · 6 bots · round-robin, kseri Paused" in text


def test_all_tournaments_are_reached_page_by_page(
    client: FlaskClient, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.home._PAGE", 5)
    address: str | None = "/"
    found: list[int] = []
    while address:
        text = client.get(address).text
        found += map(
            int, re.findall(r'row"><a href="/tournaments/(\d+)/"', text.split("All t", 1)[1])
        )
        older = re.search(r'rel="next" href="(/\?before=\d+)"', text)
        address = older[1] if older else None
    with Reader(world.path) as reader:
        assert found == [row.id for row in reader.tournaments()]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "1 s"), (40, "40 s"), (200, "3 min"), (6000, "2 h"), (400_000, "5 days")],
)
def test_a_time_to_wait_has_the_digits_of_an_estimate(seconds: float, text: str) -> None:
    assert about(seconds) == text.replace(" ", "\u00a0")


# Standings


def test_standings_of_every_tournament_are_those_of_the_arena(
    client: FlaskClient, world: World
) -> None:
    with Reader(world.path) as reader:
        for tournament in reader.tournaments():
            text = text_of(client, f"/tournaments/{tournament.id}/")
            for row in standings(reader, tournament.id).lines:
                assert f"{row.wins}-{row.draws}-{row.losses}" in text
            assert f"isolation: {tournament.isolation}" in text
            assert ("rated" if tournament.rated else "unrated") in text


def test_every_column_of_a_row(cup_client: FlaskClient, cups: Cups) -> None:
    text = text_of(cup_client, f"/tournaments/{cups.cup}/")
    with Reader(cups.path) as reader:
        found = standings(reader, cups.cup)
        faults = reader.fault_kinds(cups.cup)
    for row in found.lines:
        assert row.error is not None
        assert row.points is not None
        assert row.points_error is not None
        points = f"{row.points:+.2f}".replace("-", "−")
        percent = 100 * (row.wins + row.draws / 2) / row.games
        left = "set aside " if row.departure else ""
        crashes = f"{row.faults} {faults[row.label]['crash']} crash" if row.faults else "0"
        assert (
            f"{row.rank_text} {row.label} 1.0 {left}{row.elo_text} {row.error:.0f} "
            f"{row.wins}-{row.draws}-{row.losses} {percent:.1f} "
            f"{points} ± {row.points_error:.2f}" in text
        )
        assert f"0.00 {crashes} –" in text
    assert faults.keys() == {FAULTY}
    assert "set aside : It forfeited too many games in a row" in text


def test_provisional_rows_are_grey_and_bounds_are_marked(client: FlaskClient, world: World) -> None:
    answer = client.get(f"/tournaments/{world.running.id}/")
    assert answer.text.count('class="provisional"') == 2
    assert "prov." in answer.text


VALUES: dict[str, Any] = {
    "rank": lambda row: -row.rating,
    "won": lambda row: -row.wins,
    "win": lambda row: -(row.wins + row.draws / 2) / row.games,
    "points": lambda row: -row.points,
    "faults": lambda row: -row.faults,
}


@pytest.mark.parametrize("order", VALUES)
@pytest.mark.parametrize("reverse", [False, True])
def test_rows_stand_in_the_order_that_is_asked_for(
    cup_client: FlaskClient, cups: Cups, order: str, reverse: bool
) -> None:
    address = f"/tournaments/{cups.cup}/?sort={order}{'&reverse=1' if reverse else ''}"
    text = cup_client.get(address).text
    with Reader(cups.path) as reader:
        lines = {line.label: line for line in standings(reader, cups.cup).lines}
    values = [VALUES[order](lines[label]) for label in named_in(text)]
    assert len(values) == len(lines)
    assert values == sorted(values, reverse=reverse)
    assert f'aria-sort="{"descending" if reverse else "ascending"}"' in text


def test_every_order_has_a_link_and_keeps_all_rows(cup_client: FlaskClient, cups: Cups) -> None:
    first = cup_client.get(f"/tournaments/{cups.cup}/").text
    orders = set(re.findall(r"\?sort=(\w+)", first))
    assert orders | {"rank"} == {*ORDERS, "bot"} - {"luck"}
    for order in orders:
        text = cup_client.get(f"/tournaments/{cups.cup}/?sort={order}").text
        assert sorted(named_in(text)) == sorted(named_in(first))
    by_name = cup_client.get(f"/tournaments/{cups.cup}/?sort=bot").text
    assert named_in(by_name) == sorted(named_in(first))


def test_who_has_no_value_comes_last_whichever_way(client: FlaskClient, world: World) -> None:
    made = Made(world.path, "One idle", ["a", "b", "idle"], seed=19)
    made.game(1, 0, pairing=["a", "b"])
    made.game(1, 1, pairing=["a", "b"])
    with Reader(world.path) as reader:
        rows = standing_rows(reader, cached_standings(reader, made.id), made.id)
    for order in ("rank", "win", "points", "time"):
        for reverse in (False, True):
            assert in_order(rows, order, reverse)[-1].label == "idle"


def test_long_standings_are_paged_and_searched(
    cup_client: FlaskClient, cups: Cups, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = named_in(cup_client.get(f"/tournaments/{cups.cup}/").text)
    monkeypatch.setattr(standings_page, "PAGE", 4)
    first = cup_client.get(f"/tournaments/{cups.cup}/").text
    assert "Page 1 of 2" in first
    (following,) = re.findall(r'rel="next" href="([^"]+)"', first)
    second = cup_client.get(following.replace("&amp;", "&")).text
    assert named_in(first) + named_in(second) == whole
    searched = cup_client.get(f"/tournaments/{cups.cup}/?find=O").text
    assert sorted(named_in(searched)) == ["boss", "dog"]
    assert 'value="O"' in searched
    assert "No bot" in cup_client.get(f"/tournaments/{cups.cup}/?find=zebra").text
    assert named_in(cup_client.get(f"/tournaments/{cups.cup}/?page=99").text) == whole[4:]


def test_while_games_are_played_it_says_of_how_many_the_standings_are(
    copied: Path, cups: Cups
) -> None:
    refresh(copied, cups.running)
    with writing(copied) as db, db.atomic():
        db.execute("UPDATE tournaments SET games_played = 184 WHERE id = ?", [cups.running])
    text = text_of(create_app(copied).test_client(), f"/tournaments/{cups.running}/")
    assert "Of 180 of the 184 games that are stored by now" in text


def test_what_one_number_does_not_describe_is_said(cup_client: FlaskClient, cups: Cups) -> None:
    with Reader(cups.path) as reader:
        [scale] = standings(reader, cups.cup).scales
    assert scale.non_transitive, "dog beats ace"
    for page in ("", "crosstable"):
        text = text_of(cup_client, f"/tournaments/{cups.cup}/{page}")
        assert "One number a bot does not say here who beats whom" in text
        assert f"{scale.p_value:.2g}" in text


def test_win_percent_without_luck_is_shown_where_it_was_measured(copied: Path, cups: Cups) -> None:
    client = create_app(copied).test_client()
    before = text_of(client, f"/tournaments/{cups.cup}/")
    assert "Without luck" not in before
    assert f"kseri standings --luck --tournament {cups.cup} --db {copied.name}" in before
    share = WinShare(0, None, 28, 56, 0.5, 0.1, 0.02, 0.4812, 0.0534, None)
    over = WinShare(1, None, 3, 6, 1.0, None, 0.0, 1.02, None, None)
    keep_shares(copied, cups.cup, {"ace": share, "boss": over})
    text = text_of(client, f"/tournaments/{cups.cup}/")
    assert "Without luck %" in text
    assert "48.1 ± 5.3" in text
    assert "100.0" in text


def test_whiskers_lie_inside_their_picture(world: World, cups: Cups) -> None:
    for path in (world.path, cups.path):
        with Reader(path) as reader:
            for tournament in reader.tournaments():
                rows = [row for row in standings(reader, tournament.id).lines if row.is_rated]
                scale = scale_of(rows)
                for row in rows:
                    whisker = scale.whisker(row)
                    assert 0 <= whisker.low <= whisker.point <= whisker.high <= WIDTH


def test_groups_that_never_met_stand_apart(client: FlaskClient, world: World) -> None:
    made = Made(world.path, "Two rooms", ["a", "b", "c", "d", "idle"], seed=9)
    for pairing in (["a", "b"], ["c", "d"]):
        for match in (1, 2):
            made.game(match, 0, pairing=pairing)
            made.game(match, 1, pairing=pairing)
    text = text_of(client, f"/tournaments/{made.id}/")
    assert "Group 1" in text
    assert "Group 2" in text
    assert "Without a complete match" in text
    assert "can't be compared" in text


# Crosstable


def counted(records: list[GameRecord], one: str, other: str) -> tuple[int, int, int]:
    """Games that the first of two won, drew and lost, by their records."""
    found = [0, 0, 0]
    for record in records:
        sides = {seat.bot: seat.side for seat in record.seats}
        if {one, other} <= sides.keys() and sides[one] != sides[other]:
            own, its = record.ranks[sides[one]], record.ranks[sides[other]]
            found[1 if own == its else 0 if own < its else 2] += 1
    return found[0], found[1], found[2]


@pytest.mark.parametrize("name", ["cup", "at_four", "drawn"])
def test_every_cell_has_the_games_of_the_two(cups: Cups, name: str) -> None:
    number: int = getattr(cups, name)
    with Reader(cups.path) as reader:
        records = list(reader.records(number, canonical=True))
        lines = crosstable(reader, standings(reader, number), number)
    assert len(lines) >= 5
    for line in lines:
        total = [0, 0, 0]
        for other, cell in zip(lines, line.cells, strict=True):
            games = counted(records, line.label, other.label) if other != line else (0, 0, 0)
            assert (cell.wins, cell.draws, cell.losses) == games if cell else games == (0, 0, 0)
            total = [sum(pair) for pair in zip(total, games, strict=True)]
            if cell:
                assert cell.percent == pytest.approx(100 * (games[0] + games[1] / 2) / sum(games))
                assert cell.shade == round(cell.percent / 5)
        assert line.total is not None
        assert [line.total.wins, line.total.draws, line.total.losses] == total


def test_cells_are_numbers_with_a_legend_and_lead_to_the_two(
    cup_client: FlaskClient, cups: Cups
) -> None:
    text = cup_client.get(f"/tournaments/{cups.cup}/crosstable").text
    with Reader(cups.path) as reader:
        lines = crosstable(reader, standings(reader, cups.cup), cups.cup)
    cells = re.findall(
        r'<td class="h(\d+)"><a href="([^"]+)">(\d+)<i>(\d+)-(\d+)-(\d+)</i></a></td>', text
    )
    wanted = [
        (line.label, other.label, cell)
        for line in lines
        for other, cell in zip(lines, line.cells, strict=True)
        if cell
    ]
    assert len(cells) == len(wanted) == 30
    for (shade, address, percent, *record), (label, other, cell) in zip(cells, wanted, strict=True):
        assert int(shade) == cell.shade
        assert percent == f"{cell.percent:.0f}"
        assert [*map(int, record)] == [cell.wins, cell.draws, cell.losses]
        assert f"{label} against {other}" in text_of(cup_client, address)
    assert all(f'<i class="h{shade}"></i>' in text for shade in range(21))


def test_residuals_are_shown_on_demand(cup_client: FlaskClient, cups: Cups) -> None:
    plain = cup_client.get(f"/tournaments/{cups.cup}/crosstable").text
    (address,) = re.findall(r'href="([^"]*residuals=1)"', plain)
    text = cup_client.get(address).text
    with Reader(cups.path) as reader:
        lines = crosstable(reader, standings(reader, cups.cup), cups.cup)
    found = {
        (line.label, other.label): cell
        for line in lines
        for other, cell in zip(lines, line.cells, strict=True)
        if cell
    }
    for cell in found.values():
        assert cell.residual is not None
        shown = f"{cell.residual:+.1f}".replace("-", "−")
        record = f"{cell.wins}-{cell.draws}-{cell.losses}"
        assert f">{shown}<i>{record}</i>" in text
    assert (found["dog", "ace"].residual or 0) > 2
    assert found["dog", "ace"].residual_shade > 16
    assert found["ace", "dog"].residual_shade < 4
    for (one, other), (back, forth) in pairwise(found):
        if (one, other) == (forth, back):
            assert found[one, other].residual == -(found[back, forth].residual or 0)


def test_many_opponents_stand_on_several_pages(
    cup_client: FlaskClient, cups: Cups, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crosstable_page, "COLUMNS", 4)
    for part, columns in ((1, 4), (2, 2)):
        text = cup_client.get(f"/tournaments/{cups.cup}/crosstable?columns={part}").text
        assert text.count('<th scope="col"><abbr') == columns
        assert text.count('<th scope="row">') == 6
        assert "against 5–6" in text


def test_too_many_bots_have_no_crosstable(
    cup_client: FlaskClient, cups: Cups, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.tournament_head.MOST_CROSSED", 5)
    monkeypatch.setattr(crosstable_page, "MOST_CROSSED", 5)
    answer = cup_client.get(f"/tournaments/{cups.cup}/crosstable")
    assert answer.status_code == 404
    assert "A crosstable has 5 bots at most; look at two of them" in answer.text
    assert "/crosstable" not in cup_client.get(f"/tournaments/{cups.cup}/").text.split("hint")[0]


# All of them


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("/tournaments/999/", "no tournament 999"),
        ("/tournaments/" + "9" * 40 + "/", "no tournament 9"),
        ("/tournaments/x/", "There is no such page."),
        ("/nowhere", "There is no such page."),
        ("/?before=x", "before: expected a whole number"),
        ("/tournaments/1/?sort=beauty", "sort: expected one of bot, rank"),
        ("/tournaments/1/?page=-1", "page: expected a whole number"),
        ("/tournaments/1/crosstable?columns=x", "columns: expected a whole number"),
        ("/tournaments/999/crosstable", "no tournament 999"),
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
