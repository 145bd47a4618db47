"""Pages that are open while something happens: they show what a page loaded anew would show."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from arena.bots import read_bot
from arena.store import open_for_writing
from arena.tournament import pause_tournament
from tests.cli.program import bot
from tests.dashboard.handing_in import Author
from tests.dashboard.made import Made
from tests.dashboard.server import Server, serving
from tests.e2e.browsing import chromium, watched
from tests.e2e.test_league_served import league_file, open_arena
from tests.tournament.made_up import MadeUp, by_chance, entered, played

pytestmark = [pytest.mark.e2e, pytest.mark.browser]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "live.db"
    open_for_writing(found).close()
    return found


class Tabs:
    """Tabs of one browser, as one visitor has them."""

    def __init__(self, browser: Any, server: Server, script: str = "") -> None:
        self.context = browser.new_context()
        self.context.set_default_timeout(60_000)
        self.server = server
        self.streams: list[int] = []
        """The status of every stream that any of them has asked for."""
        self.context.on("response", self._answered)
        if script:
            self.context.add_init_script(script)

    def _answered(self, response: Any) -> None:
        if re.search(r"/events\?", response.url):
            self.streams.append(response.status)

    def open(self, path: str) -> Any:
        """Another tab; it is given back once it hears of changes."""
        page = self.context.new_page()
        page.goto(self.server.address + path)
        page.wait_for_function("() => document.documentElement.dataset.liveBy")
        return page


@contextmanager
def tabs(browser: Any, server: Server, script: str = "") -> Iterator[Tabs]:
    found = Tabs(browser, server, script)
    try:
        yield found
    finally:
        found.context.close()


def by(page: Any) -> str:
    """Where a tab hears of changes."""
    return str(page.evaluate("document.documentElement.dataset.liveBy"))


def shows_games(page: Any, count: int) -> None:
    """Wait until so many games are listed."""
    page.wait_for_function(
        "n => document.querySelectorAll('table.games tbody tr').length === n", arg=count
    )


MAIN = "document.querySelector('main').innerHTML.replace(/\\s+/g, ' ')"


def same_as_loaded_anew(page: Any) -> bool:
    """Whether a page shows what another tab that opens it now does."""
    other = page.context.new_page()
    other.goto(page.url)
    anew = other.evaluate(MAIN)
    other.close()
    return bool(page.evaluate(MAIN) == anew)


# The list of games, while a tournament writes


def test_an_open_page_is_the_page_loaded_anew_while_games_are_stored(
    browser: Any, path: Path
) -> None:
    made = Made(path, "cup", ["a", "b"], seed=4, matches=9)
    with serving(path) as server, watched(browser, server.address) as on:
        on.open("games/")
        page = on.page
        assert "No such games" in page.inner_text("main")
        for match in range(1, 6):
            for rotation in (0, 1):
                made.game(match, rotation)
            shows_games(page, 2 * match)
            assert same_as_loaded_anew(page)
        assert page.evaluate("performance.getEntriesByType('navigation').length") == 1


def test_a_real_tournament_is_shown_as_it_is_played(browser: Any, tmp_path: Path) -> None:
    with (
        open_arena(tmp_path, "--league", league_file(tmp_path), "--workers", 1) as arena,
        watched(browser, arena.address) as on,
    ):
        on.open("games/?tournament=1")
        seen = [_newest(on.page)]
        while len(seen) < 4:
            on.page.wait_for_function(f"n => ({NEWEST}) !== n", arg=seen[-1])
            seen.append(_newest(on.page))
        assert seen == sorted(seen)
        pause_tournament(arena.database, 1)
        on.page.wait_for_function(f"async () => {{ {ANEW} }}")


NEWEST = "Number(document.querySelector('table.games tbody a')?.textContent ?? 0)"
ANEW = """
  const text = await (await fetch(location.href)).text();
  const anew = new DOMParser().parseFromString(text, "text/html").querySelector("main");
  const plain = (main) => main.innerHTML.replace(/\\s+/g, " ");
  return plain(anew) === plain(document.querySelector("main"));
