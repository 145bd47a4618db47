"""Keeps the number of the turn as a float."""

from seven import answer, say, turns

for turn in turns():
    say(answer(turn, turn=float(turn["turn"])))
