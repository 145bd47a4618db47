"""Answers without a card."""

from seven import say, turns

for turn in turns():
    say({"type": "play", "turn": turn["turn"], "move": turn["hand"][0]})
