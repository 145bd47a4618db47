"""Writes UTF-16."""

import json
import sys

from seven import answer, turns

for turn in turns():
    sys.stdout.buffer.write((json.dumps(answer(turn)) + "\n").encode("utf-16"))
    sys.stdout.buffer.flush()
