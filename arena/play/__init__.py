"""The only place where the referee and the bots' processes meet: plays games and chunks.

plan      what is played: bots, and what all games have in common
place     who plays on a seat: its process, and its part in one game
table     one game of a rotation, and its record
game      one game from its first message to its last
batch     many turns as one line, and the answers to them
many      games that go on at once
chunk     rotation after rotation
"""

from arena.play.chunk import keep_canary, play_chunk
from arena.play.plan import Bot, FinishedGame, Observer, Plan, Report, game_setup

__all__ = [
    "Bot",
    "FinishedGame",
    "Observer",
    "Plan",
    "Report",
    "game_setup",
    "keep_canary",
    "play_chunk",
]
