"""The bot's own test: python3 -m unittest"""

import unittest

from bot import choose

RULES = {"jack_captures": True}


class Choose(unittest.TestCase):
    """What the bot answers."""

    def test_it_captures_if_it_can(self):
        legal = [{"card": "KD"}, {"card": "7H", "capture": True}, {"card": "7H", "capture": False}]
        assert choose({"legal": legal, "pile": ["7S"]}, RULES) == legal[1]

    def test_it_captures_where_it_must(self):
        legal = [{"card": "KD"}, {"card": "JH"}]
        assert choose({"legal": legal, "pile": ["7S"]}, RULES) == legal[1]

    def test_else_it_lays_its_first_card(self):
        legal = [{"card": "JD"}, {"card": "7H"}]
        assert choose({"legal": legal, "pile": []}, RULES) == legal[0]


if __name__ == "__main__":
    unittest.main()
