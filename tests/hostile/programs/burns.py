"""Is ready, and computes for ever in its first turn."""

from talk import READY, say, turns

say(READY)
for _ in turns():
    while True:
        pass
