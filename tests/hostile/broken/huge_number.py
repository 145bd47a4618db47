"""Writes a number that no computer has."""

from seven import turns

for _ in turns():
    print('{"type":"play","card":"7H","turn":1e999}', flush=True)
