"""Who meets whom: round robin and gauntlet, Swiss, knockouts, leagues. Pure."""

from arena.pairing import knockout, league, swiss
from arena.pairing.base import Met, Pairing
from arena.pairing.fixed import gauntlet, round_robin
from arena.pairing.knockout import Bracket, Place, Side, Tie
from arena.pairing.league import Member
from arena.pairing.partners import with_partners
from arena.pairing.swiss import NoPairing, SwissLine

__all__ = [
    "Bracket",
    "Member",
    "Met",
    "NoPairing",
    "Pairing",
    "Place",
    "Side",
    "SwissLine",
    "Tie",
    "gauntlet",
    "knockout",
    "league",
    "round_robin",
    "swiss",
    "with_partners",
]
