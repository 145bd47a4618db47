"""Counts its turns itself instead of sending back the number."""

from seven import answer, say, turns

say({"type": "ready"})
for number, turn in enumerate(turns(), 1):
    say(answer(turn, turn=number))
