"""Flushes `ready` and then nothing."""

import json
import os

from seven import answer, say, turns

say({"type": "ready"})
with os.fdopen(1, "w") as output:
    for turn in turns():
        output.write(json.dumps(answer(turn)) + "\n")
