"""Writes bytes that are no text at all."""

import sys

from seven import turns

for _ in turns():
    sys.stdout.buffer.write(bytes(range(128, 256)) + b"\n")
    sys.stdout.buffer.flush()
