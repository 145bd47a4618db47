"""How many games in a row everybody forfeits in one chunk. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from arena.faults import forfeiters
from arena.play.plan import FinishedGame
from arena.schedule import GameKey, VoidMatch


class Streaks:
    """The forfeits of one chunk: games in a row by its order, whichever of them end first.

    A game that has not ended breaks a streak. Whoever plays the tournament decides by its whole
    schedule whether what is left of the chunk counts, and has it played where it does.
    """

    def __init__(self, games: Sequence[GameKey], most: int | None) -> None:
        """`games`: in the order in which they begin; `most`: None where no streak is too long."""
        self._games = games
        self._place = {key: place for place, key in enumerate(games)}
        self._most = most
        self._forfeiters: dict[GameKey, list[str]] = {}
        self.is_one_too_long = False
        """Whether somebody has forfeited too many in a row: no further game begins."""

    def note(self, event: FinishedGame | VoidMatch) -> None:
        """Note how a game ended."""
        if isinstance(event, VoidMatch) or self._most is None:
            return
        record = event.record
        key = GameKey(record.match, record.replay, record.rotation)
        self._forfeiters[key] = found = forfeiters(record)
        if any(self._length(label, self._place[key]) >= self._most for label in found):
            self.is_one_too_long = True

    def _length(self, label: str, place: int) -> int:
        """How many games in a row an entrant has forfeited before and after this place, with it."""

        def run(games: Iterable[GameKey]) -> int:
            forfeited = (label in self._forfeiters.get(key, ()) for key in games)
            return sum(takewhile(bool, forfeited))

        return run(self._games[place::-1]) + run(self._games[place + 1 :])
