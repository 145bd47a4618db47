"""Asks for a gigabyte."""

from seven import answer, say, turns

say({"type": "ready"})
for turn in turns():
    table = bytearray(1 << 30)
    say(answer(turn))
