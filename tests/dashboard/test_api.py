"""The API: the rows of the pages as JSON, and what is said where there are none."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import msgspec
import pytest
from flask.testing import FlaskClient

from arena.pairing import Pairing
from arena.schedule import GameKey
from arena.standings import standings
from arena.store import Reader, begin_round, open_for_writing
from dashboard import create_app
from protocol.records import GameRecord
from protocol.rules import PRESETS
from protocol.schema import SCHEMAS, schema_text
from tests.dashboard.conftest import World
from tests.dashboard.made import MARKUP, Made


def test_tournaments_are_paged_by_their_number(client: FlaskClient) -> None:
    whole = client.get("/api/tournaments?limit=500").json["tournaments"]
    assert len(whole) > len(PRESETS)
    seen, address = [], "/api/tournaments?limit=4"
    while address:
        answer = client.get(address)
        seen += answer.json["tournaments"]
        older = answer.json["older"]
        address = f"/api/tournaments{older}" if older else ""
        assert (answer.headers.get("Link") == f'<{address}>; rel="next"') == bool(older)
    assert seen == whole


def test_standings_are_those_of_the_arena(client: FlaskClient, world: World) -> None:
    found = client.get(f"/api/tournaments/{world.running.id}/standings").json
    with Reader(world.path) as reader:
        wanted = msgspec.to_builtins(standings(reader, world.running.id))
    assert found["scales"] == wanted["scales"]
    assert found["games_played"] == wanted["games_played"]
    for line, other in zip(found["lines"], wanted["lines"], strict=True):
        assert {name: line[name] for name in other} == other
        assert line["win_percent"] == 100 * (line["wins"] + line["draws"] / 2) / line["games"]


def test_standings_as_csv_have_the_same_rows(client: FlaskClient, world: World) -> None:
    address = f"/api/tournaments/{world.running.id}/standings"
    answer = client.get(f"{address}.csv")
    assert answer.mimetype == "text/csv"
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    lines = client.get(address).json["lines"]
    assert [row["label"] for row in rows] == [line["label"] for line in lines]
    assert [row["wins"] for row in rows] == [str(line["wins"]) for line in lines]


def test_no_cell_is_a_formula(tmp_path: Path) -> None:
    path = tmp_path / "formulas.db"
    made = Made(path, "Cup", ["=1+1", "@b"], version="\t-2\u202e")
    made.game(1, 0)
    client = create_app(path).test_client()
    answer = client.get("/api/tournaments/1/standings.csv")
    for row in csv.reader(io.StringIO(answer.text)):
        assert not [cell for cell in row[:2] if cell[:1] in "=+-@\t" or "\u202e" in cell]
    assert "'=1+1" in answer.text


def test_two_entrants_and_the_crosstable_agree(client: FlaskClient, world: World) -> None:
    address = f"/api/tournaments/{world.running.id}"
    found = client.get(f"{address}/head-to-head?a=a&b=b").json
    (cell,) = [
        cell
        for line in client.get(f"{address}/crosstable").json
        if line["label"] == "a"
        for cell in line["cells"]
        if cell
    ]
    assert found["result"] == cell
    assert found["matches"] == 1


def test_games_are_filtered_and_paged(client: FlaskClient, world: World) -> None:
    seen, address = [], f"/api/games?tournament={world.running.id}&limit=2"
    while address:
        page = client.get(address).json
        seen += [game["game"] for game in page["games"]]
        address = f"/api/games{page['older']}" if page["older"] else ""
    assert seen[0] == world.open_game.game
    assert len(set(seen)) == len(seen) == 3
    faulty = client.get(f"/api/games?tournament={world.running.id}&fault=illegal").json["games"]
    assert [game["game"] for game in faulty] == [world.open_game.game]


def test_rounds_have_their_pairings_but_not_their_secret(tmp_path: Path) -> None:
    path = tmp_path / "rounds.db"
    made = Made(path, "League", ["a", "b", "c"])
    made.game(1, 0)
    made.game(1, 1)
    secret = b"\x17" * 32
    with open_for_writing(path) as db, db.atomic():
        begin_round(db, made.id, [Pairing(1, ("a", "b"), 1, 1), Pairing(1, ("c",), 1, 0)], secret)
        db.execute("UPDATE tournaments SET kind = 'league'")
    client = create_app(path).test_client()
    answer = client.get("/api/tournaments/1/rounds/1")
    assert secret.hex() not in answer.text
    assert answer.json["round"]["pairings"] == 2
    assert [each["entrants"] for each in answer.json["pairings"]] == [["a", "b"], ["c"]]
    assert answer.json["pairings"][0]["games"] == 2
    assert client.get("/api/tournaments/1/rounds").json["last"] == 1
    problem = client.get("/api/tournaments/1/rounds/2")
    assert problem.status_code == 404
    assert problem.json["detail"] == "There are rounds 1 to 1 so far."


def test_a_game_is_its_record(client: FlaskClient, world: World) -> None:
    record = world.by_preset["pisti"]
    answer = client.get(f"/api/games/{record.game}")
    found = msgspec.json.decode(answer.data, type=GameRecord)
    assert found.seed == record.seed
    assert [deal.plays for deal in found.deals] == [deal.plays for deal in record.deals]
    assert answer.data == client.get(f"/games/{record.game}.json").data


def test_nothing_is_known_of_a_game_whose_decks_are_in_play(
    client: FlaskClient, world: World
) -> None:
    answer = client.get(f"/api/games/{world.open_game.game}")
    assert b"7H" not in answer.data
    assert not {"seed", "salt"} & answer.json.keys()
    assert answer.json["deals"] == []


def test_rules_and_schemas_are_those_of_the_code(client: FlaskClient) -> None:
    assert [each["preset"] for each in client.get("/api/rules").json] == list(PRESETS)
    assert client.get("/api/rules/pisti").json["target"] == 151
    for row in client.get("/api/schemas").json:
        assert client.get(f"/api/schemas/{row['name']}").json == json.loads(
            schema_text(row["name"])
        )
    assert len(client.get("/api/schemas").json) == len(SCHEMAS)


@pytest.mark.parametrize(
    ("address", "status", "sentence"),
    [
        ("tournaments?limit=0", 400, "limit: expected a whole number of at least 1."),
        ("tournaments?limit=501", 400, "limit: expected a whole number of at most 500."),
        ("tournaments?limit=ten", 400, "limit: expected a whole number."),
        ("tournaments?limit=1&limit=2", 400, "limit: given 2 times; once is enough."),
        ("tournaments?befor=1", 400, "befor: no such parameter here; there are before, limit."),
        ("rules?x=1", 400, "x: no such parameter here; there is none."),
        ("tournaments/1?tournament=2", 400, "tournament: no such parameter here; there is none."),
        ("tournaments/one", 400, "tournament: expected a whole number."),
        ("tournaments/999", 404, "pages.db: no tournament 999 in it."),
        ("tournaments/999/standings", 404, "pages.db: no tournament 999 in it."),
        ("tournaments/1/curves?bots=nobody", 404, "Nobody is called 'nobody' in this tournament."),
        ("tournaments/1/head-to-head?a=bot-0&b=bot-0", 400, "b: expected another entrant than a."),
        ("tournaments/1/head-to-head?a=bot-0", 400, "b: this parameter is required."),
        ("games?result=won", 400, "result: won by whom? Give a bot too."),
        ("games?result=often", 400, "result: expected one of drawn, forfeit, lost, won."),
        ("games?rules=poker", 400, "rules: expected one of kseri, "),
        ("games/nope", 404, "pages.db: no game 'nope' in it."),
        ("rules/poker", 404, "No preset of that name; there are kseri,"),
        ("schemas/poker", 404, "No schema of that name; there are from-arena,"),
        ("poker", 404, "There is no such page."),
    ],
)
def test_problems_are_one_sentence(
    client: FlaskClient, address: str, status: int, sentence: str
) -> None:
    answer = client.get(f"/api/{address}")
    assert answer.status_code == status
    assert answer.mimetype == "application/problem+json"
    assert answer.json["status"] == status
    assert answer.json["detail"].startswith(sentence)


def test_it_can_only_be_read(client: FlaskClient) -> None:
    answer = client.post("/api/tournaments", json={})
    assert answer.status_code == 405
    assert answer.mimetype == "application/problem+json"


def test_trouble_is_told_without_the_folder_of_the_database(tmp_path: Path) -> None:
    client = create_app(tmp_path / "later.db").test_client()
    answer = client.get("/api/tournaments")
    assert answer.status_code == 503
    assert answer.json["detail"].startswith("later.db: no such database")
    assert str(tmp_path) not in answer.text
    assert client.get("/api/rules").status_code == 200


def test_a_mistake_of_the_arena_is_told_without_its_inside(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Reader, **_: object) -> None:
        raise RuntimeError("inner detail")

    monkeypatch.setattr(Reader, "tournaments", fail)
    answer = create_app(world.path).test_client().get("/api/tournaments")
    assert answer.status_code == 500
    assert answer.mimetype == "application/problem+json"
    assert "inner detail" not in answer.text


def test_who_asks_again_is_not_sent_the_same_again(client: FlaskClient) -> None:
    for address in ("/api/tournaments", "/api/rules", "/api/openapi.json"):
        first = client.get(address)
        assert first.headers["Cache-Control"] == "no-cache"
        again = client.get(address, headers={"If-None-Match": first.headers["ETag"]})
        assert again.status_code == 304
        assert again.data == b""


def test_a_tag_changes_with_the_answer(tmp_path: Path) -> None:
    path = tmp_path / "tags.db"
    made = Made(path, "Cup", ["a", "b"], matches=2)
    client = create_app(path).test_client()
    before = client.get("/api/tournaments/1").headers["ETag"]
    made.game(1, 0)
    again = client.get("/api/tournaments/1", headers={"If-None-Match": before})
    assert again.status_code == 200
    assert again.json["tournament"]["games_played"] == 1


def test_pages_of_other_sites_may_not_read_it(client: FlaskClient) -> None:
    answer = client.get("/api/tournaments", headers={"Origin": "https://elsewhere.example"})
    assert not [name for name, _ in answer.headers if name.startswith("Access-Control")]


def test_what_bots_say_is_told_as_it_was_said_and_no_page(
    client: FlaskClient, world: World
) -> None:
    answer = client.get("/api/tournaments?limit=500")
    assert MARKUP in answer.text
    assert answer.mimetype == "application/json"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_no_answer_has_a_secret_of_what_is_not_over(client: FlaskClient, world: World) -> None:
    secret = world.running.secret
    key = GameKey(2, 0, 0)
    hidden = [world.running.master.hex(), secret.seed("a,b", key).hex(), "secret note"]
    tournament, game = world.running.id, world.open_game.game
    for path in json.loads(client.get("/api/openapi.json").data)["paths"]:
        address = path.replace("{tournament}", str(tournament)).replace("{game}", game)
        text = client.get(address).text
        assert not [value for value in hidden if value in text], address
        assert str(world.path.parent) not in text
