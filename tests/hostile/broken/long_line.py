"""Writes what it thinks into the answer, 64 KiB of it."""

from seven import answer, say, turns

for turn in turns():
    say(answer(turn, note="x" * 70_000))
