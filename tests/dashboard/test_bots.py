"""Pages of bots: what went wrong comes first, and nothing is told that is not to be known."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from flask.testing import FlaskClient

from arena.store import open_for_writing
from arena.store.submissions import keep_submission
from dashboard import create_app
from protocol.records import Fault
from tests.dashboard.conftest import World
from tests.dashboard.cups import Cups
from tests.dashboard.made import MARKUP, Made, bot
from tests.dashboard.page import Page

WRONG = Fault(seat=0, deal=1, turn=3, kind="illegal", detail="7H is not in it", got="the 7H")
OTHERS = Fault(seat=1, deal=1, turn=2, kind="malformed", detail="no JSON", got="{{{")


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two finished cups and one that goes on, in all of which `heron` plays."""
    path = tmp_path_factory.mktemp("bots") / "bots.db"
    first = Made(path, "First cup", ["heron", "pike"], seed=1, matches=2)
    first.game(1, 0, faults=[WRONG, OTHERS], stderr="KeyError")
    first.game(1, 1)
    first.finish()
    second = Made(path, "Second cup", ["heron", "otter"], seed=2, version="2.0")
    second.game(1, 0)
    second.game(1, 1)
    second.finish()
    running = Made(path, "Long cup", ["heron", "otter"], seed=3, matches=2, version="2.0")
    running.game(1, 0, faults=[WRONG])
    with open_for_writing(path) as db, db.atomic():
        keep_submission(db, bot("heron", "3.0"))
        keep_submission(db, bot("newcomer"))
    return path


@pytest.fixture
def heron(database: Path) -> FlaskClient:
    return create_app(database).test_client()


def test_the_list_leads_to_every_bot(heron: FlaskClient) -> None:
    page = Page(heron.get("/bots/").text)
    links = {link for link in page.links() if link.startswith("/bots/") and "#" not in link}
    names = {"heron", "newcomer", "otter", "pike"}
    assert links == {"/bots/", *(f"/bots/{name}" for name in names)}


def test_bots_are_found_by_how_their_names_begin(heron: FlaskClient) -> None:
    page = Page(heron.get("/bots/?begins=her").text)
    assert "/bots/heron" in page.links()
    assert "/bots/pike" not in page.links()
    assert 'value="her"' in heron.get("/bots/?begins=her").text
    assert "No bot whose name begins so" in heron.get("/bots/?begins=zz").text


def test_bots_are_paged_by_name(heron: FlaskClient) -> None:
    seen, address = [], "/api/bots?limit=1"
    while address:
        found = heron.get(address).json
        seen += [each["name"] for each in found["bots"]]
        address = f"/api/bots{found['older']}" if found["older"] else ""
    assert seen == ["heron", "newcomer", "otter", "pike"]


def test_failures_come_first_with_their_cause_and_what_mends_it(heron: FlaskClient) -> None:
    text = heron.get("/bots/heron").text
    assert text.index("Failures") < text.index("Latest tournament") < text.index("Versions")
    page = Page(heron.get("/tournaments/1/bots/heron").text)
    assert "7H is not in it" in page.text
    assert "Likely cause:" in page.text
    assert "What to do:" in page.text
    assert "kseri rerun" in page.text


SILENT = Fault(
    seat=0, deal=1, turn=1, kind="timeout", detail="no answer within 1000 ms", used_us=10**6,
    limit_us=10**6, cpu_us=200, played="7H",
)  # fmt: skip


@pytest.mark.parametrize(("run", "words"), [("perl", "$| = 1"), ("node", "process.stdout.write")])
def test_what_mends_a_fault_is_told_in_the_bots_language(
    tmp_path: Path, run: str, words: str
) -> None:
    cup = Made(tmp_path / "cup.db", "Cup", ["mute", "pike"], run=run)
    game = cup.game(1, 0, faults=[SILENT])
    cup.game(1, 1)
    cup.finish()
    client = create_app(cup.path).test_client()
    label = game.seats[0].bot
    for address in (f"/tournaments/1/bots/{label}", f"/bots/{label}", f"/games/{game.game}"):
        assert words in Page(client.get(address).text).text
    (failure,) = client.get(f"/api/bots/{label}").json["failures"]
    assert words in failure["diagnosis"]["mend"]


