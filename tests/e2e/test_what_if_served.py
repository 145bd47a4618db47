"""`kseri serve --what-if`: asked on a page, played by the process beside it; and `--bot-logs`."""

from __future__ import annotations

import re
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

from tests.dashboard.made import Made
from tests.dashboard.server import PATIENCE_S
from tests.e2e.test_league_served import family, living, open_arena

pytestmark = pytest.mark.e2e


def test_a_visitor_sees_how_other_bots_go_on_and_what_those_of_a_rated_cup_wrote(
    tmp_path: Path,
) -> None:
    cup = Made(tmp_path / "arena.db", "Cup", ["ann", "ben"], rated=True)
    game = cup.game(1, 0, stderr="thought aloud")
    cup.game(1, 1)
    cup.finish()
    with open_arena(tmp_path, "--what-if", "--bot-logs", "finished") as arena:
        browser = build_opener(HTTPCookieProcessor(CookieJar()))
        with browser.open(f"{arena.address}games/{game.game}", timeout=PATIENCE_S) as answer:
            assert "thought aloud" in answer.read().decode()
        address = f"{arena.address}games/{game.game}/other-bots?deal=2&move=44"
        with browser.open(address, timeout=PATIENCE_S) as answer:
            key = re.search(r'name="form_key" value="([^"]+)"', answer.read().decode())
        assert key
        fields = {"form_key": key[1], "seat0": "greedy", "seat1": "random"}
        with browser.open(address, urlencode(fields).encode(), PATIENCE_S) as answer:
            page = answer.url.removeprefix(arena.address)
        while not (found := arena.json(f"{page}.json"))["finished"]:
            arena.wait()
        assert found["state"] == "over"
        assert found["ways"]
        processes = family(arena.process.pid)
        arena.process.terminate()
        arena.ended()
        assert not living(processes)
