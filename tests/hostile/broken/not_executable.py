"""A program that may not be executed."""

from seven import answer, say, turns

for turn in turns():
    say(answer(turn))
