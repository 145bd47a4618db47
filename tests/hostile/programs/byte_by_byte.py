"""Plays well, a byte at a time."""

from talk import answer, say, turns

for turn in turns():
    for byte in answer(turn):
        say(byte)
