"""Makes its input as small as it gets, reads it in small pieces, and answers with what it read."""

import hashlib
import os

from talk import say, shrink_input

shrink_input()
seen = bytearray()
while data := os.read(0, 1000):
    seen += data
    while b"\n" in seen:
        line, _, rest = bytes(seen).partition(b"\n")
        seen[:] = rest
        say(hashlib.sha256(line).hexdigest() + "\n")
