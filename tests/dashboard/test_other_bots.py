"""Other bots go on with a game: who may be asked for, and how what came of it is shown."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from arena.bots import PERSON
from arena.continuation.asked import Asked, play_next_what_if
from arena.store import (
    Reader,
    ask_what_if,
    fail_what_ifs,
    keep_submission,
    playing_what_ifs,
    put_what_if,
    retire,
    take_what_if,
    versions,
    writing,
)
from arena.store.what_ifs import MOST_ASKED, Chosen
from dashboard import create_app
from dashboard.other_bots import outcome
from protocol.records import DealRecord, Fault, GameRecord
from protocol.what_if import Continued
from tests.dashboard.conftest import World
from tests.dashboard.made import MARKUP, Made, bot
from tests.dashboard.page import Page

CHOSEN = Chosen(name="greedy", version="1.0", hash="0" * 64, is_shipped=True)


class Asking:
    """A visitor of a dashboard with one match that is over."""

    def __init__(self, folder: Path, preset: str = "kseri") -> None:
        self.path = folder / "arena.db"
        self.cup = Made(self.path, "Cup", ["ann", "ben", "cem"], preset)
        self.game, *_ = [self.cup.game(1, leg) for leg in range(self.cup.rules.sides)]
        self.cup.finish()
        self.client: FlaskClient = create_app(self.path).test_client()

    def address(self, deal: int = 1, move: int = 40) -> str:
        return f"/games/{self.game.game}/other-bots?deal={deal}&move={move}"

    def ask(self, *names: str, deal: int = 1, move: int = 40) -> TestResponse:
        """Send the form as a browser does; an empty name is who sat there."""
        address = self.address(deal, move)
        page = Page(self.client.get(address).text)
        inputs = {attributes.get("name"): attributes for _, attributes in page.elements}
        fields = {"form_key": inputs["form_key"]["value"] or ""}
        fields |= {f"seat{seat}": name for seat, name in enumerate(names)}
        return self.client.post(address, data=fields)

    def play(self) -> None:
        with writing(self.path) as db:
            assert play_next_what_if(Asked(self.path, "none", seconds=600), db)


@pytest.fixture
def asking(tmp_path: Path) -> Asking:
    return Asking(tmp_path)


def test_the_whole_way_with_real_bots(asking: Asking) -> None:
    """Asked by a form, played by processes, shown beside what really happened; no game is made."""
    replay = Page(asking.client.get(f"/games/{asking.game.game}?deal=1&move=40").text)
    assert asking.address() in replay.links()
    answer = asking.ask("random", "greedy")
    assert answer.status_code == 303
    page = answer.headers["Location"]
    assert "Waits until this arena" in asking.client.get(page).text
    with Reader(asking.path) as reader:
        before = [row.game for row in reader.games()]
    asking.play()
    text = Page(asking.client.get(page).text).text
    assert "Played 8 times" in text
    found = asking.client.get(f"{page}.json").json
    assert found["state"] == "over"
    for way in found["ways"]:
        assert [play["card"] for play in way["deal"]["plays"][:40]] == [
            play.card for play in asking.game.deals[0].plays[:40]
        ]
        assert len(way["deal"]["plays"]) == 48
    points = [way["deal"]["sides"][0]["total"] for way in found["ways"]]
    assert f"{sum(points) / 8:.1f} {min(points)} to {max(points)}" in text
    with Reader(asking.path) as reader:
        assert [row.game for row in reader.games()] == before
        (real,) = reader.game(asking.game.game).deals[0].sides[:1]  # type: ignore[index]
    assert f"random {real.total} " in text


def test_the_same_question_is_played_once(asking: Asking) -> None:
    first, again, other = (
        asking.ask(name, "greedy").headers["Location"] for name in ("pike", "pike", "saver")
    )
    assert first == again != other


def test_every_time_has_its_plays(asking: Asking) -> None:
    page = asking.ask("random", "random").headers["Location"]
    asking.play()
    plays = {Page(asking.client.get(f"{page}?way={n}").text).text for n in range(1, 9)}
    assert len(plays) > 1
    for way in ("0", "9", "x"):
        assert asking.client.get(f"{page}?way={way}").status_code == 404


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (["nobody", ""], "No bot 'nobody' comes with this arena"),
        (["../../bots/greedy", ""], "is no bot's name"),
        ([MARKUP, ""], "is no bot's name"),
        (["greedy@2", ""], "No bot 'greedy@2'"),
        (["old", ""], "No bot 'old'"),
        (["picky", ""], "picky does not play kseri."),
    ],
)
def test_who_cant_be_chosen(asking: Asking, names: list[str], sentence: str) -> None:
    picky = bot("picky")
    picky = type(picky)(msgspec.structs.replace(picky.manifest, rules=["pisti"]), picky.files)
    toml = picky.files["bot.toml"][1] + b'rules = ["pisti"]\n'
    picky = type(picky)(picky.manifest, {**picky.files, "bot.toml": (False, toml)})
    with writing(asking.path) as db:
        with db.atomic():
            for each in (bot("old"), picky):
                keep_submission(db, each)
        retire(db, versions(db, "old"))
    answer = asking.ask(*names)
    assert answer.status_code == 400
    assert sentence in Page(answer.text).text
    assert MARKUP not in answer.text
    assert "picky" not in asking.client.get(asking.address()).text


def test_submitted_bots_can_be_chosen(asking: Asking) -> None:
    with writing(asking.path) as db, db.atomic():
        keep_submission(db, bot("mine", "3.1"))
    assert "<option>mine</option>" in asking.client.get(asking.address()).text
    page = asking.ask("mine", "mine@3.1").headers["Location"]
    found = asking.client.get(f"{page}.json").json["bots"]
    assert [(each["name"], each["version"]) for each in found] == [("mine", "3.1")] * 2


def test_a_form_of_another_site_asks_for_nothing(asking: Asking) -> None:
    answer = asking.client.post(asking.address(), data={"form_key": "x", "seat0": "greedy"})
    assert answer.status_code == 403


def test_one_visitor_may_ask_so_often(asking: Asking) -> None:
    answers = [asking.ask("greedy", "", move=move).status_code for move in range(7)]
    assert answers == [303] * 5 + [429] * 2


def test_all_together_may_wait_so_often(asking: Asking) -> None:
    with writing(asking.path) as db:
        for move in range(MOST_ASKED):
            ask_what_if(db, asking.game.game, 2, move, [CHOSEN, CHOSEN])
    answer = asking.ask("greedy", "greedy")
    assert answer.status_code == 429
    assert "try again later" in answer.text


def test_where_nothing_can_be_asked(asking: Asking, world: World, client: FlaskClient) -> None:
    for move, sentence in ((48, "Deal 1 is over there"), (49, "no play 49")):
        answer = asking.client.get(asking.address(move=move))
        assert answer.status_code == 404
        assert sentence in answer.text
    answer = client.get(f"/games/{world.open_game.game}/other-bots?deal=1&move=0")
    assert answer.status_code == 404
    assert "once every game on the same decks is over" in answer.text
    assert asking.client.get(f"{asking.address()}&seat=0").status_code == 404


def test_nobody_goes_on_as_the_visitor_who_sat_there(asking: Asking) -> None:
    """Whose label is not the reserved name, which the stored bot has."""
    example = f"kseri what-if {asking.game.game} 1.40 counter "
    assert f"{example}- --db" in asking.client.get(asking.address()).text
    with writing(asking.path) as db, db.atomic():
        db.execute("UPDATE bots SET name = ? WHERE name = 'ben'", [PERSON])
    text = asking.client.get(asking.address()).text
    assert f"{example}counter --db" in text
    assert "ben as it played" not in text
    answer = asking.ask("greedy", "")
    assert (answer.status_code, "A person sat there" in answer.text) == (400, True)


def test_one_games_answer_is_no_page_of_another(asking: Asking) -> None:
    page = asking.ask("greedy", "").headers["Location"]
    other = next(row for row in _games(asking.path) if row != asking.game.game)
    assert asking.client.get(page.replace(asking.game.game, other)).status_code == 404
    assert asking.client.get(f"/games/{other}/other-bots/0000").status_code == 404


def _games(path: Path) -> list[str]:
    with Reader(path) as reader:
        return [row.game for row in reader.games()]


def test_the_page_says_whether_anybody_plays_it(asking: Asking) -> None:
    page = asking.ask("greedy", "").headers["Location"]
    with playing_what_ifs(asking.path):
        assert "not-played" not in asking.client.get(asking.address()).text
        assert "Is played next." in asking.client.get(page).text
    assert "kseri serve --what-if --db " in asking.client.get(asking.address()).text


def test_one_that_was_being_played_is_closed_by_the_next_process(asking: Asking) -> None:
    page = asking.ask("greedy", "").headers["Location"]
    with writing(asking.path) as db:
        assert take_what_if(db)
        assert take_what_if(db) is None
        fail_what_ifs(db)
    assert "the arena was ended while it was played" in asking.client.get(page).text
    assert asking.ask("greedy", "").headers["Location"] != page


def test_bots_that_cant_be_built_or_are_gone_are_an_answer(asking: Asking) -> None:
    """The made-up bots of the game do not start: a fault each time, and nothing is made up."""
    page = asking.ask("", "greedy").headers["Location"]
    asking.play()
    text = Page(asking.client.get(page).text).text
    assert "boot time 1," in text
    assert "not played to its end" in text


def test_what_bots_say_is_text(asking: Asking) -> None:
    page = asking.ask("greedy", "").headers["Location"]
    fault = Fault(seat=0, deal=1, turn=41, kind="crash", detail=f"detail {MARKUP}")
    deal = DealRecord(number=1, attempt=0, dealer=0, plays=asking.game.deals[0].plays[:40])
    with writing(asking.path) as db:
        put_what_if(db, 1, "over", [Continued(deal=deal, faults=[fault])], MARKUP)
    text = asking.client.get(page).text
    assert MARKUP not in text
    assert "detail &lt;script" in text


@pytest.mark.parametrize(("preset", "is_told"), [("kseri", False), ("kseri-3", True)])
def test_where_a_game_outlives_a_forfeit_the_pages_say_that_all_play_again(
    tmp_path: Path, preset: str, is_told: bool
) -> None:
    asking = Asking(tmp_path, preset)
    form = Page(asking.client.get(asking.address()).text).text
    assert ("A side that had forfeited before this play plays again" in form) == is_told
    names = ["greedy"] * len(asking.game.seats)
    page = Page(asking.client.get(asking.ask(*names).headers["Location"]).text).text
    assert ("A side that had forfeited before is in the game again" in page) == is_told


def test_the_change_is_of_the_lead_and_none_where_nothing_can_be_compared(
    asking: Asking,
) -> None:
    with Reader(asking.path) as reader:
        record: GameRecord = reader.game(asking.game.game)
    deal = record.deals[0]
    found = outcome(record, 1, [Continued(deal=deal)] * 2)
    assert found.is_same
    assert [side.change for side in found.sides] == [0, 0]
    assert [side.spread for side in found.sides] == [0, 0]
    cut = msgspec.structs.replace(deal, sides=None)
    found = outcome(record, 1, [Continued(deal=cut)])
    assert (found.whole, found.is_same) == (0, False)
    assert [side.mean for side in found.sides] == [None, None]
