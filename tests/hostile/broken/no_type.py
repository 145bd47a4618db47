"""Answers without a type."""

from seven import say, turns

for turn in turns():
    say({"turn": turn["turn"], "card": turn["hand"][0]})
