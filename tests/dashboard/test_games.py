"""The list of games: filters, pages, JSON and CSV of the same games."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient

from arena.store import GameFilter, Reader, game_list
from dashboard import create_app
from dashboard.game_list import PAGE
from protocol.records import Fault, GameRecord
from tests.dashboard.conftest import World
from tests.dashboard.made import MARKUP, Made
from tests.dashboard.page import Page

TIMEOUT = Fault(seat=1, deal=1, turn=2, kind="timeout", detail="no answer")
ILLEGAL = Fault(seat=0, deal=1, turn=3, kind="illegal", detail="not in the hand")


def games_on(text: str) -> list[str]:
    return re.findall(r'href="/games/([0-9a-f]{16})"', text)


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[GameRecord]]:
    """Games of three bots under two rule sets, some with faults; all of them, the latest first."""
    path = tmp_path_factory.mktemp("list") / "cup.db"
    games = []
    for seed, preset in enumerate(("kseri-short", "pisti-2"), 1):
        made = Made(path, f"{preset} cup", ["a", "b", "c"], preset, seed=seed, matches=9)
        for pairing in (["a", "b"], ["b", "c"], ["a", "c"]):
            for match in (1, 2, 3):
                for rotation in (0, 1):
                    faults = {1: [TIMEOUT], 2: [ILLEGAL, TIMEOUT]}.get(match, [])
                    game = made.game(match, rotation, pairing=pairing, faults=faults)
                    games.append(game)
        made.finish()
    return path, games[::-1]


def side_of(game: GameRecord, bot: str) -> int | None:
    return next((seat.side for seat in game.seats if seat.bot == bot), None)


def faults_of(game: GameRecord, bot: str) -> set[str]:
    return {fault.kind for fault in game.faults if game.seats[fault.seat].bot == bot}


Fits = Callable[[GameRecord], bool]
FILTERS: dict[str, Fits] = {
    "": lambda game: True,
    "rules=pisti-2": lambda game: game.rules.preset == "pisti-2",
    "tournament=1": lambda game: game.rules.preset == "kseri-short",
    "tournament=1&rules=pisti-2": lambda game: False,
    "bot=a": lambda game: "a" in game.pairing,
    "pairing=a,c": lambda game: {"a", "c"} == set(game.pairing),
    "pairing=c+%20a": lambda game: {"a", "c"} == set(game.pairing),
    "pairing=a,b,c": lambda game: False,
    "pairing=a&bot=b": lambda game: {"a", "b"} == set(game.pairing),
    "bot=b&result=won": lambda game: game.winner is not None and game.winner == side_of(game, "b"),
    "bot=b&result=lost": lambda game: (
        "b" in game.pairing and game.winner not in (None, side_of(game, "b"))
    ),
    "result=drawn": lambda game: game.winner is None,
    "result=forfeit": lambda game: game.reason == "forfeit",
    "fault=any": lambda game: bool(game.faults),
    "fault=illegal": lambda game: "illegal" in {fault.kind for fault in game.faults},
    "fault=timeout": lambda game: "timeout" in {fault.kind for fault in game.faults},
    "fault=crash": lambda game: False,
    "bot=a&fault=any": lambda game: bool(faults_of(game, "a")),
    "bot=a&fault=timeout": lambda game: "timeout" in faults_of(game, "a"),
    "bot=a&fault=illegal&result=won": lambda game: (
        "illegal" in faults_of(game, "a") and game.winner == side_of(game, "a")
    ),
    "fault=timeout&rules=pisti-2&pairing=b": lambda game: (
        game.rules.preset == "pisti-2"
        and "b" in game.pairing
        and "timeout" in {fault.kind for fault in game.faults}
    ),
}


@pytest.mark.parametrize("query", FILTERS)
def test_every_filter_shows_the_games_that_fit_and_no_other(
    cup: tuple[Path, list[GameRecord]], query: str
) -> None:
    path, games = cup
    expected = [game.game for game in games if FILTERS[query](game)]
    client = create_app(path).test_client()
    assert games_on(client.get(f"/games/?{query}").text) == expected
    listed = json.loads(client.get(f"/games.json?{query}").data)
    assert [row["game"] for row in listed["games"]] == expected
    rows = csv.DictReader(io.StringIO(client.get(f"/games.csv?{query}").text))
    assert [row["game"] for row in rows] == expected


def test_filters_of_this_table_tell_games_apart(cup: tuple[Path, list[GameRecord]]) -> None:
    """Else the test before would show little."""
    _, games = cup
    chosen = {query: [game.game for game in games if fits(game)] for query, fits in FILTERS.items()}
    assert sum(bool(found) for found in chosen.values()) > 12
    assert any(chosen["bot=b&result=won"])
    assert any(chosen["bot=b&result=lost"])


def test_games_are_paged_by_their_number(client: FlaskClient, world: World) -> None:
    made = Made(world.path, "Long cup", ["a", "b"], "kseri-short", seed=10, matches=30)
    games = [made.game(match, rotation).game for match in range(1, 31) for rotation in (0, 1)]
    first = client.get(f"/games/?tournament={made.id}")
    assert games_on(first.text) == games[::-1][:PAGE]
    (older,) = re.findall(r'rel="next" href="([^"]+)"', first.text)
    second = client.get(older.replace("&amp;", "&"))
    assert games_on(second.text) == games[::-1][PAGE:]
    assert 'rel="next"' not in second.text
    assert ">Latest<" in second.text


@pytest.mark.parametrize("limit", [1, 7, 50])
@pytest.mark.parametrize("query", ["", "bot=a", "bot=b&result=won", "fault=timeout"])
def test_page_after_page_gives_every_game_once(
    cup: tuple[Path, list[GameRecord]],
    monkeypatch: pytest.MonkeyPatch,
    query: str,
    limit: int,
) -> None:
    """Also where a page may look at very few games only."""
    path, games = cup
    monkeypatch.setattr(game_list, "ENTRIES", 5)
    monkeypatch.setattr(game_list, "ROWS", 3)
    client = create_app(path).test_client()
    found: list[str] = []
    address = f"/games.json?{query}&limit={limit}"
    for _ in range(len(games) + 1):
        listed = json.loads(client.get(address).data)
        assert len(listed["games"]) <= limit
        found += [row["game"] for row in listed["games"]]
        if listed["older"] is None:
            break
        address = f"/games.json{listed['older']}"
    assert found == [game.game for game in games if FILTERS[query](game)]


def test_a_page_that_could_not_look_at_all_games_says_so(
    cup: tuple[Path, list[GameRecord]], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, _ = cup
    monkeypatch.setattr(game_list, "ENTRIES", 2)
    client = create_app(path).test_client()
    text = client.get("/games/?tournament=1&pairing=a,b").text
    assert not games_on(text)
    assert "as far back as was looked" in text
    assert 'rel="next"' in text
    assert "No such games." in client.get("/games/?tournament=1&pairing=a,b&before=1").text


@pytest.mark.parametrize("query", ["tournament=1", "rules=kseri-short", "bot=early"])
def test_games_of_an_old_tournament_are_found_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    """However many were played since."""
    old = Made(tmp_path / "old.db", "old", ["early", "a"], "kseri-short", seed=1)
    games = [old.game(1, rotation).game for rotation in (0, 1)]
    new = Made(old.path, "new", ["a", "b"], "pisti-2", seed=2, matches=3)
    for match in (1, 2, 3):
        new.game(match, 0)
    monkeypatch.setattr(game_list, "ENTRIES", 2)
    client = create_app(old.path).test_client()
    answer = client.get(f"/games/?{query}")
    assert games_on(answer.text) == games[::-1]
    assert 'rel="next"' not in answer.text


def test_the_list_is_chosen_through_an_index(cup: tuple[Path, list[GameRecord]]) -> None:
    """A row of games has all its plays: whoever reads rows to choose reads the whole database."""
    path, _ = cup
    with Reader(path) as reader:
        statements: list[str] = []
        reader._db.conn.set_trace_callback(statements.append)
        reader.games_that_fit(GameFilter(bot="a", rules="pisti-2"))
        reader.games_that_fit(GameFilter(fault="timeout"))
        reader._db.conn.set_trace_callback(None)
        chosen = [text for text in statements if "INDEXED BY" in text]
        plans = [
            row["detail"]
            for text in chosen
            for row in reader._db.query(f"EXPLAIN QUERY PLAN {text}")
        ]
    assert len(chosen) == 2
    assert any("COVERING INDEX games_by_entrants" in plan for plan in plans)
    assert any("INDEX faulty_games" in plan for plan in plans)


def test_filters_stay_in_the_address_and_in_the_form(client: FlaskClient, world: World) -> None:
    query = f"tournament={world.running.id}&bot=a&pairing=a,b&fault=illegal&rules=kseri"
    answer = client.get(f"/games/?{query}")
    assert games_on(answer.text) == [world.open_game.game]
    assert 'name="bot" value="a"' in answer.text
    assert 'name="pairing" value="a, b"' in answer.text
    assert f'value="{world.running.id}" selected' in answer.text
    assert '<option value="illegal" selected>' in answer.text
    assert "<option selected>kseri</option>" in answer.text
    assert (
        f"/games.csv?{query.replace(',', '%2C')}".replace("&", "&amp;").split("?")[0] in answer.text
    )
    (as_json,) = re.findall(r'href="(/games\.json[^"]*)"', answer.text)
    listed = json.loads(client.get(as_json.replace("&amp;", "&")).data)
    assert [row["game"] for row in listed["games"]] == games_on(answer.text)


def test_the_address_of_a_hostile_bot_leads_back_to_it(client: FlaskClient, world: World) -> None:
    answer = client.get(f"/games/?bot={quote(MARKUP)}")
    assert world.hostile.game in games_on(answer.text)
    assert "<script>" not in answer.text.replace("<script type", "")
    fields = [a for tag, a in Page(answer.text).elements if tag == "input" and a["name"] == "bot"]
    assert [field["value"] for field in fields] == [MARKUP]


def test_a_filter_that_fits_nothing(client: FlaskClient) -> None:
    answer = client.get("/games/?bot=nobody")
    assert answer.status_code == 200
    assert "No such games." in answer.text


def test_an_empty_form_shows_all(client: FlaskClient) -> None:
    query = "tournament=&bot=&pairing=&result=&fault=&rules="
    assert len(games_on(client.get(f"/games/?{query}").text)) >= 20


def test_cells_of_csv_are_no_formulas(tmp_path: Path) -> None:
    made = Made(tmp_path / "formula.db", '=HYPERLINK("http://x")', ["+a", "@b"], seed=1)
    made.game(1, 0)
    answer = create_app(made.path).test_client().get("/games.csv")
    assert answer.mimetype == "text/csv"
    (row,) = csv.DictReader(io.StringIO(answer.text))
    assert row["tournament"] == '\'=HYPERLINK("http://x")'
    assert row["pairing"] == "'+a @b"
    assert not [cell for cell in row.values() if cell[:1] in ("=", "+", "-", "@")]


def test_csv_says_where_it_goes_on(cup: tuple[Path, list[GameRecord]]) -> None:
    path, games = cup
    client = create_app(path).test_client()
    answer = client.get("/games.csv?limit=30")
    (more,) = re.findall(r"^<([^>]+)>; rel=\"next\"$", answer.headers["Link"])
    rest = csv.DictReader(io.StringIO(client.get(more).text))
    assert [row["game"] for row in rest] == [game.game for game in games[30:]]


def test_a_game_in_play_is_listed_without_anything_of_its_cards(
    client: FlaskClient, world: World
) -> None:
    for address in ("/games/", "/games.json", "/games.csv"):
        text = client.get(f"{address}?tournament={world.running.id}&limit=1000").text
        assert world.open_game.game in text
        assert "7H" not in text


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("/games/?tournament=999", "no tournament 999"),
        ("/games/?tournament=x", "tournament: expected a whole number"),
        ("/games/?before=-3", "before: expected a whole number"),
        ("/games/?result=well", "result: expected one of won, lost, drawn, forfeit"),
        ("/games/?result=won", "result: won by whom? Give a bot too."),
        ("/games/?fault=none", "fault: expected one of any, illegal"),
        ("/games/?rules=bridge", "rules: expected one of kseri, "),
        ("/games.csv?limit=ten", "limit: expected a whole number"),
        ("/games/nope", "no game &#39;nope&#39;"),
        ("/games/" + "9" * 40, "no game"),
        ("/games/-1", "no game"),
        ("/games/%25", "no game"),
        ("/games/x.json", "no game"),
    ],
)
def test_what_is_not_there(client: FlaskClient, world: World, address: str, sentence: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 404
    assert sentence in answer.text
    assert str(world.path.parent) not in answer.text
