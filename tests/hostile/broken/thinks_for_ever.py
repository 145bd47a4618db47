"""Computes without an end in its second turn."""

from seven import answer, say, turns

for number, turn in enumerate(turns()):
    while number:
        pass
    say(answer(turn))
