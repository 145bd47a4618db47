"""Plays well, and needs 20 ms for it."""

import time

from seven import answer, say, turns

for turn in turns():
    time.sleep(0.02)
    say(answer(turn))
