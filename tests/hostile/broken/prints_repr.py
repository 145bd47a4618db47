"""Prints a Python dictionary instead of JSON."""

from seven import answer, turns

for turn in turns():
    print(answer(turn), flush=True)
