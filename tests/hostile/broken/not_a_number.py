"""Adds an evaluation that is not a number."""

from seven import answer, say, turns

for turn in turns():
    say(answer(turn, value=float("nan")))
