"""Takes every message that is not `hello` for a turn."""

import json
import sys

from seven import answer, say

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] != "hello":
        say(answer(message))
