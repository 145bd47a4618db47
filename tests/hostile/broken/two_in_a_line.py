"""Writes two objects on one line."""

import json

from seven import answer, turns

for turn in turns():
    print(json.dumps({"type": "log", "text": "hm"}) + json.dumps(answer(turn)), flush=True)
