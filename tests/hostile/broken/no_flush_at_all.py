"""Never flushes."""

import json
import os

from seven import answer, turns

with os.fdopen(1, "w") as output:
    for turn in turns():
        output.write(json.dumps(answer(turn)) + "\n")
