"""The system's Chromium on pages of a running dashboard, and what must hold on all of them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

sync_api = pytest.importorskip(
    "playwright.sync_api", reason="playwright is not installed: python3 run.py develop"
)
axe_api = pytest.importorskip(
    "axe_playwright_python.sync_playwright",
    reason="axe-playwright-python is not installed: python3 run.py develop",
)

_NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser without a window; where there is none the tests are skipped."""
    path = next(filter(None, map(shutil.which, _NAMES)), None)
    if path is None:
        pytest.skip(f"no browser here: none of {', '.join(_NAMES)}")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Watched:
    """A page of the browser, and all that went wrong on it."""

    page: Any
    origin: str
    wrong: list[str] = field(default_factory=list)
    received: list[str] = field(default_factory=list)
    """What the server answered, scripts and styles aside."""

    def watch(self) -> None:
        """Note errors on the console, dialogs, and requests to other hosts."""
        page = self.page
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        page.on("dialog", self._asked)
        page.on("request", self._requested)
        page.on("response", self._answered)

    def _heard(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.wrong.append(f"console: {message.text}")

    def _asked(self, dialog: Any) -> None:
        self.wrong.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _requested(self, request: Any) -> None:
        if not request.url.startswith(self.origin):
            self.wrong.append(f"request: {request.url}")

    def _answered(self, response: Any) -> None:
        if response.status >= 400:
            self.wrong.append(f"{response.status}: {response.url}")

    def open(self, path: str) -> Any:
        """Load a page of the dashboard, scripts and all; returns the answer."""
        return self.page.goto(self.origin + path.lstrip("/"), wait_until="load")

    def follow(self, leading: Any) -> None:
        """Press a link or a button and wait until all of the page that it leads to is there.

        A click alone returns when the answer's first bytes have come: what counts elements
        right after it sees a page that has been read in part.
        """
        with self.page.expect_navigation(wait_until="load"):
            leading.click()

    def violations(self, *rules: str) -> list[str]:
        """What axe finds against people who don't see or use no mouse; `rules`: only these."""
        options = {"resultTypes": ["violations"]} | ({"runOnly": list(rules)} if rules else {})
        found = axe_api.Axe().run(self.page, options=options).response["violations"]
        return [
            f"{each['id']}: {node['target']} {node['failureSummary']}"
            for each in found
            for node in each["nodes"]
        ]

    def sticking_out(self) -> list[str]:
        """What makes the page scroll sideways; nothing where it does not."""
        found: list[str] = self.page.evaluate(_STICKING_OUT)
        return found


_STICKING_OUT = """() => {
  const wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= wide) return [];
  const out = [...document.body.querySelectorAll("*")]
    .filter((each) => !each.closest(".wide"))
    .filter((each) => each.getBoundingClientRect().left + each.scrollWidth > wide)
    .map((each) => each.outerHTML.slice(0, 120));
  return out.length ? out : ["something"];
}"""


@contextmanager
def watched(browser: Any, origin: str, **options: Any) -> Iterator[Watched]:
    """A page in a context of its own; at the end nothing may have gone wrong on it."""
    options = {"viewport": {"width": 1240, "height": 900}} | options
    context = browser.new_context(**options)
    context.set_default_timeout(60_000)
    try:
        found = Watched(context.new_page(), origin)
        found.watch()
        yield found
        assert found.wrong == []
    finally:
        context.close()
