"""Takes every message for a turn."""

import json
import sys

from seven import answer, say

for line in sys.stdin:
    say(answer(json.loads(line)))