"""


def _newest(page: Any) -> int:
    return int(page.evaluate(NEWEST))


def test_what_a_reader_does_meanwhile_stays(browser: Any, path: Path) -> None:
    made = Made(path, "cup", ["a", "b"], seed=4, matches=9)
    made.game(1, 0)
    with serving(path) as server, watched(browser, server.address) as on:
        on.open("games/")
        page = on.page
        page.fill("input[name=bot]", "gre")
        page.focus("table.games a")
        focused = page.evaluate("document.activeElement.outerHTML")
        page.evaluate("getSelection().selectAllChildren(document.querySelector('h1'))")
        made.game(1, 1)
        shows_games(page, 2)
        assert page.input_value("input[name=bot]") == "gre"
        assert page.evaluate("document.activeElement.matches('table.games a')"), focused
        assert page.evaluate("getSelection().toString()") == "Games"


def test_who_reads_can_let_a_page_stand_still(browser: Any, path: Path) -> None:
    made = Made(path, "cup", ["a", "b"], seed=4, matches=9)
    with serving(path) as server, watched(browser, server.address) as on:
        on.open("games/")
        page = on.page
        page.get_by_role("button", name="Live").click()
        assert on.violations() == []
        with _told(page):
            made.game(1, 0)
        assert page.locator("table.games tbody tr").count() == 0
        page.get_by_role("button", name="Paused").click()
        shows_games(page, 1)


PAGES = (
    "",
    "games/",
    "tournaments/1/",
    "tournaments/1/curves",
    "tournaments/1/crosstable",
    "tournaments/1/rounds",
    "tournaments/1/head-to-head?a=a&b=b",
    "tournaments/1/live",
    "tournaments/1/bots/a",
)


@pytest.mark.parametrize("address", PAGES)
def test_every_page_of_a_tournament_is_the_page_loaded_anew_when_it_is_over(
    browser: Any, path: Path, address: str
) -> None:
    entry = entered(path, "a", "b", "c", "d", name="cup", kind="swiss", matches=20, rounds=2)
    with serving(path) as server, watched(browser, server.address) as on:
        on.open(address)
        before = on.page.evaluate(MAIN)
        playing = threading.Thread(target=played, args=[path, entry, MadeUp(by_chance(5))])
        playing.start()
        on.page.wait_for_function(f"before => {MAIN} !== before", arg=before)
        playing.join()
        on.page.wait_for_function(f"async () => {{ {ANEW} }}")
        assert on.page.evaluate("performance.getEntriesByType('navigation').length") == 1


def test_older_pages_of_the_list_stay_as_they_are(browser: Any, path: Path) -> None:
    made = Made(path, "cup", ["a", "b"], seed=4, matches=9)
    made.game(1, 0)
    with serving(path) as server, watched(browser, server.address) as on:
        on.open("games/?before=99")
        assert on.page.locator("[data-live]").count() == 0
        assert not on.page.evaluate("document.documentElement.dataset.liveBy")


# Many tabs


def test_nine_tabs_have_one_stream_and_all_are_told(browser: Any, path: Path) -> None:
    made = Made(path, "cup", ["a", "b"], seed=4, matches=9)
    with serving(path) as server, tabs(browser, server) as several:
        pages = [several.open("games/") for _ in range(9)]
        pages[0].wait_for_function("() => document.documentElement.dataset.liveBy === 'stream'")
        made.game(1, 0)
        for page in pages:
            page.bring_to_front()
            shows_games(page, 1)
        assert several.streams == [200]
        assert [by(page) for page in pages] == ["stream"] + ["another tab"] * 8
        # The tab that has the stream is closed: another takes its place, and nothing is missed.
        pages.pop(0).close()
        made.game(1, 1)
        for page in pages:
            page.bring_to_front()
            shows_games(page, 2)
        assert several.streams == [200, 200]


def test_where_nobody_can_be_elected_only_the_tab_looked_at_has_a_stream(
    browser: Any, path: Path
) -> None:
    made = Made(path, "cup", ["a", "b"], seed=4, matches=9)
    script = "delete Navigator.prototype.locks"
    with serving(path) as server, tabs(browser, server, script) as several:
        page = several.open("games/")
        page.wait_for_function("() => document.documentElement.dataset.liveBy === 'stream'")
        _hide(page, "hidden")
        made.game(1, 0)
        other = several.open("games/")
        shows_games(other, 1)
        assert page.locator("table.games tbody tr").count() == 0
        _hide(page, "visible")
        shows_games(page, 1)
        assert several.streams == [200] * 3


def _hide(page: Any, state: str) -> None:
    """Let a page believe that its tab is looked at, or not."""
    page.evaluate(
        """state => {
          const set = (name, value) =>
            Object.defineProperty(document, name, { value, configurable: true });
          set("visibilityState", state);
          set("hidden", state === "hidden");
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        state,
    )


