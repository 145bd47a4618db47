"""One game judged without I/O: what it begins with (`setup`), and its course (`game`)."""

from arena.referee.game import Referee
from arena.referee.setup import GameSetup

__all__ = ["GameSetup", "Referee"]
