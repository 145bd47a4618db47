"""Plays three times, then ends with status 7."""

import sys

from talk import answer, say, turns

for number, turn in enumerate(turns()):
    if number == 3:
        sys.exit(7)
    say(answer(turn))
