"""Ends when a game does."""

import json
import sys

from seven import answer, say

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "turn":
        say(answer(message))
    if message["type"] == "game_end":
        break