def test_a_hidden_tab_looks_anew_when_it_is_looked_at(browser: Any, path: Path) -> None:
    made = Made(path, "cup", ["a", "b"], seed=4, matches=9)
    with serving(path) as server, tabs(browser, server) as several:
        page = several.open("games/")
        page.wait_for_function("() => document.documentElement.dataset.liveBy === 'stream'")
        _hide(page, "hidden")
        with _told(page):
            made.game(1, 0)
        assert page.locator("table.games tbody tr").count() == 0
        _hide(page, "visible")
        shows_games(page, 1)


@contextmanager
def _told(page: Any) -> Iterator[None]:
    """The page has heard of a change at the end of the block."""
    page.evaluate(
        "() => { window.heard = new Promise((done) => "
        "new BroadcastChannel('kseri-live').addEventListener('message', done)); }"
    )
    yield
    page.evaluate("() => window.heard")


# Where no stream is to be had

QUICK = (
    "const later = window.setTimeout; "
    "window.setTimeout = (work, ms, ...rest) => later(work, Math.min(ms ?? 0, 200), ...rest);"
)
"""Nobody need wait for seconds in a test."""


def test_a_page_that_is_refused_a_stream_asks_now_and_then_until_there_is_one(
    browser: Any, path: Path
) -> None:
    made = Made(path, "cup", ["a", "b"], seed=4, matches=9)
    before = "import dashboard.live as live; live.MOST_STREAMS = 0"
    with serving(path, before) as server, tabs(browser, server, QUICK) as several:
        pages = [several.open("games/"), several.open("games/")]
        pages[0].wait_for_function("() => document.documentElement.dataset.liveBy === 'poll'")
        made.game(1, 0)
        for page in pages:
            page.bring_to_front()
            shows_games(page, 1)
        assert same_as_loaded_anew(pages[0])
        assert set(several.streams) == {503}


def test_a_server_that_was_away_is_heard_again_and_nothing_is_missed(
    browser: Any, path: Path
) -> None:
    made = Made(path, "cup", ["a", "b"], seed=4, matches=9)
    with serving(path) as server, tabs(browser, server) as several:
        page = several.open("games/")
        page.wait_for_function("() => document.documentElement.dataset.liveBy === 'stream'")
        server.process.terminate()
        server.process.wait()
        made.game(1, 0)
        with serving(path, _same_port(server.port)):
            shows_games(page, 1)
            made.game(1, 1)
            shows_games(page, 2)


def _same_port(port: int) -> str:
    """What lets a server listen where another did."""
    return (
        "import dashboard, functools; run = dashboard.run_server; "
        "dashboard.run_server = lambda path, host, _, *told, **more: "
        f"run(path, host, {port}, *told, **more)"
    )


# Submissions


