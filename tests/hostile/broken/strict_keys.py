"""Knows the keys of a turn, and wants no others."""

import json
import sys

from seven import answer, say

KNOWN = """
type game turn seat deal hand legal pile hidden_centre taken_centre marker stock hands captured
bonus scores plays clock
"""
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "turn":
        unknown = message.keys() - set(KNOWN.split())
        assert not unknown, unknown
        say(answer(message))
