"""Asks for ever more memory."""

from talk import READY, say, turns

say(READY)
for _ in turns():
    hoard = []
    while True:
        hoard.append(bytes(1 << 20))
