"""Prints for ever after its first answer."""

from seven import answer, say, turns

for turn in turns():
    say(answer(turn))
    while True:
        say({"type": "log", "text": "x" * 10_000})
