"""Which bots a visitor may play, what a visitor's form says, and who the visitor is."""

from __future__ import annotations

import hashlib
import re
import secrets
import threading
from collections.abc import Callable, Collection
from typing import NamedTuple

from flask import abort, request, session

from arena.bots import PERSON, shipped_names
from arena.store import Reader, TableRow, TooMany, are_sittings_played
from dashboard.security import network
from protocol.messages import Play
from protocol.rules import PRESETS, make_rules

_KEY_BYTES = 32
_PLAY = re.compile(r"([A2-9TJQK][CDHS])(?: (take|lay))?")
MOST_OTHERS = 5
"""Seats beside the visitor's, in the rule set with the most."""


class Table(NamedTuple):
    """What a visitor wants to play."""

    bots: list[str]
    """The last takes the seats that are left."""
    rules: str


def playable(reader: Reader) -> list[str]:
    """The names of all bots that a visitor may play, those that come with the arena first."""
    shipped = shipped_names()
    others = [name for name in reader.submitted_names() if name not in (*shipped, PERSON)]
    return shipped + others


def going_on(reader: Reader) -> list[TableRow]:
    """The games of visitors that go on; what an arena that was killed has left does not."""
    return reader.tables() if are_sittings_played(reader.path) else []


class Held:
    """Which address sits at which table: a visitor without a cookie is a new one each time.

    Only for as long as this process lives, so that no address is kept; its games end with it.
    """

    def __init__(self, most: int) -> None:
        """`most`: tables at once."""
        self._most = most
        self._networks: dict[int, str] = {}
        """By the number of the sitting."""
        self._lock = threading.Lock()

    def sit_down(self, address: str, reader: Reader, seat: Callable[[], int]) -> int:
        """The number of the sitting that `seat` makes. Raises `TooMany`, and what `seat` raises."""
        who = network(address)
        with self._lock:
            still = {row.id for row in reader.tables()}
            self._networks = {
                number: each for number, each in self._networks.items() if number in still
            }
            if list(self._networks.values()).count(who) >= self._most:
                raise TooMany(
                    f"{self._most} games are being played from your address, as many as may be"
                )
            number = seat()
            self._networks[number] = who
        return number


def wanted(known: Collection[str]) -> Table | str:
    """The table that a form asks for, or a sentence why there can't be such a one."""
    rules = request.form.get("rules", "")
    if rules not in PRESETS:
        return "There is no such rule set: choose one of the list."
    chosen = [request.form.get(f"bot{number}", "") for number in range(1, MOST_OTHERS + 1)]
    others = _without_blanks(chosen[: make_rules(rules).seats - 1])
    if not others or not set(others) <= set(known):
        return "There is no such bot to play against: choose one of the list."
    return Table(others, rules)


def _without_blanks(names: list[str]) -> list[str]:
    """A bot for every seat up to the last that was chosen: a blank is the bot before it."""
    found: list[str] = []
    for name in names:
        found.append(name or (found[-1] if found else ""))
    while len(found) > 1 and found[-1] == found[-2]:
        found.pop()
    return [name for name in found if name]


def answered() -> tuple[int, Play | None]:
    """The turn that a form answers, and the play; None: the game is given up.

    Ends the request with 400 where it says neither.
    """
    turn = request.form.get("turn", "")
    if not (turn.isascii() and turn.isdecimal() and len(turn) < 10):
        abort(400, "turn: expected the number of a turn.")
    if "give_up" in request.form:
        return int(turn), None
    found = _PLAY.fullmatch(request.form.get("play", ""))
    if found is None:
        abort(400, "play: expected a card, as in 7H, 7H take or 7H lay.")
    captures = {None: None, "take": True, "lay": False}[found[2]]
    return int(turn), Play(card=found[1], capture=captures, turn=int(turn))


def play_text(card: str, capture: bool | None) -> str:
    """A play as a form says it."""
    return card if capture is None else f"{card} {'take' if capture else 'lay'}"


def visitor() -> str | None:
    """The hash of this visitor's key; None: whoever asks has never sat down.

    The key stands in the session's cookie alone, which only this browser sends, to these pages:
    an address that is passed on shows nobody the hand. The database has the hash.
    """
    key = session.get("visitor")
    return None if key is None else hashlib.sha256(str(key).encode()).hexdigest()


def new_visitor() -> str:
    """The same, with a key made where there was none."""
    session.setdefault("visitor", secrets.token_urlsafe(_KEY_BYTES))
    found = visitor()
    assert found is not None
    return found
