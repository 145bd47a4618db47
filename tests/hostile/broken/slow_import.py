"""Computes a table for ever before it is ready."""

from seven import answer, say, turns

table = 0
while table >= 0:
    table += 1
for turn in turns():
    say(answer(turn))
