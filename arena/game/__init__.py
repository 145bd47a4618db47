"""The rules of Kseri and Pişti as a pure engine: no clock, no process, no JSON.

`Deal` plays one deal card by card, `Game` deal after deal from a seed, `view` says what one seat
may know. Rule numbers in the code are those of the rules page.
"""

from arena.game.cards import DECK, is_jack
from arena.game.deal import Deal, IllegalPlay, Option
from arena.game.dealing import NeedsRedeal
from arena.game.game import Game, make_deal
from arena.game.scoring import ownerless, side_scores
from arena.game.shuffle import Stream, commitment, first_dealer, shuffled
from arena.game.view import (
    View,
    bonus_points,
    captured_cards,
    held_cards,
    hidden_centre_cards,
    taken_centre,
    view,
)

__all__ = [
    "DECK",
    "Deal",
    "Game",
    "IllegalPlay",
    "NeedsRedeal",
    "Option",
    "Stream",
    "View",
    "bonus_points",
    "captured_cards",
    "commitment",
    "first_dealer",
    "held_cards",
    "hidden_centre_cards",
    "is_jack",
    "make_deal",
    "ownerless",
    "shuffled",
    "side_scores",
    "taken_centre",
    "view",
]
