"""Says that it lays its card, also where it must capture."""

from seven import say, turns

for turn in turns():
    say({"type": "play", "turn": turn["turn"], "card": turn["hand"][0], "capture": False})
