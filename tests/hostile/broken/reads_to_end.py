"""Reads all of its input before it answers."""

import json
import sys

from seven import answer, say

for line in sys.stdin.read().splitlines():
    message = json.loads(line)
    if message["type"] == "turn":
        say(answer(message))
