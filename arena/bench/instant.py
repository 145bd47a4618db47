"""The instant bot in Python: reads every turn and answers with the first legal play."""

import json
import sys

for line in sys.stdin:
    turn = json.loads(line)
    if turn["type"] == "turn":
        print(json.dumps({"type": "play", "turn": turn["turn"], **turn["legal"][0]}), flush=True)
