"""Looks for its keys in the text, wherever they stand."""

import re
import sys

from seven import say

for line in sys.stdin:
    if line.startswith('{"type":"turn"'):
        turn = re.search(r'"turn":(\d+)', line)
        card = re.search(r'"legal":\[\{"card":"(..)"', line)
        say({"type": "play", "turn": int(turn[1]), "card": card[1]})
