"""Pages of tournaments in a real browser: ways through them without a script, and brackets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.dashboard.cups import Cups, make_cups
from tests.dashboard.server import serving
from tests.e2e.browsing import chromium, watched

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

PAGES = {
    "standings": "/tournaments/{cup}/",
    "knockout": "/tournaments/{knockout}/rounds",
    "double": "/tournaments/{double}/rounds",
}


@dataclass(frozen=True)
class Arena:
    """A dashboard that runs, and the tournaments on it."""

    origin: str
    cups: Cups

    def address(self, name: str) -> str:
        """Of a page by its name here."""
        numbers = {key: value for key, value in vars(self.cups).items() if key != "path"}
        return PAGES[name].format(**numbers)


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    path: Path = tmp_path_factory.mktemp("tournaments") / "cups.db"
    cups = make_cups(path)
    with serving(path) as server:
        yield Arena(server.address, cups)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


def test_all_of_it_works_without_a_script(arena: Arena, browser: Any) -> None:
    """Sort, choose curves, leave an opponent out, go from a cell to two bots and to a game."""
    with watched(browser, arena.origin, java_script_enabled=False) as found:
        page = found.page
        found.open(arena.address("standings"))
        found.follow(page.get_by_role("link", name="Bot", exact=True))
        assert page.locator("tbody th a").all_inner_texts() == sorted(
            page.locator("tbody th a").all_inner_texts()
        )
        found.follow(page.get_by_role("link", name="Rating curves"))
        for name in ("boss", "cat", "elk", "fly"):
            page.get_by_label(name, exact=True).uncheck()
        found.follow(page.get_by_role("button", name="Draw"))
        assert [text.split()[0] for text in page.locator(".name").all_text_contents()] == [
            "ace",
            "dog",
        ]
        found.follow(page.get_by_role("link", name="Crosstable"))
        found.follow(page.locator(".cross td a").first)
        assert " against " in page.title()
        found.follow(page.locator("h2 a").first)
        page.get_by_label("Leave out dog").check()
        found.follow(page.get_by_role("button", name="What would it be"))
        assert page.get_by_role("heading", name="Without the games against dog").count() == 1


@pytest.mark.parametrize("name", ["double", "knockout"])
def test_a_tie_stands_between_the_two_that_lead_to_it(
    arena: Arena, browser: Any, name: str
) -> None:
    """Measured: the middle of a box is the mean of the middles of those before it."""
    with watched(browser, arena.origin) as found:
        found.open(arena.address(name))
        columns = found.page.evaluate(
            """() => [...document.querySelector(".bracket").children].map((column) =>
                 [...column.querySelectorAll("li")].map((each) => {
                   const box = each.getBoundingClientRect();
                   return (box.top + box.bottom) / 2;
                 }))"""
        )
    assert len(columns) == 3
    for before, after in pairwise(columns):
        middles = [(a + b) / 2 for a, b in zip(before[::2], before[1::2], strict=True)]
        assert after == pytest.approx(middles, abs=2)
