"""Is ready, then writes half a line and falls silent."""

import sys

from talk import READY, answer, say, turns

say(READY)
for turn in turns():
    say(answer(turn)[:20])
    sys.stdin.read()
