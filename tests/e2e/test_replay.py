"""Games in a real browser: every key, every rule set's table, what a seat's view never gets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from arena.game import first_dealer
from arena.schedule import GameKey, pairing_text
from dashboard.cards import card_name, card_text
from dashboard.positions import deal_before, deal_view
from dashboard.replay import position_page
from dashboard.telling import telling
from protocol.records import Fault, GameRecord
from tests.dashboard.made import MARKUP, TURNED, Made
from tests.dashboard.server import serving
from tests.e2e.browsing import Watched, chromium, watched

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

TABLES = {2: "kseri", 3: "kseri-3", 4: "pisti", 6: "faro-6"}
"""By seats; pisti has partners, a hidden centre and an exposed bottom card."""


@dataclass(frozen=True)
class Arena:
    """A dashboard that runs, and the games on it."""

    path: Path
    """Of its database."""
    origin: str
    games: dict[int, GameRecord]
    """By seats, finished; that of two has bots whose names and words are markup."""
    open_game: GameRecord
    """On decks that are still in play."""


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    path: Path = tmp_path_factory.mktemp("replay") / "games.db"
    games = {}
    for seats, preset in TABLES.items():
        sides = 2 if preset == "pisti" else seats
        names = [MARKUP, *(f"bot-{side}" for side in range(1, sides))]
        made = Made(path, preset, names, preset, seed=seats, version=MARKUP)
        fault = _fault_in_turn(made, names)
        games[seats] = made.game(1, 0, faults=[fault], stderr=f"{MARKUP}{TURNED}", notes=MARKUP)
        for rotation in range(1, sides):
            made.game(1, rotation)
        made.finish()
    open_game = Made(path, "open", ["a", "b"], seed=9).game(1, 0)
    with serving(path) as server:
        yield Arena(path, server.address, games, open_game)


def _fault_in_turn(made: Made, names: list[str]) -> Fault:
    """A fault that the seat in the third turn of the first game may have committed."""
    seed = made.secret.seed(pairing_text(names), GameKey(1, 0, 0))
    seat = (first_dealer(seed, made.rules.seats) + 3) % made.rules.seats
    got = f"{MARKUP}{TURNED}"
    return Fault(seat=seat, deal=1, turn=3, kind="illegal", detail=f"no {MARKUP}", got=got)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture
def at(browser: Any, arena: Arena) -> Iterator[Watched]:
    """A page of the browser at the size of a desk."""
    with watched(browser, arena.origin) as found:
        yield found


def address(game: GameRecord, query: str = "") -> str:
    return f"games/{game.game}{query}"


def wait_for(at: Watched, deal: int, move: int) -> None:
    at.page.wait_for_selector(f'#replay[data-deal="{deal}"][data-move="{move}"]')


# Keys


def test_arrows_home_end_and_brackets_lead_through_the_game(at: Watched, arena: Arena) -> None:
    game = arena.games[2]
    deals = len(game.deals)
    at.open(address(game))
    for key, deal, move in (
        ("ArrowRight", 1, 1),
        ("ArrowRight", 1, 2),
        ("ArrowLeft", 1, 1),
        ("]", 2, 0),
        ("ArrowLeft", 1, 48),
        ("ArrowRight", 2, 0),
        ("]", 3, 0),
        ("[", 2, 0),
        ("End", deals, 48),
        ("Home", 1, 0),
    ):
        at.page.keyboard.press(key)
        wait_for(at, deal, move)
        assert at.page.url.endswith(f"#d{deal}m{move}") or (deal, move) == (1, 0)
    shown = at.page.locator("#table").get_attribute("data-said")
    assert shown == telling(position_page(game, 1, 0))


def test_at_the_ends_keys_lead_nowhere(at: Watched, arena: Arena) -> None:
    at.open(address(arena.games[2]))
    for key in ("ArrowLeft", "Home", "["):
        at.page.keyboard.press(key)
    at.page.keyboard.press("ArrowRight")
    wait_for(at, 1, 1)


def test_space_plays_on_and_stops(at: Watched, arena: Arena) -> None:
    at.open(address(arena.games[3]))
    at.page.locator("[data-speed]").select_option("250")
    at.page.locator("h1").click()
    at.page.keyboard.press("Space")
    assert at.page.locator("[data-play]").get_attribute("aria-pressed") == "true"
    before = "".join(f':not([data-move="{move}"])' for move in range(3))
    at.page.wait_for_selector(f"#replay{before}")
    at.page.keyboard.press("Space")
    assert at.page.locator("[data-play]").get_attribute("aria-pressed") == "false"


def test_f_goes_around_the_seats_and_back_to_everything(at: Watched, arena: Arena) -> None:
    at.open(address(arena.games[3], "?deal=1&move=5"))
    for seat in ("0", "1", "2", None):
        with at.page.expect_navigation(wait_until="load"):
            at.page.keyboard.press("f")
        wait_for(at, 1, 5)
        assert at.page.locator("#replay").get_attribute("data-seen-by") == seat


def test_a_question_mark_tells_the_keys(at: Watched, arena: Arena) -> None:
    at.open(address(arena.games[2]))
    at.page.keyboard.press("?")
    at.page.wait_for_selector("#help[open]")
    assert "deal before, deal after" in at.page.locator("#help").inner_text()
    at.page.keyboard.press("ArrowRight")
    at.page.keyboard.press("Escape")
    at.page.wait_for_selector("#help:not([open])", state="attached")
    at.page.keyboard.press("ArrowRight")
    wait_for(at, 1, 1)


def test_a_key_right_after_the_help_is_closed_counts(at: Watched, arena: Arena) -> None:
    """Without waiting for a frame: until then the focus is still inside the closed dialog."""
    at.open(address(arena.games[2]))
    at.page.evaluate(
        """() => {
          const help = document.getElementById("help");
          help.showModal();
          help.close();
          const key = new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true });
          document.activeElement.dispatchEvent(key);
        }"""
    )
    wait_for(at, 1, 1)


def test_keys_stay_in_form_fields(at: Watched, arena: Arena) -> None:
    at.open(address(arena.games[2], "?deal=1&move=5"))
    at.page.locator("[data-speed]").focus()
    for key in ("ArrowRight", "End", "f", "?", "]"):
        at.page.keyboard.press(key)
    assert at.page.locator("[data-speed]").input_value() == "250"
    assert not at.page.locator("#help[open]").count()
    at.page.locator("[data-slider]").focus()
    at.page.keyboard.press("ArrowRight")  # the slider's own: one step
    wait_for(at, 1, 6)


def test_keys_of_the_browser_are_left_alone(at: Watched, arena: Arena) -> None:
    at.open(address(arena.games[2], "?deal=1&move=5"))
    at.page.keyboard.press("Control+f")
    at.page.keyboard.press("Control+ArrowRight")
    at.page.keyboard.press("ArrowRight")
    wait_for(at, 1, 6)
    assert at.page.locator("#replay").get_attribute("data-seen-by") is None


def test_the_focus_stays_where_it_was(at: Watched, arena: Arena) -> None:
    at.open(address(arena.games[2]))
    for selector, deal, move in (('[data-go="next"]', 1, 1), ("#deals a:text-is('2')", 2, 0)):
        at.page.locator(selector).click()
        wait_for(at, deal, move)
        assert at.page.evaluate("document.activeElement !== document.body")
    assert at.page.evaluate("document.activeElement.textContent") == "2"


# Links


@pytest.mark.parametrize("query", ["#d2m17", "?deal=2&move=17", "?deal=1&move=3#d2m17"])
def test_a_link_leads_to_its_play(at: Watched, arena: Arena, query: str) -> None:
    game = arena.games[2]
    at.open(address(game, query))
    wait_for(at, 2, 17)
    _same_as_the_engine(at, game, 2, 17)


def test_the_link_to_a_play_can_be_followed(at: Watched, arena: Arena) -> None:
    game = arena.games[2]
    at.open(address(game, "?deal=2&move=4"))
    at.page.keyboard.press("ArrowRight")
    wait_for(at, 2, 5)
    link = at.page.locator("#permalink").get_attribute("href")
    at.open(address(game, link))
    wait_for(at, 2, 5)
    at.page.evaluate("location.hash = '#d3m2'")
    wait_for(at, 3, 2)


@pytest.mark.parametrize("seats", TABLES)
def test_stepping_shows_what_loading_shows(at: Watched, arena: Arena, seats: int) -> None:
    game = arena.games[seats]
    at.open(address(game, "?deal=1&move=10"))
    at.page.keyboard.press("ArrowRight")
    wait_for(at, 1, 11)
    _same_as_the_engine(at, game, 1, 11)
    parts = "#table, #captured, #score, #seen, #links, .controls, #plays"
    content = f"[...document.querySelectorAll('{parts}')].map((part) => part.textContent)"
    stepped = at.page.evaluate(content)
    at.open(address(game, "?deal=1&move=11"))
    assert at.page.evaluate(content) == stepped


def _same_as_the_engine(at: Watched, game: GameRecord, number: int, move: int) -> None:
    deal = deal_before(game, number, move)
    hands = at.page.eval_on_selector_all(
        "[data-seat]", "seats => seats.map(seat => [seat.dataset.seat, seat.dataset.hand])"
    )
    assert dict(hands) == {str(seat): " ".join(hand) for seat, hand in enumerate(deal.hands)}
    assert at.page.locator("[data-pile]").get_attribute("data-pile") == " ".join(deal.pile)


def test_every_play_is_announced(at: Watched, arena: Arena) -> None:
    game = arena.games[2]
    at.open(address(game))
    assert at.page.locator("#said").get_attribute("role") == "status"
    for move in (1, 2, 3):
        at.page.keyboard.press("ArrowRight")
        wait_for(at, 1, move)
        assert at.page.locator("#said").inner_text() == telling(position_page(game, 1, move))


# What a seat knew


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_nothing_that_a_seat_did_not_know_reaches_its_view(
    browser: Any, arena: Arena, seats: int
) -> None:
    """In nothing that the server sends, of this position and of those stepped to."""
    game = arena.games[seats]
    seat, moves = seats - 1, range(5, 9)
    with watched(browser, arena.origin) as at:
        texts: list[str] = []
        queries: list[str] = []
        is_done = False

        def keep(response: Any) -> None:
            if response.request.resource_type in ("document", "fetch") and not is_done:
                queries.append(response.url)
                texts.append(response.text())

        at.page.on("response", keep)
        at.open(address(game, f"?deal=1&move={moves[0]}&seat={seat}"))
        for move in moves[1:]:
            at.page.keyboard.press("ArrowRight")
            wait_for(at, 1, move)
        # It asks for the play after this one beforehand, and that is known to nobody yet.
        at.page.wait_for_load_state("load")
        content = at.page.content()
        is_done = True
        as_json = at.page.evaluate(
            "async () => (await fetch(document.querySelector('#links a[href*=json]').href)).text()"
        )
    assert all(f"seat={seat}" in query for query in queries)
    last = deal_before(game, 1, moves[-1] + 1)
    hidden = {card for other, hand in enumerate(last.hands) if other != seat for card in hand}
    hidden |= {*last.stock, *last.hidden_centre} - {last.bottom, *last.buried}
    hidden -= set(last.hands[seat])
    told = json.loads(as_json)
    del told["valued"]
    sent = [_without_sprite(text) for text in [*texts, content]]
    assert len(sent) > len(moves)
    for card in hidden:
        pattern = rf"(?<![\w.]){card}\b|{card_name(card)}|\b{card_text(card)}"
        for text in [*sent, json.dumps(told, ensure_ascii=False)]:
            assert not re.search(pattern, text), card


def _without_sprite(text: str) -> str:
    return re.sub(r'<svg class="sprite".*?</defs></svg>', "", text, flags=re.DOTALL)


# What strangers wrote


def test_a_bot_named_like_markup_stays_text(at: Watched, arena: Arena) -> None:
    game = arena.games[2]
    for path in (
        address(game, "?deal=1&move=1"),
        address(game, "?deal=1&move=1&seat=0"),
        address(game, "/what-if?deal=1&move=0"),
        address(game, "/other-bots?deal=1&move=0"),
        "games/",
    ):
        at.open(path)
        assert MARKUP in at.page.locator("main").inner_text()
        assert not at.page.locator("main script").count()
    at.open(address(game))
    for closed in at.page.locator("summary").all():
        closed.click()
    text = at.page.locator("#logs").inner_text()
    assert MARKUP in text
    assert "\u202e" not in text
    assert MARKUP in at.page.locator("#faults").inner_text()


# Small, without script, in print, in four colours


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_help_and_four_colours_are_for_everybody(browser: Any, arena: Arena, scheme: str) -> None:
    game = arena.games[2]
    with watched(browser, arena.origin, color_scheme=scheme) as at:
        at.open(address(game))
        at.page.keyboard.press("?")
        assert at.violations() == []
        at.page.keyboard.press("Escape")
        at.page.locator("[data-four]").click()
        for suit in "CD":
            last = next(move for move in deal_view(game, 1).moves if move.card[1] == suit)
            at.open(address(game, f"?deal=1&move={last.number}"))
            assert at.violations("color-contrast") == []


@pytest.mark.parametrize("seats", TABLES)
def test_all_of_it_without_script(browser: Any, arena: Arena, seats: int) -> None:
    game = arena.games[seats]
    with watched(browser, arena.origin, java_script_enabled=False) as at:
        at.open(address(game, "?deal=2&move=17"))
        wait_for(at, 2, 17)
        assert not at.page.locator("[data-play]").is_visible()
        at.follow(at.page.locator('[data-go="next"]'))
        wait_for(at, 2, 18)
        at.follow(at.page.locator("#plays a[data-move='3']"))
        wait_for(at, 2, 3)
        at.follow(at.page.locator("#deals a:text-is('1')"))
        wait_for(at, 1, 0)
        at.follow(at.page.locator(".what-if button").last)
        assert at.page.locator("h1").inner_text().startswith("What if")
        at.follow(at.page.locator(".outcomes button").first)
        at.follow(at.page.locator("text=Back to the game"))
        wait_for(at, 1, 0)
        at.follow(at.page.locator("#seen a").nth(1))
        assert at.page.locator("#replay").get_attribute("data-seen-by") == "0"
        at.follow(at.page.locator("#unfog"))
        wait_for(at, 1, 0)


def test_filters_without_script(browser: Any, arena: Arena) -> None:
    with watched(browser, arena.origin, java_script_enabled=False) as at:
        at.open("games/")
        at.page.locator("input[name=bot]").fill("bot-1")
        at.page.locator("select[name=rules]").select_option("pisti")
        at.follow(at.page.locator("form.filters button"))
        assert at.page.locator("input[name=bot]").input_value() == "bot-1"
        assert at.page.locator("select[name=rules]").input_value() == "pisti"
        assert at.page.locator("table.games tbody tr").count() == 2


def test_four_colours_are_kept_and_there_before_the_page_is_drawn(
    browser: Any, arena: Arena
) -> None:
    watch = """
        new MutationObserver(() => {
          if (document.body && window.atFirst === undefined) {
            window.atFirst = document.documentElement.dataset.suits ?? "two";
          }
        }).observe(document, { childList: true, subtree: true });
    """
    colour = "getComputedStyle(document.querySelector('#plays .suit-D')).color"
    with watched(browser, arena.origin) as at:
        card = at.page.locator('.hand [data-card$="D"]').first
        at.page.add_init_script(watch)
        at.open(address(arena.games[2], "?deal=1&move=1"))
        assert at.page.evaluate("window.atFirst") == "two"
        two, drawn = at.page.evaluate(colour), card.screenshot()
        at.page.locator("[data-four]").click()
        four = at.page.evaluate(colour)
        assert two != four
        assert card.screenshot() != drawn
        at.open(address(arena.games[2], "?deal=1&move=2"))
        assert at.page.evaluate("window.atFirst") == "four"
        assert at.page.evaluate(colour) == four
        assert at.page.locator("[data-four]").get_attribute("aria-pressed") == "true"
        at.page.locator("[data-four]").click()
        assert at.page.evaluate(colour) == two
        at.open(address(arena.games[2], "?deal=1&move=1"))
        assert card.screenshot() == drawn


def test_on_paper_there_is_the_whole_list_of_plays_and_nothing_to_press(
    at: Watched, arena: Arena
) -> None:
    at.open(address(arena.games[2], "?deal=1&move=9"))
    at.page.emulate_media(media="print")
    for selector in (".site", ".controls", "#seen", ".what-if", "[data-slider]"):
        assert not at.page.locator(selector).first.is_visible()
    assert at.page.locator("#table").is_visible()
    assert at.page.evaluate(
        "(list => list.scrollHeight <= list.clientHeight + 1)(document.getElementById('plays'))"
    )


def test_the_page_of_a_game_in_play_turns_into_the_game_once_its_decks_are_over(
    at: Watched, arena: Arena
) -> None:
    waiting = Made(arena.path, "waiting", ["a", "b"], seed=10)
    game = waiting.game(1, 0)
    at.open(address(game))
    assert "1 of 2 is over" in at.page.locator("#state").inner_text()
    waiting.game(1, 1)
    wait_for(at, 1, 0)


def test_a_game_in_play_says_so_and_shows_no_card(at: Watched, arena: Arena) -> None:
    at.open(address(arena.open_game))
    assert "1 of 2 is over" in at.page.locator(".notice").inner_text()
    assert not at.page.locator("[data-card]").count()
