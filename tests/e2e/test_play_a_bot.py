"""A visitor in a real browser plays real bots: with keys, without a script, in two tabs, and alone
with the own hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.bots import read_bot
from arena.store import Reader, keep_submission, undisturbed, writing
from dashboard.cards import card_name
from tests.cli.program import bot, cache
from tests.dashboard.server import PATIENCE_S, serving
from tests.e2e.browsing import Watched, chromium, watched
from tests.e2e.test_league_served import Arena, family, living, open_arena

__all__ = ["cache"]

pytestmark = [pytest.mark.e2e, pytest.mark.browser]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    folder = tmp_path_factory.mktemp("tables")
    with open_arena(folder, "--tables", 3) as found:
        for name, when in (("crashes", "turn > 6"), ("leaves", "message['deal']['number'] > 1")):
            handed_in = bot(folder, name, f"if {when}: raise SystemExit('<b>oh</b>')")
            with writing(found.database) as db, undisturbed(db):
                keep_submission(db, read_bot(handed_in))
        yield found


@pytest.fixture
def at(browser: Any, arena: Arena) -> Iterator[Watched]:
    with watched(browser, arena.address) as found:
        yield found


def sit_down(at: Watched, name: str = "greedy", rules: str = "kseri-short") -> str:
    """Choose by the page; the address of the seat, once its first turn is there."""
    at.open(f"play/?bot={name}")
    at.page.select_option("#rules", rules)
    at.follow(at.page.locator("main button"))
    asked(at)
    return str(at.page.url)


def asked(at: Watched, but: str = "0") -> str:
    """Wait for the next turn, or the end; returns which it is."""
    at.page.wait_for_selector(
        f'#seat:is(:not([data-turn="{but}"]):not([data-turn="0"]), [data-state="over"])'
    )
    return str(at.page.get_attribute("#seat", "data-turn"))


def hand(at: Watched) -> list[str]:
    """The cards that can be played."""
    found: list[str] = at.page.eval_on_selector_all(
        "#hand svg", "cards => cards.map((card) => card.dataset.card)"
    )
    return found


def give_up(at: Watched) -> None:
    """Leave the table free for the next test."""
    asked(at)
    at.page.click(".give-up summary")
    at.page.click(".give-up button")
    at.page.wait_for_selector('#seat[data-state="over"]')


def test_a_whole_game_by_keys_alone(at: Watched, arena: Arena) -> None:
    at.open("play/")
    assert at.violations() == []
    keyboard = at.page.keyboard
    at.page.locator("#bot1").focus()
    keyboard.type("greedy")
    keyboard.press("Tab")
    keyboard.type("kseri-short")
    for key in ("Tab", "Tab", "Enter"):
        keyboard.press(key)
    turn, played = asked(at), 0
    assert at.violations() == []
    while at.page.get_attribute("#seat", "data-state") == "playing":
        choices = at.page.locator("#hand button").count()
        taking = at.page.locator("#hand button", has_text="take").count()
        keyboard.press("1")
        for _ in range(choices if taking else 0):
            if "take" in at.page.evaluate("document.activeElement.innerText"):
                break
            keyboard.press("ArrowRight")
        keyboard.press("Enter")
        played += 1
        turn = asked(at, turn)
        if turn != "0":
            said = at.page.inner_text("#said")
            assert "greedy" in said.lower()
            assert said.endswith("It is your turn.")
    assert played >= 24
    assert at.violations() == []
    assert at.sticking_out() == []
    assert "won" in at.page.inner_text("#seat h2") or "drawn" in at.page.inner_text("#seat h2")
    at.follow(at.page.get_by_role("link", name="The game play by play"))
    at.page.wait_for_selector("#replay")
    with Reader(arena.database) as reader:
        record = reader.game(at.page.url.rpartition("/")[2])
    assert (record.faults, record.rated) == ([], False)
    (own,) = [seat for seat, each in enumerate(record.seats) if each.bot == "visitor"]
    assert sum(play.seat == own for deal in record.deals for play in deal.plays) == played


def test_a_deal_and_the_end_of_a_game_without_a_script(browser: Any, arena: Arena) -> None:
    with watched(browser, arena.address, java_script_enabled=False) as at:
        sit_down(at, "leaves")
        played = 0
        while at.page.get_attribute("#seat", "data-state") == "playing":
            buttons = at.page.locator("#hand button")
            if buttons.count():
                taking = at.page.locator("#hand button", has_text="take")
                at.follow((taking if taking.count() else buttons).first)
                played += 1
            else:
                # The page loads itself anew while bots think.
                at.page.wait_for_event("load")
        assert 24 <= played <= 25
        assert "You have won" in at.page.inner_text("#seat")
        at.follow(at.page.get_by_role("button", name="Play again"))
        give_up(at)


@pytest.mark.parametrize(
    "options", [{"color_scheme": "dark"}, {"viewport": {"width": 375, "height": 700}}]
)
def test_every_table_is_for_everybody(browser: Any, arena: Arena, options: Any) -> None:
    with watched(browser, arena.address, **options) as at:
        for rules in ("pisti", "faro-6"):
            sit_down(at, rules=rules)
            assert at.violations() == []
            assert at.sticking_out() == []
            give_up(at)
        assert at.violations() == []
        assert at.sticking_out() == []


def test_a_page_loaded_anew_and_a_second_tab_are_the_same_seat(at: Watched) -> None:
    seat = sit_down(at)
    first, cards = asked(at), hand(at)
    at.page.reload()
    assert (asked(at), hand(at)) == (first, cards)
    other = at.page.context.new_page()
    other.goto(seat)
    assert other.locator("#hand svg").count() == len(cards)
    other.locator("#hand button").first.click()
    second = asked(at, first)
    assert int(second) > int(first)
    assert cards[0] not in hand(at)
    other.close()
    give_up(at)


def test_a_form_that_was_shown_before_plays_nothing(at: Watched) -> None:
    seat = sit_down(at)
    first = asked(at)
    old = at.page.eval_on_selector_all(
        "#hand input, #hand button:first-of-type", "all => all.map((e) => [e.name, e.value])"
    )
    at.page.locator("#hand button").first.click()
    second, cards = asked(at, first), hand(at)
    stale = at.page.request.post(seat, form=dict(old))
    assert stale.status == 409
    assert "That turn is over" in stale.text()
    at.page.reload()
    assert (asked(at), hand(at)) == (second, cards)
    give_up(at)


def test_somebody_elses_browser_sees_nothing_hidden(
    browser: Any, at: Watched, arena: Arena
) -> None:
    seat = sit_down(at)
    asked(at)
    cards = hand(at)
    number = seat.rpartition("/")[2]
    with writing(arena.database) as db:
        query = "SELECT tournament_id FROM sittings WHERE id = ?"
        (tournament,) = db.execute(query, [number]).fetchone()
    with watched(browser, arena.address) as eve:
        pages = ["play/", "games/?bot=visitor", "games.json?bot=visitor", "events.json?since=0"]
        pages += [f"tournaments/{tournament}/", f"api/tournaments/{tournament}", "bots/visitor"]
        for page in pages:
            text = eve.page.request.get(arena.address + page).text()
            assert "data-card" not in text, page
            assert "seed" not in text, page
        refused = eve.page.request.get(seat)
        assert refused.status == 403
        assert "data-card" not in refused.text()
        shown = eve.page.request.get(arena.address + "play/").text()
        assert f"Table {number}: a visitor and greedy" in shown
        assert not [card for card in cards if card_name(card) in shown]
    give_up(at)
    with watched(browser, arena.address) as eve:
        eve.page.goto(seat)
        assert "/games/" in eve.page.url, "it is over: everybody may see it"


def test_a_bot_that_crashes_ends_the_game_with_its_diagnosis(at: Watched) -> None:
    sit_down(at, "crashes")
    turn = asked(at)
    while turn != "0":
        at.page.locator("#hand button").first.click()
        turn = asked(at, turn)
    text = at.page.inner_text("#seat")
    assert "You have won" in text
    assert "crash" in text
    at.follow(at.page.get_by_role("link", name="Why, and what mends it"))
    at.page.wait_for_selector("#faults")
    assert "Likely cause" in at.page.inner_text("#faults")


def test_an_arena_that_is_killed_in_the_middle_leaves_the_game_void(
    browser: Any, tmp_path: Path
) -> None:
    with open_arena(tmp_path, "--tables", 1) as arena, watched(browser, arena.address) as at:
        seat = sit_down(at).removeprefix(arena.address)
        cookies = at.page.context.cookies()
        parts = family(arena.process.pid)
        assert len(parts) >= 2, "who plays the games, and the bot"
        arena.process.kill()
        arena.process.wait(PATIENCE_S)
        while living(parts):
            at.page.wait_for_timeout(50)
        at.wrong.clear()
    with serving(arena.database) as server, watched(browser, server.address) as at:
        for cookie in cookies:
            at.page.context.add_cookies([cookie])
        at.open(seat)
        assert "The game is void" in at.page.inner_text("main")
        assert "stopped" in at.page.inner_text("main")
        assert at.page.locator("#hand").count() == 0