def test_a_bot_is_submitted_and_its_steps_appear(browser: Any, tmp_path: Path) -> None:
    good = tmp_path / "mine.zip"
    good.write_bytes(read_bot(bot(tmp_path, "mine", "import time; time.sleep(0.02)")).to_zip())
    with (
        open_arena(tmp_path, "--league", league_file(tmp_path), "--workers", 1) as arena,
        watched(browser, arena.address) as on,
    ):
        page = on.page
        on.open("submit")
        assert on.violations() == []
        page.fill("#token", arena.secret)
        page.set_input_files("#bot", good)
        page.click("main button")
        page.wait_for_url(re.compile("/submit/[0-9a-f]{32}$"))
        page.locator(".steps .running, .steps .waiting").wait_for()
        page.locator(".steps li", has_text="Entered").wait_for()
        assert "mine plays in cup" in page.inner_text("main")
        page.locator("table.games tbody tr").first.wait_for()
        assert on.violations() == []
        assert on.sticking_out() == []
        assert page.evaluate("performance.getEntriesByType('navigation').length") == 1


def test_a_bad_bot_shows_what_to_mend_first(browser: Any, tmp_path: Path) -> None:
    bad = tmp_path / "bad.zip"
    bad.write_bytes(read_bot(bot(tmp_path, "bad", "raise SystemExit('<b>oh</b>')")).to_zip())
    options = {"color_scheme": "dark", "viewport": {"width": 375, "height": 700}}
    with open_arena(tmp_path, "--jobs") as arena, watched(browser, arena.address, **options) as on:
        page = on.page
        on.open("submit")
        assert on.violations() == []
        assert on.sticking_out() == []
        page.fill("#token", arena.secret)
        page.set_input_files("#bot", bad)
        page.click("main button")
        page.locator(".trouble").first.wait_for()
        page.locator(".badge", has_text="to be mended").wait_for()
        text = page.inner_text("main")
        assert text.index("What to do") < text.index("Steps")
        assert "<b>oh</b>" in text
        assert on.violations() == []
        assert on.sticking_out() == []
        page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": 1240, "height": 900})
        assert on.violations() == []
        assert on.sticking_out() == []


def test_a_file_that_is_too_large_is_told_before_it_is_sent(browser: Any, tmp_path: Path) -> None:
    large = tmp_path / "large.zip"
    large.write_bytes(bytes(17 * 2**20))
    ada = Author(tmp_path / "arena.db")
    with serving(ada.path) as server, watched(browser, server.address) as on:
        on.open("submit")
        on.page.fill("#token", ada.secret)
        on.page.set_input_files("#bot", large)
        told = on.page.eval_on_selector("#bot", "field => field.validationMessage")
        assert told == "This file has 17.0 MiB; at most 16.0 MiB are taken."
        on.page.click("main button")
        assert on.page.url == server.address + "submit"
    assert ada.waiting() == []


def test_all_of_it_without_script(browser: Any, tmp_path: Path) -> None:
    good = tmp_path / "mine.zip"
    good.write_bytes(read_bot(bot(tmp_path, "mine")).to_zip())
    with (
        open_arena(tmp_path, "--jobs") as arena,
        watched(browser, arena.address, java_script_enabled=False) as on,
    ):
        page = on.page
        on.open("submit")
        page.fill("#token", "kseri_" + "A" * 43)
        page.fill("#version", "1.0")
        page.set_input_files("#bot", good)
        on.follow(page.locator("main button"))
        assert "no valid token" in page.inner_text("[role=alert]")
        assert page.input_value("#version") == "1.0"
        page.fill("#token", arena.secret)
        page.fill("#version", "")
        page.set_input_files("#bot", good)
        on.follow(page.locator("main button"))
        page.wait_for_url(re.compile("/submit/[0-9a-f]{32}$"))
        while "accepted" not in page.inner_text(".facts"):
            arena.wait()
            on.follow(page.get_by_role("link", name="Load the page anew"))
        assert "kept as mine@1.0" in page.inner_text("main")
        # What was refused on purpose is no mistake of the page.
        assert f"401: {arena.address}submit" in on.wrong
        on.wrong = [wrong for wrong in on.wrong if "401" not in wrong]
