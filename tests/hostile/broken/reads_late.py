"""Looks at a line only when the next one is there."""

import json
import sys

from seven import answer, say

before = None
for line in sys.stdin:
    if before and before["type"] == "turn":
        say(answer(before))
    before = json.loads(line)
if before and before["type"] == "turn":
    say(answer(before))
