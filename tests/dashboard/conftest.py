"""One database for all tests of pages, made once, and what asks the pages of it."""

from __future__ import annotations

import re
from collections import Counter, deque
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from dashboard import create_app
from protocol.records import Fault, GameRecord
from protocol.rules import PRESETS, make_rules
from tests.dashboard.cups import Cups, make_cups
from tests.dashboard.made import MARKUP, TURNED, Made
from tests.dashboard.page import Page


@dataclass(frozen=True)
class World:
    """The database and what is in it."""

    path: Path
    by_preset: dict[str, GameRecord]
    """A game of every rule set, its tournament finished."""
    running: Made
    """A tournament that is not over: its first match is, of its second one game of two."""
    open_game: GameRecord
    """The first game of a match whose second game is still to be played."""
    closed_game: GameRecord
    """A game of a complete match in the tournament that is not over."""
    hostile: GameRecord
    """A game whose bots say what they can to break a page."""
    rated: GameRecord
    """A finished tournament's game whose bots wrote to stderr, rated."""


MOST_OF_A_FORM = 20
"""As many as there are tournaments, and some."""

HOSTILE_FAULT = Fault(
    seat=0, deal=1, turn=3, kind="illegal", detail=f"detail {MARKUP}", got=f"got {MARKUP} {TURNED}"
)
CARD_FAULT = Fault(seat=0, deal=1, turn=1, kind="illegal", detail="7H is not in it", got="the 7H")


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    path = tmp_path_factory.mktemp("dashboard") / "pages.db"
    by_preset = {preset: _preset(path, preset, seed) for seed, preset in enumerate(PRESETS, 100)}
    hostile = Made(path, f"{MARKUP} \u202ecup", [MARKUP, "b"], seed=2, version=MARKUP)
    faulty = hostile.game(
        1, 0, faults=[HOSTILE_FAULT], stderr=f"stderr {MARKUP} {TURNED}", notes="secret note"
    )
    hostile.game(1, 1)
    hostile.finish()
    rated = Made(path, "Rated cup", ["a", "b"], seed=3, rated=True)
    rated_game = rated.game(1, 0, stderr="owner only", notes="secret note")
    rated.game(1, 1)
    rated.finish()
    running = Made(path, "Running cup", ["a", "b"], seed=4, matches=30)
    closed = running.game(1, 0)
    running.game(1, 1)
    open_game = running.game(2, 0, faults=[CARD_FAULT], stderr="7H in my hand", notes="secret note")
    return World(path, by_preset, running, open_game, closed, faulty, rated_game)


def _preset(path: Path, preset: str, seed: int) -> GameRecord:
    sides = make_rules(preset).sides
    made = Made(path, preset, [f"bot-{side}" for side in range(sides)], preset, seed=seed)
    games = [made.game(1, rotation) for rotation in range(sides)]
    made.finish()
    return games[0]


@dataclass(frozen=True)
class Answer:
    """What an address answers."""

    status: int
    type: str
    text: str

    @cached_property
    def page(self) -> Page:
        """What is read of it, once for all tests."""
        return Page(self.text)


@pytest.fixture(scope="session")
def every_page(world: World) -> dict[str, Answer]:
    """What can be reached from the home page, of addresses of one form the first ones.

    The game whose bots do their worst is among them.
    """
    client = create_app(world.path).test_client()
    found: dict[str, Answer] = {}
    forms = Counter[str]()
    waiting = deque([f"/games/{world.hostile.game}", "/"])
    while waiting:
        address = waiting.popleft()
        form = _form(address)
        if address in found or forms[form] == MOST_OF_A_FORM:
            continue
        forms[form] += 1
        with client.get(address) as answer:
            found[address] = Answer(answer.status_code, answer.mimetype, answer.text)
        if answer.mimetype == "text/html":
            waiting += [link for link in found[address].page.links() if link.startswith("/")]
    return found


def _form(address: str) -> str:
    """An address without its numbers, games and values."""
    path, _, query = address.partition("?")
    return re.sub(r"\b[0-9a-f]{16}\b|\d+", "N", path) + re.sub("=[^&]*", "", query)


@pytest.fixture
def app(world: World) -> Flask:
    return create_app(world.path)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture(scope="session")
def cups(tmp_path_factory: pytest.TempPathFactory) -> Cups:
    return make_cups(tmp_path_factory.mktemp("cups") / "cups.db")


@pytest.fixture
def cup_client(cups: Cups) -> FlaskClient:
    return create_app(cups.path).test_client()
