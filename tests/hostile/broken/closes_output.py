"""Closes its output after its first answer, and lives on."""

import os
import sys

from seven import answer, say, turns

for turn in turns():
    say(answer(turn))
    os.close(1)
    sys.stdin.read()
