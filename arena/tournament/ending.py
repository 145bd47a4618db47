"""How whoever plays a tournament is told that it has enough games before all of it is played."""

from __future__ import annotations

from typing import Protocol

from arena.play import FinishedGame
from arena.schedule import VoidMatch
from arena.store import Database, StoredTournament


class Ending(Protocol):
    """Takes all games that count, and all matches that don't, and says whether they are enough.

    What it says must not depend on the order in which games end.
    """

    def begin(self, db: Database, stored: StoredTournament) -> None:
        """Take what is stored, in place of all that was taken before.

        Called before every stage by whoever holds the right to play the tournament: meanwhile
        matches may have been annulled.
        """

    def take(self, event: FinishedGame | VoidMatch) -> None:
        """Take a game that counts, or a match that the arena failed."""

    @property
    def is_enough(self) -> bool:
        """Whether the tournament may end with what was taken."""
