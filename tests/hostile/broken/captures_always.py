"""Says that it captures, whether it can or not."""

from seven import say, turns

for turn in turns():
    say({"type": "play", "turn": turn["turn"], "card": turn["hand"][0], "capture": True})
