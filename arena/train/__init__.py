"""For those who train a bot: the very engine of the arena, in one process and fast.

`play_game` plays Python functions that look at a `Position`, `play_messages` such as read the
`turn` messages of the protocol, through the arena's own referee. `arena.train.env` has the game as
a PettingZoo environment (extra `train`), whose observations `encode` makes.
"""

from arena.train.local import LocalGame, Policy, play_game, play_messages
from arena.train.position import Position
from arena.train.vector import CARDS, action_of, encode, layout, mask, option_of

__all__ = [
    "CARDS",
    "LocalGame",
    "Policy",
    "Position",
    "action_of",
    "encode",
    "layout",
    "mask",
    "option_of",
    "play_game",
    "play_messages",
]
