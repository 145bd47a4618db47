"""Gives up without a word in its second turn."""

import sys

from seven import answer, say, turns

for number, turn in enumerate(turns()):
    if number:
        sys.exit(3)
    say(answer(turn))
