"""A visitor's pages: who may sit down, who sees a hand, and what a form can say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

import dashboard.play
from arena.store import (
    Reader,
    answers,
    ask_sitting,
    end_sitting,
    note_table,
    open_for_writing,
    playing_sittings,
    take_sittings,
    void_sittings,
    writing,
)
from dashboard import create_app
from dashboard.cards import card_name
from protocol.messages import DealEnd, Hello, Play, ToBot, Turn
from protocol.rules import PRESETS, make_rules
from tests.dashboard.made import MARKUP, Made
from tests.dashboard.page import Page
from tests.referee.table import Table, setup_of

TABLES = 2


@pytest.fixture(autouse=True)
def nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """No bot answers here."""
    monkeypatch.setattr(dashboard.play, "ANSWER_S", 0.0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    open_for_writing(tmp_path / "arena.db").close()
    return tmp_path / "arena.db"


@pytest.fixture
def app(path: Path) -> Iterator[Flask]:
    found = create_app(path, tables=TABLES)
    with playing_sittings(path):
        yield found
    found.config["FEED"].stop()


@dataclass
class Visitor:
    """A browser in front of the pages."""

    browser: FlaskClient
    seat: str = ""
    """The address of its seat."""

    @property
    def form_key(self) -> str:
        """Of the forms that it is shown."""
        found = re.search(r'name="form_key" value="([^"]+)"', self.browser.get("/play/").text)
        return found[1] if found else ""

    def sit_down(self, **fields: str) -> TestResponse:
        sent = {"form_key": self.form_key, "bot1": "greedy", "rules": "kseri-short"} | fields
        answer = self.browser.post("/play/", data=sent)
        self.seat = answer.headers.get("Location", "")
        return answer

    def plays(self, **fields: str) -> TestResponse:
        return self.browser.post(self.seat, data={"form_key": self.form_key} | fields)

    def sees(self) -> str:
        answer = self.browser.get(self.seat)
        assert answer.status_code == 200
        return answer.text


@pytest.fixture
def ada(app: Flask) -> Visitor:
    return Visitor(app.test_client())


@pytest.fixture
def eve(app: Flask) -> Visitor:
    return Visitor(app.test_client())


def asked(path: Path, preset: str = "kseri-short", plays: int = 0) -> Turn:
    """Let whoever sits at table 1 be asked, after so many plays of the game."""
    rules = make_rules(preset)
    table = Table(setup_of(rules, names=[f"bot-{seat}" for seat in range(rules.seats)]))
    for _ in range(plays):
        table.play()
    seat = table.seat
    turn = table.ask()
    told = [message for line in table.sent[seat] if (message := _told(line))]
    with writing(path) as db:
        take_sittings(db)
        ask_sitting(db, 1, [told[0], *told[1:][-3:]], turn.turn)
    return turn


def _told(line: bytes) -> ToBot | None:
    message = msgspec.json.decode(line, type=ToBot)
    return message if isinstance(message, Hello | Turn | DealEnd) else None


def taken(path: Path) -> list[Play | None]:
    with writing(path) as db:
        return [play for _, _, play in answers(db)]


# Sitting down


def test_a_visitor_chooses_and_waits_at_an_address_of_their_own(ada: Visitor, path: Path) -> None:
    answer = ada.sit_down(rules="pisti", bot2="counter")
    assert (answer.status_code, ada.seat) == (303, "/play/1")
    assert "The table is made ready" in ada.sees()
    with Reader(path) as reader:
        (row,) = reader.tables()
    assert (row.bots, row.rules) == (["greedy", "counter"], "pisti")
    (told,) = ada.browser.get("/api/tables").json
    assert told == {"id": 1, "bots": row.bots, "rules": "pisti", "started": row.started}


@pytest.mark.parametrize(
    ("chosen", "bots"),
    [
        (("greedy", "", "", "", ""), ["greedy"]),
        (("greedy", "greedy", "", "", ""), ["greedy"]),
        (("greedy", "", "saver", "", ""), ["greedy", "greedy", "saver"]),
        (("greedy", "saver", "greedy", "", ""), ["greedy", "saver", "greedy"]),
    ],
)
def test_a_blank_is_the_bot_before(
    ada: Visitor, path: Path, chosen: tuple[str, ...], bots: list[str]
) -> None:
    named = {f"bot{number}": name for number, name in enumerate(chosen, 1)}
    ada.sit_down(rules="faro-6", **named)
    with Reader(path) as reader:
        assert reader.tables()[0].bots == bots


def test_a_link_from_a_bot_chooses_it(ada: Visitor) -> None:
    page = ada.browser.get("/play/?bot=saver&rules=pisti").text
    assert "<option selected>saver</option>" in page
    assert '<option value="pisti" selected>' in page


@pytest.mark.parametrize(
    "fields",
    [
        {"bot1": "nobody"},
        {"bot1": ""},
        {"bot1": "me"},
        {"bot1": "../bots/greedy"},
        {"bot1": MARKUP},
        {"rules": "whist"},
        {"rules": MARKUP},
        {"rules": ""},
        {"rules": "kseri-3", "bot2": "nobody"},
    ],
)
def test_what_is_not_in_the_lists_is_refused_in_one_sentence(
    ada: Visitor, path: Path, fields: dict[str, str]
) -> None:
    answer = ada.sit_down(**fields)
    assert answer.status_code == 400
    assert "choose one of the list" in Page(answer.text).text
    assert "<script>alert" not in answer.text
    with Reader(path) as reader:
        assert reader.tables() == []


def test_other_sites_can_neither_seat_a_visitor_nor_play(ada: Visitor, path: Path) -> None:
    assert ada.sit_down(form_key="forged").status_code == 403
    ada.sit_down()
    turn = asked(path)
    assert ada.plays(form_key="forged", turn=str(turn.turn), give_up="1").status_code == 403
    assert taken(path) == []


def test_one_table_a_visitor_and_no_more_than_there_are(ada: Visitor, app: Flask) -> None:
    assert ada.sit_down().status_code == 303
    refused = ada.sit_down()
    assert refused.status_code == 429
    assert "You sit at a table already" in refused.text
    assert "/play/1" in refused.text
    assert Visitor(app.test_client()).sit_down().status_code == 303
    full = visitor_from(app, "192.0.2.1").sit_down()
    assert full.status_code == 429
    assert "All 2 tables are taken" in full.text


def visitor_from(app: Flask, address: str) -> Visitor:
    """A browser that has no cookie yet."""
    found = Visitor(app.test_client())
    found.browser.environ_base["REMOTE_ADDR"] = address
    return found


@pytest.mark.parametrize(
    ("own", "other"),
    [("192.0.2.1", "192.0.2.2"), ("2001:db8::1", "2001:db8:0:1::1")],
)
def test_who_drops_the_cookie_holds_no_more_than_two_tables(
    app: Flask, path: Path, own: str, other: str
) -> None:
    app.config["TABLES"] = 4
    assert [visitor_from(app, own).sit_down().status_code for _ in range(2)] == [303, 303]
    # Of IPv6 a visitor can choose the rest of the address.
    again = own + "2" if ":" in own else own
    refused = visitor_from(app, again).sit_down()
    assert refused.status_code == 429
    assert "2 games are being played from your address" in refused.text
    assert visitor_from(app, other).sit_down().status_code == 303
    with writing(path) as db:
        end_sitting(db, 1, "void")
    assert visitor_from(app, again).sit_down().status_code == 303


def test_one_address_can_begin_only_so_many_games(app: Flask, path: Path) -> None:
    found = []
    for number in range(1, 22):
        found.append(Visitor(app.test_client()).sit_down().status_code)
        with writing(path) as db:
            end_sitting(db, min(number, 20), "void")
    assert found == [303] * 20 + [429]


def test_tables_that_a_killed_arena_has_left_are_not_told_as_being_played(path: Path) -> None:
    app = create_app(path, tables=TABLES)
    ada = Visitor(app.test_client())
    with playing_sittings(path):
        ada.sit_down()
        assert "a visitor and greedy" in ada.browser.get("/play/").text
    assert "a visitor and greedy" not in ada.browser.get("/play/").text
    assert ada.browser.get("/api/tables").json == []


def test_where_nobody_plays_with_visitors_the_page_says_so(path: Path) -> None:
    ada = Visitor(create_app(path).test_client())
    page = ada.browser.get("/play/")
    assert page.status_code == 200
    assert "kseri serve --tables 4 --db " in page.text
    assert "<form" not in page.text
    with ada.browser.session_transaction() as session:
        session["form"] = "key"
    assert ada.sit_down(form_key="key").status_code == 503


# Whose hand it is


def hidden_from_others(turn: Turn) -> list[str]:
    """What would tell a card of the hand, or of those that were not told to everybody."""
    return [card_name(card) for card in turn.hand] + [f'data-card="{card}"' for card in turn.hand]


@pytest.mark.parametrize("preset", PRESETS)
def test_the_own_seat_shows_the_hand_and_a_button_for_every_legal_play(
    ada: Visitor, path: Path, preset: str
) -> None:
    ada.sit_down(rules=preset)
    turn = asked(path, preset, plays=make_rules(preset).seats + 2)
    page = Page(ada.sees())
    values = [
        attributes["value"]
        for tag, attributes in page.elements
        if tag == "button" and attributes.get("name") == "play"
    ]
    assert len(values) == len(set(values)) == len(turn.legal)
    assert {str(value).split()[0] for value in values} == set(turn.hand)
    deal = turn.deal
    shown = {*turn.hand, *turn.pile, turn.marker, deal.bottom, *deal.centre, *deal.buried}
    assert set(page.all("data-card")) <= shown | {play.card for play in turn.plays}


def test_others_see_no_hand_on_any_page(
    ada: Visitor, eve: Visitor, path: Path, every_address: list[str]
) -> None:
    ada.sit_down()
    turn = asked(path)
    assert eve.browser.get("/play/1").status_code == 403
    eve.sit_down()
    assert eve.seat == "/play/2"
    for address in ["/play/1", "/play/1?fragment=1", "/play/", *every_address]:
        text = eve.browser.get(address).text
        assert not [each for each in hidden_from_others(turn) if each in text], address
    assert "a visitor and greedy" in eve.browser.get("/play/").text


@pytest.fixture
def every_address() -> list[str]:
    return ["/", "/games/", "/games.json", "/bots/", "/api/", "/api/tables", "/events.json?since=0"]


def test_a_cookie_that_was_forged_or_changed_opens_no_seat(
    ada: Visitor, eve: Visitor, path: Path
) -> None:
    ada.sit_down()
    asked(path)
    name = eve.browser.application.config["SESSION_COOKIE_NAME"]
    cookie = ada.browser.get_cookie(name)
    assert cookie
    assert cookie.http_only
    assert cookie.same_site == "Strict"
    head, _, signature = cookie.value.rpartition(".")
    for forged in (f"{head}.{signature[::-1]}", head, "", "x.y.z"):
        eve.browser.set_cookie(name, forged)
        assert eve.browser.get("/play/1").status_code == 403
    with eve.browser.session_transaction() as session:
        session["visitor"] = "guessed"
    assert eve.browser.get("/play/1").status_code == 403


def test_the_database_has_no_key_that_would_open_a_seat(ada: Visitor, path: Path) -> None:
    ada.sit_down()
    with ada.browser.session_transaction() as session:
        key = session["visitor"]
    assert key.encode() not in b"".join(
        each.read_bytes() for each in path.parent.glob("arena.db*") if each.is_file()
    )


def test_seats_are_kept_by_no_cache(ada: Visitor, path: Path) -> None:
    ada.sit_down()
    asked(path)
    assert ada.browser.get(ada.seat).headers["Cache-Control"] == "no-store"


def test_a_seat_that_never_was_is_nobodys(ada: Visitor) -> None:
    ada.sit_down()
    for address in ("/play/2", f"/play/{2**70}"):
        assert ada.browser.get(address).status_code == 403
        ada.seat = address
        assert ada.plays(turn="1", give_up="1").status_code == 403
    for address in ("/play/-1", "/play/x"):
        assert ada.browser.get(address).status_code == 404


# Playing


def test_a_button_is_an_answer(ada: Visitor, path: Path) -> None:
    ada.sit_down()
    turn = asked(path)
    answer = ada.plays(turn=str(turn.turn), play=turn.hand[0])
    assert (answer.status_code, answer.headers["Location"]) == (303, "/play/1")
    assert taken(path) == [Play(card=turn.hand[0], turn=turn.turn)]
    page = ada.sees()
    assert f"You play {card_name(turn.hand[0])}" in page
    assert 'name="play"' not in page
    assert '<noscript><meta http-equiv="refresh"' in page


def test_a_play_for_a_turn_that_is_over_shows_the_table_as_it_is(ada: Visitor, path: Path) -> None:
    ada.sit_down()
    before, now = asked(path), asked(path, plays=2)
    answer = ada.plays(turn=str(before.turn), play=before.hand[0])
    assert answer.status_code == 409
    text = Page(answer.text).text
    assert "That turn is over. This is the table as it is now." in text
    assert f'data-turn="{now.turn}"' in answer.text
    assert taken(path) == []


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({}, 400),
        ({"turn": "x", "play": "7H"}, 400),
        ({"turn": "-1", "play": "7H"}, 400),
        ({"turn": "9" * 400, "play": "7H"}, 400),
        ({"turn": "1"}, 400),
        ({"turn": "1", "play": MARKUP}, 400),
        ({"turn": "1", "play": "7H take it"}, 400),
        ({"turn": "1", "play": "7H\x00"}, 400),
        ({"turn": "1", "play": "7H take"}, 409),
        ({"turn": "99", "give_up": "1"}, 409),
    ],
)
def test_what_no_form_of_ours_says_is_no_answer(
    ada: Visitor, path: Path, fields: dict[str, str], status: int
) -> None:
    ada.sit_down()
    turn = asked(path)
    assert "7H" not in turn.hand
    answer = ada.plays(**fields)
    assert answer.status_code == status
    assert "<script>alert" not in answer.text
    assert taken(path) == []


def test_nobody_plays_from_another_seat(ada: Visitor, eve: Visitor, path: Path) -> None:
    ada.sit_down()
    turn = asked(path)
    eve.seat = "/play/1"
    answer = eve.plays(turn=str(turn.turn), play=turn.hand[0])
    assert answer.status_code == 403
    assert not [each for each in hidden_from_others(turn) if each in answer.text]
    assert taken(path) == []


def test_a_deal_that_is_over_is_told_with_its_score(ada: Visitor, path: Path) -> None:
    ada.sit_down()
    asked(path, plays=48)
    text = Page(ada.sees()).text
    assert "Deal 1 is over:" in text
    assert "Deal 2, dealt by" in text


# The end


def test_a_game_that_the_arena_did_not_end_is_void_and_says_so(ada: Visitor, path: Path) -> None:
    ada.sit_down()
    asked(path)
    with writing(path) as db:
        end_sitting(db, 1, "void", text="the arena was stopped before this game was over")
    text = Page(ada.sees()).text
    assert "The game is void The arena was stopped" in text
    assert "Play again" in text


def test_a_game_that_was_stored_before_the_arena_was_killed_is_over(
    ada: Visitor, path: Path
) -> None:
    made = Made(path, "visitor v greedy", ["greedy", "visitor"])
    ada.sit_down()
    asked(path)
    with writing(path) as db:
        note_table(db, 1, made.id)
    game = made.game(1, 0)
    with writing(path) as db:
        void_sittings(db, "stopped")
    assert f"/games/{game.game}" in ada.sees()
    assert "The game is void" not in ada.sees()


def test_while_nobody_plays_them_games_are_void_and_no_page_waits(path: Path) -> None:
    app = create_app(path, tables=TABLES)
    ada = Visitor(app.test_client())
    with playing_sittings(path):
        ada.sit_down()
        asked(path)
        assert "The game is void" not in ada.sees()
    page = ada.sees()
    assert "The game is void" in page
    assert "http-equiv" not in page
    assert 'name="play"' not in page


def test_a_bot_that_does_not_play_these_rules_is_told(ada: Visitor, path: Path) -> None:
    ada.sit_down()
    with writing(path) as db:
        end_sitting(db, 1, "refused", text=f"bot {MARKUP}: plays kseri, not pisti")
    page = ada.sees()
    assert "This can't be played" in Page(page).text
    assert "<script>alert" not in page


def test_when_it_is_over_everybody_is_led_to_the_game(
    ada: Visitor, eve: Visitor, path: Path
) -> None:
    made = Made(path, "visitor v greedy", ["greedy", "visitor"])
    game: Any = made.game(1, 0)
    made.game(1, 1)
    made.finish()
    ada.sit_down()
    with writing(path) as db:
        end_sitting(db, 1, "over", game=game.game)
    page = ada.sees()
    assert f"/games/{game.game}" in page
    assert "You have won" in page or "Greedy won" in page or "drawn" in page
    answer = eve.browser.get("/play/1")
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/games/{game.game}")
    again = Page(page)
    fields = {a["name"]: a["value"] for t, a in again.elements if t == "input"}
    assert (fields["bot1"], fields["rules"]) == ("greedy", "kseri-short")
