"""Answers with a card and nothing around it."""

from seven import turns

for turn in turns():
    print(turn["hand"][0], flush=True)
