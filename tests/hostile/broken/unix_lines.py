"""Wants its lines to end as it knows them."""

import json
import sys

from seven import answer, say

for line in sys.stdin.buffer:
    text = line.decode().removesuffix("\n")
    assert text.endswith("}"), text[-10:]
    message = json.loads(text)
    if message["type"] == "turn":
        say(answer(message))
