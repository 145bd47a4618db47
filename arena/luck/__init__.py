"""The luck of the cards: what the decks of a game were worth to each side, whoever played them.

A frozen baseline player plays every deal of a game again on all seats. What its chance of winning
gains by the deal, from the score that the game really had, is luck; strength has no part in it.
"""

from arena.luck.baseline import BASELINE
from arena.luck.luck import REPLAYS, deal_luck, game_luck

__all__ = ["BASELINE", "REPLAYS", "deal_luck", "game_luck"]
