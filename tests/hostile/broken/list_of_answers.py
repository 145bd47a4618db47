"""Answers with a list of answers."""

from seven import answer, say, turns

for turn in turns():
    say([answer(turn)])
