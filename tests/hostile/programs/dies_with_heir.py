"""Ends in its second turn, and leaves its output to a child."""

import os
import signal

from talk import answer, say, turns

for number, turn in enumerate(turns()):
    if number == 1:
        if os.fork():
            os._exit(3)
        signal.pause()
    say(answer(turn))
