"""Every kind of page in a real browser: in both themes, on a telephone, on paper, without script.

Where `KSERI_PICTURES` names a folder, it is left pictures of all of them, to be looked at.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.dashboard.every_kind import PAGES, Everything, make_everything
from tests.dashboard.server import serving
from tests.e2e.browsing import Watched, chromium, watched

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

PICTURES = os.environ.get("KSERI_PICTURES")
DESK = {"width": 1240, "height": 900}
TELEPHONE = {"width": 375, "height": 700}
PAPER = {"width": 718, "height": 1047}
"""A4 between margins of 1 cm, in CSS pixels."""


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Everything:
    return make_everything(tmp_path_factory.mktemp("everything") / "everything.db")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def origin(everything: Everything) -> Iterator[str]:
    with serving(everything.path) as server:
        yield server.address


@pytest.fixture(scope="module")
def tab(browser: Any, origin: str) -> Iterator[Watched]:
    with watched(browser, origin) as found:
        yield found


@pytest.fixture(scope="module")
def tab_without_script(browser: Any, origin: str) -> Iterator[Watched]:
    with watched(browser, origin, java_script_enabled=False) as found:
        yield found


@pytest.fixture
def scripted(tab: Watched) -> Watched:
    tab.wrong.clear()
    return tab


@pytest.fixture
def scriptless(tab_without_script: Watched) -> Watched:
    tab_without_script.wrong.clear()
    return tab_without_script


def picture(at: Watched, name: str) -> None:
    """Keep how the whole page looks at the moment, where somebody wants that."""
    if PICTURES:
        folder = Path(PICTURES)
        folder.mkdir(parents=True, exist_ok=True)
        at.page.screenshot(path=folder / f"{name}.png", full_page=True)


@pytest.mark.parametrize("name", PAGES)
def test_it_is_for_everybody(scripted: Watched, everything: Everything, name: str) -> None:
    """axe finds nothing in either theme, nothing sticks out, nothing goes wrong meanwhile."""
    page = scripted.page
    page.set_viewport_size(DESK)
    page.emulate_media(media="screen", color_scheme="light")
    policy = scripted.open(everything.address(name)).headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe-" not in policy
    assert scripted.violations() == []
    picture(scripted, f"{name}-light")
    page.emulate_media(color_scheme="dark")
    assert scripted.violations("color-contrast") == []
    picture(scripted, f"{name}-dark")
    page.set_viewport_size(TELEPHONE)
    assert scripted.sticking_out() == []
    picture(scripted, f"{name}-telephone")
    page.set_viewport_size(PAPER)
    page.emulate_media(media="print", color_scheme="light")
    assert not page.locator("header.site").is_visible()
    assert scripted.sticking_out() == []
    picture(scripted, f"{name}-paper")
    assert scripted.wrong == []


@pytest.mark.parametrize("name", PAGES)
def test_it_works_without_a_script(scriptless: Watched, everything: Everything, name: str) -> None:
    """It says what it is about, and has nothing to press that would need a script."""
    scriptless.open(everything.address(name))
    assert scriptless.page.locator("h1").first.inner_text()
    assert scriptless.page.locator("button:not(form button):not([form]):visible").count() == 0
    assert scriptless.wrong == []
