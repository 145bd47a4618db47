"""Plays well, but sleeps a while in its first four turns."""

import time

from talk import READY, answer, say, turns

say(READY)
for number, turn in enumerate(turns()):
    if number < 4:
        time.sleep(0.25)
    say(answer(turn))
