"""Passes over every exception, and so never answers."""

import json
import sys

for line in sys.stdin:
    try:
        message = json.loads(line)
        if message["type"] == "turn":
            print(json.dumps(message["move"]), flush=True)
    except KeyError:
        continue
