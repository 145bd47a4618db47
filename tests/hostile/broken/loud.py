"""Plays well, and complains a lot."""

import sys

from seven import answer, say, turns

for turn in turns():
    sys.stderr.write("x" * 50_000)
    say(answer(turn))
