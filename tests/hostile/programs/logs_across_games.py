"""Plays well; at the end of every game it begins a line, which it finishes in the next."""

import json
import sys

from talk import answer, say

begun = False
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "turn":
        say(('over"}\n' if begun else "") + answer(message))
        begun = False
    if message["type"] == "game_end":
        say('{"type":"log","text":"game ')
        begun = True
