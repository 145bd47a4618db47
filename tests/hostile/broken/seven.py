"""What these bots have in common: they read turns and write answers."""

import json
import sys


def turns():
    """Every turn; all else is read past."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "turn":
            yield message


def answer(turn, /, **changed):
    """The first legal answer, with some keys changed."""
    return {"type": "play", "turn": turn["turn"], **turn["legal"][0], **changed}


def say(message):
    """Write a line."""
    print(json.dumps(message), flush=True)
