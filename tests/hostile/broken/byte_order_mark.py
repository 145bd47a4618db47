"""Begins with a byte-order mark."""

import json

from seven import answer, turns

for turn in turns():
    print("\ufeff" + json.dumps(answer(turn)), flush=True)
