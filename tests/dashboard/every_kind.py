"""Every kind of page, with the addresses at which one database shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from arena.game import first_dealer
from arena.schedule import GameKey, pairing_text
from arena.store import (
    Chosen,
    JobStep,
    Reader,
    add_job,
    ask_what_if,
    finish_job,
    new_token,
    put_what_if,
    take_job,
    take_what_if,
    token_of,
    writing,
)
from protocol.records import Fault, GameRecord
from protocol.what_if import Continued
from tests.dashboard.cups import make_cups
from tests.dashboard.made import MARKUP, TURNED, Made

TABLES = {2: "kseri", 3: "kseri-3", 4: "pisti", 6: "faro-6"}
"""By seats; pisti has partners, a hidden centre and an exposed bottom card."""

KINDS: dict[str, dict[str, str]] = {
    "tournaments.home": {"home": "/"},
    "tournaments.tournament": {
        "standings": "/tournaments/{cup}/",
        "sorted": "/tournaments/{cup}/?sort=faults&reverse=1",
        "running": "/tournaments/{running}/",
    },
    "tournaments.curves": {
        "curves": "/tournaments/{cup}/curves",
        "online": "/tournaments/{cup}/curves?by=online",
    },
    "tournaments.crosstable": {
        "crosstable": "/tournaments/{cup}/crosstable",
        "residuals": "/tournaments/{cup}/crosstable?residuals=1",
    },
    "tournaments.head_to_head": {
        "head-to-head": "/tournaments/{cup}/head-to-head?a=ace&b=dog",
        "at-four": "/tournaments/{at_four}/head-to-head?a=ace&b=dog",
        "choice": "/tournaments/{cup}/head-to-head",
    },
    "tournaments.by_number": {"by-number": "/tournaments/{cup}/1-2"},
    "tournaments.rounds": {
        "swiss": "/tournaments/{swiss}/rounds",
        "league": "/tournaments/{league}/rounds?round=2",
        "knockout": "/tournaments/{knockout}/rounds",
        "double": "/tournaments/{double}/rounds",
        "open": "/tournaments/{open_double}/rounds",
        "ties": "/tournaments/{double}/rounds?round=2",
    },
    "tournaments.live": {"live": "/tournaments/{running}/live"},
    "tournaments.explain": {"explained": "/tournaments/{cup}/explain?bot=ace&without=dog"},
    "games.games": {
        "games": "/games/",
        "filtered": "/games/?bot=bot-1&result=won",
        "none": "/games/?bot=nobody",
    },
    "games.replay": {
        "two-seats": "/games/{two}?deal=1&move=9",
        "last-play": "/games/{two}?deal={last_deal}&move=48",
        "three-seats": "/games/{three}?deal=1&move=9",
        "four-seats": "/games/{four}?deal=1&move=9",
        "six-seats": "/games/{six}?deal=1&move=9",
        "seat-of-two": "/games/{two}?deal=1&move=9&seat=1",
        "seat-of-four": "/games/{four}?deal=1&move=9&seat=1",
        "seat-of-six": "/games/{six}?deal=1&move=9&seat=1",
        "hostile": "/games/{hostile}?deal=1&move=3",
        "in-play": "/games/{in_play}",
    },
    "games.own_logs": {"own-logs": "/games/{two}/logs"},
    "games.what_if": {
        "what-if": "/games/{two}/what-if?deal=1&move=9",
        "what-if-of-six": "/games/{six}/what-if?deal=1&move=9",
    },
    "games.other_bots": {"other-bots": "/games/{two}/other-bots?deal=1&move=9"},
    "games.went_on": {"went-on": "/games/{six}/other-bots/{went_on}?way=2"},
    "bots.bots": {"bots": "/bots/"},
    "bots.bot": {"bot": "/bots/greedy"},
    "bots.entrant": {"entrant": "/tournaments/{cup}/bots/fly"},
    "play.room": {"play": "/play/"},
    "docs.rules": {"rules": "/rules/"},
    "docs.protocol": {"protocol": "/protocol/"},
    "docs.numbers": {"numbers": "/numbers/"},
    "api.page": {"api": "/api/"},
    "submit.form": {"submit": "/submit"},
    "submit.submission": {"waiting": "/submit/{waiting}", "to-be-mended": "/submit/{failed}"},
}
"""By endpoint: names of pages and their addresses. A test fails where an endpoint is missing."""

FORMS = ("games.show_logs", "games.ask", "submit.submit", "play.sit_down", "play.answer")
"""Endpoints that take the forms of some of these pages."""
OWN = ("play.seat",)
"""Pages of what a visitor has begun, which tests of their own look at."""
DATA = (
    "healthz",
    "static",
    "live.events",
    "live.events_json",
    "games.as_json",
    "games.as_csv",
    "games.record",
    "games.position",
    "games.logs_json",
    "games.went_on_json",
    "submit.submission_json",
)
"""Endpoints that answer with no page; all of the API but its page are others."""

PAGES = {name: address for pages in KINDS.values() for name, address in pages.items()}


@dataclass(frozen=True)
class Everything:
    """A database that has something to show on every page."""

    path: Path
    names: dict[str, str]
    """What stands between braces in the addresses."""

    def address(self, name: str) -> str:
        """Of a page by its name."""
        return PAGES[name].format(**self.names)


def make_everything(path: Path) -> Everything:
    """Fill a new database."""
    cups = make_cups(path)
    names = {key: str(value) for key, value in vars(cups).items() if key != "path"}
    games = {seats: _table(path, seats, preset) for seats, preset in TABLES.items()}
    for word, seats in (("two", 2), ("three", 3), ("four", 4), ("six", 6)):
        names[word] = games[seats].game
    hostile = _hostile(path)
    in_play = Made(path, "Decks in play", ["heron", "pike"], seed=98).game(1, 0)
    names |= {
        "last_deal": str(len(games[2].deals)),
        "hostile": hostile.game,
        "in_play": in_play.game,
    }
    names["failed"], names["waiting"] = _handed_in(path)
    names["went_on"] = _went_on(path, games[6])
    return Everything(path, names)


_BOTS = ("greedy", "counter", "saver", "heron", "pike", "otter")


def _table(path: Path, seats: int, preset: str) -> GameRecord:
    sides = 2 if preset == "pisti" else seats
    made = Made(path, f"Table of {seats}", _BOTS[:sides], preset, seed=90 + seats)
    fault = _fault_in_turn(made, "the jack is not in your hand", "JH")
    game = made.game(1, 0, faults=[fault], stderr="thinking\n" * 3, notes="it may have a jack")
    for rotation in range(1, sides):
        made.game(1, rotation)
    made.finish()
    return game


def _hostile(path: Path) -> GameRecord:
    made = Made(path, f"{MARKUP} \u202ecup", [MARKUP, "bot-1"], seed=97, version=MARKUP)
    fault = _fault_in_turn(made, f"no {MARKUP}", f"{MARKUP}{TURNED}")
    game = made.game(1, 0, faults=[fault], stderr=f"{MARKUP}{TURNED}" * 20, notes=MARKUP)
    made.game(1, 1)
    made.finish()
    return game


def _fault_in_turn(made: Made, detail: str, got: str) -> Fault:
    """A fault that the seat in the third turn of the first game may have committed."""
    labels = made.labels[: made.rules.sides]
    seed = made.secret.seed(pairing_text(labels), GameKey(1, 0, 0))
    seat = (first_dealer(seed, made.rules.seats) + 3) % made.rules.seats
    return Fault(seat=seat, deal=1, turn=3, kind="illegal", detail=detail, got=got)


def _handed_in(path: Path) -> Iterator[str]:
    """The keys of two submissions: one that failed its check, one that waits."""
    with writing(path) as db:
        for name, steps in (("ada", _STEPS), ("ben", [])):
            token = token_of(db, new_token(db, name, 20, 5))
            assert token is not None
            job = add_job(db, token, f"{name}s-bot.zip", None, b"zip")
            if steps:
                taken = take_job(db)
                assert taken is not None
                finish_job(db, job.id, "refused", steps)
            yield job.key


def _went_on(path: Path, game: GameRecord) -> str:
    """The key of a what if that has been played: to the end, and to a fault before it."""
    bots = [
        Chosen(name=name, version="1.0", hash=name, is_shipped=True)
        for name in (*_BOTS[:5], "random")
    ]
    fault = Fault(seat=2, deal=1, turn=30, kind="crash", detail=f"exit status 1 {MARKUP}{TURNED}")
    deal = game.deals[0]
    cut = msgspec.structs.replace(deal, plays=deal.plays[:29], sides=None)
    with writing(path) as db:
        key = ask_what_if(db, game.game, 1, 9, bots)
        row = take_what_if(db)
        assert row is not None
        with Reader(path) as reader:
            whole = reader.game(game.game).deals[0]
        ways = [Continued(deal=whole), Continued(deal=cut, faults=[fault])]
        put_what_if(db, row.id, "over", ways)
    return key


_STEPS = [
    JobStep(name="read", verdict="ok", text="3 files, 2.1 KiB"),
    JobStep(name="build", verdict="ok", text="nothing to build"),
    JobStep(
        name="first game",
        verdict="failed",
        text="it answered with a card that is not in its hand",
        output=f"Traceback {MARKUP}{TURNED}",
    ),
]
