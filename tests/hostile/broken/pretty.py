"""Writes its JSON over several lines."""

import json

from seven import answer, turns

for turn in turns():
    print(json.dumps(answer(turn), indent=2), flush=True)
