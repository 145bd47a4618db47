"""The bot's own test: python3 -m unittest

It reads lines.jsonl, and must give one legal answer to every turn, whichever that is.
"""

import json
import subprocess
import sys
import unittest


class Answers(unittest.TestCase):
    """What the bot answers."""

    def test_every_turn_gets_one_legal_answer(self):
        with open("lines.jsonl", "rb") as file:
            lines = file.read()
        bot = subprocess.run(
            [sys.executable, "bot.py"], input=lines, stdout=subprocess.PIPE, check=True
        )
        messages = [json.loads(line) for line in lines.splitlines() if line]
        turns = [message for message in messages if message["type"] == "turn"]
        answers = [json.loads(line) for line in bot.stdout.splitlines()]
        assert [a["turn"] for a in answers] == [t["turn"] for t in turns], answers
        for turn, answer in zip(turns, answers, strict=True):
            assert answer["type"] == "play", answer
            assert any(is_meant(answer, legal) for legal in turn["legal"]), answer


def is_meant(answer, legal):
    """Whether it is this legal answer; without `capture` a card captures if it can."""
    capture = legal.get("capture")
    return answer["card"] == legal["card"] and answer.get("capture", capture) == capture


if __name__ == "__main__":
    unittest.main()
