"""Knockouts: whoever has lost one tie, or two with double elimination, is out."""

from arena.pairing.knockout.bracket import Bracket, Side, Tie, bracket
from arena.pairing.knockout.frame import Slot, Source
from arena.pairing.knockout.places import Place, places
from arena.pairing.knockout.rounds import next_round
from arena.pairing.knockout.verdict import MOST_EXTRA_MATCHES

__all__ = [
    "MOST_EXTRA_MATCHES",
    "Bracket",
    "Place",
    "Side",
    "Slot",
    "Source",
    "Tie",
    "bracket",
    "next_round",
    "places",
]