def test_faults_that_are_alike_are_one_failure_with_their_number(tmp_path: Path) -> None:
    cup = Made(tmp_path / "cup.db", "Cup", ["mute", "pike"], matches=3)
    other = msgspec.structs.replace(SILENT, detail="no answer within 500 ms")
    games = [
        cup.game(match, leg, faults=[msgspec.structs.replace(fault, seat=leg)])
        for match in (1, 2, 3)
        for leg, fault in enumerate((SILENT, other if match == 1 else SILENT))
    ]
    cup.finish()
    client = create_app(cup.path).test_client()
    found = client.get("/api/tournaments/1/bots/mute").json["failures"]
    assert [(each["game"], each["times"]) for each in found] == [
        (games[-1].game, 5),
        (games[1].game, 1),
    ]
    text = Page(client.get("/tournaments/1/bots/mute").text).text
    assert text.count("the latest of 5 alike") == 1
    assert "those that are alike are shown once" in text
    assert "alike" not in client.get("/tournaments/1/bots/pike").text


def test_another_bots_fault_is_not_its_own(heron: FlaskClient) -> None:
    assert "no JSON" not in heron.get("/tournaments/1/bots/heron").text
    assert "no JSON" in heron.get("/tournaments/1/bots/pike").text


def test_a_failure_leads_to_its_play(heron: FlaskClient) -> None:
    (failure,) = heron.get("/api/tournaments/1/bots/heron").json["failures"]
    assert failure["position"] == "?deal=1&move=2"
    address = f"/games/{failure['game']}{failure['position']}"
    assert address in Page(heron.get("/tournaments/1/bots/heron").text).links()
    assert heron.get(address).status_code == 200


def test_nothing_is_told_of_cards_that_are_in_play(heron: FlaskClient) -> None:
    for address in ("/tournaments/3/bots/heron", "/api/tournaments/3/bots/heron"):
        answer = heron.get(address)
        assert "illegal" in answer.text
        assert "7H" not in answer.text
    found = heron.get("/api/tournaments/3/bots/heron").json["failures"]
    assert [each["diagnosis"] for each in found] == [None]
    assert [each["position"] for each in found] == [None]


def test_a_bot_without_faults_says_so(heron: FlaskClient) -> None:
    assert "No faults in this tournament" in heron.get("/tournaments/2/bots/otter").text


def test_versions_are_all_there_the_newest_first(heron: FlaskClient) -> None:
    found = heron.get("/api/bots/heron").json["versions"]
    assert [each["version"] for each in found] == ["3.0", "2.0", "1.0"]
    assert [each["games"] for each in found] == [0, 2, 2]
    assert [bool(each["submitted"]) for each in found] == [True, False, False]


def test_a_bot_that_never_played_has_a_page(heron: FlaskClient) -> None:
    page = Page(heron.get("/bots/newcomer").text)
    assert "not been entered in a tournament yet" in page.text
    assert "Versions" in page.text


def test_opponents_and_numbers_are_those_of_the_tournament(heron: FlaskClient) -> None:
    found = heron.get("/api/tournaments/2/bots/heron").json
    (opponent,) = found["opponents"]
    line = next(
        each
        for each in heron.get("/api/tournaments/2/standings").json["lines"]
        if each["label"] == "heron"
    )
    assert found["standing"] == {name: line[name] for name in found["standing"]}
    assert opponent["label"] == "otter"
    assert opponent["games"] == 2
    assert [opponent[name] for name in ("wins", "draws", "losses")] == [
        line[name] for name in ("wins", "draws", "losses")
    ]
    assert {game["tournament_id"] for game in found["games"]} == {2}


def test_the_page_leads_to_all_that_is_told_of_the_bot(
    heron: FlaskClient, cups: Cups, cup_client: FlaskClient
) -> None:
    text = cup_client.get(f"/tournaments/{cups.cup}/bots/ace").text
    links, at = Page(text).links(), f"/tournaments/{cups.cup}"
    assert {
        f"{at}/explain?bot=ace",
        f"{at}/curves?bots=ace",
        f"{at}/head-to-head?a=ace",
        f"{at}/head-to-head?a=ace&b=dog",
        f"{at}/bots/dog",
    } <= set(links)
    assert 'class="curves"' in text, "its curve stands there"
    assert f"bots tournament:{cups.cup}" in Page(text).all("data-live")
    assert "bots tournament" in Page(heron.get("/bots/heron").text).all("data-live")


