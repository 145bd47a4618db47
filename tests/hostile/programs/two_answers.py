"""Answers every turn twice."""

from talk import answer, say, turns

for turn in turns():
    say(2 * answer(turn))
