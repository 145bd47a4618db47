"""The Swiss system: as many rounds as there is time for, each against somebody of like score."""

from arena.pairing.swiss.rounds import NoPairing, most_rounds, next_round, usual_rounds
from arena.pairing.swiss.table import SwissLine, table

__all__ = ["NoPairing", "SwissLine", "most_rounds", "next_round", "table", "usual_rounds"]