def test_a_failure_leads_to_what_the_bot_wrote_for_its_owner(heron: FlaskClient) -> None:
    (failure,) = heron.get("/api/tournaments/1/bots/heron").json["failures"]
    page = Page(heron.get("/tournaments/1/bots/heron").text)
    assert f"/games/{failure['game']}/logs" in page.links()


def test_entries_are_paged(tmp_path: Path) -> None:
    path = tmp_path / "many.db"
    for number in range(60):
        Made(path, f"Cup {number}", ["a", "b"], seed=number)
    client = create_app(path).test_client()
    first = client.get("/api/bots/a").json
    second = client.get(f"/api/bots/a{first['older']}").json
    ids = [entry["tournament_id"] for entry in first["entries"] + second["entries"]]
    assert ids == list(range(60, 0, -1))
    assert second["older"] is None
    assert 'rel="next"' in client.get("/bots/a").text


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("/bots/nobody", "no bot &#39;nobody&#39; in it"),
        ("/tournaments/1/bots/nobody", "no entrant &#39;nobody&#39; in tournament 1"),
        ("/tournaments/99/bots/heron", "no entrant &#39;heron&#39; in tournament 99"),
        ("/bots/heron?before=x", "before: expected a whole number"),
    ],
)
def test_what_is_not_there_is_told(heron: FlaskClient, address: str, sentence: str) -> None:
    answer = heron.get(address)
    assert answer.status_code == 404
    assert sentence in answer.text


def test_names_and_words_of_bots_are_text(client: FlaskClient, world: World) -> None:
    answer = client.get("/bots/" + MARKUP)
    assert answer.status_code == 200
    assert "<script>" not in answer.text
    assert f"got {MARKUP}" in Page(answer.text).text
    assert "\u202e" not in answer.text
    assert "secret note" not in answer.text


CRASH = Fault(
    seat=0, deal=1, turn=3, kind="crash", detail="it ended", exit_status=1, used_us=10, limit_us=20
)


@pytest.mark.parametrize(
    ("fault", "because"),
    [
        (CRASH, "it ended itself with exit status 1."),
        (msgspec.structs.replace(CRASH, exit_status=0), "it ended by itself after 1 answer."),
        (SILENT, "it gave no answer at all and did not compute."),
        (
            msgspec.structs.replace(SILENT, turn=5),
            "it had answered before, and now neither computed nor answered.",
        ),
        (msgspec.structs.replace(SILENT, cpu_us=10**6), "it computed for 1.0 s"),
        (msgspec.structs.replace(CRASH, signal="SIGSEGV", exit_status=None), "it used memory"),
    ],
)
def test_no_cause_rests_on_a_stderr_that_is_not_shown(
    tmp_path: Path, fault: Fault, because: str
) -> None:
    cup = Made(tmp_path / "cup.db", "Cup", ["mute", "pike"], rated=True)
    game = cup.game(1, 0, faults=[fault], stderr="Traceback (most recent call last)\nKeyError: 'x'")
    cup.game(1, 1)
    cup.finish()
    client = create_app(cup.path).test_client()
    for address in (f"/bots/{game.seats[0].bot}", f"/games/{game.game}"):
        text = Page(client.get(address).text).text
        assert f"Likely cause: {because}" in text
        where = f"is its owner's: kseri log {game.game} --db cup.db shows it"
        assert f"what it wrote to standard error {where}" in text
        assert "KeyError" not in text
        assert "wrote nothing" not in text


def test_a_stderr_that_is_shown_and_empty_is_told_so(tmp_path: Path) -> None:
    cup = Made(tmp_path / "cup.db", "Cup", ["mute", "pike"])
    game = cup.game(1, 0, faults=[CRASH])
    cup.game(1, 1)
    cup.finish()
    text = Page(create_app(cup.path).test_client().get(f"/games/{game.game}").text).text
    assert "exit status 1, and wrote nothing that says why" in text
    assert "its owner's: kseri" not in text


def test_stderr_helps_to_explain_only_where_it_is_nobodys_secret(
    heron: FlaskClient, client: FlaskClient, world: World
) -> None:
    (failure,) = heron.get("/api/tournaments/1/bots/heron").json["failures"]
    assert failure["diagnosis"]["stderr"] == ["KeyError"]
    text = client.get(f"/api/tournaments/{world.running.id}/bots/a").text
    assert "in my hand" not in text
