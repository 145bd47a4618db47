"""Answers with a number as its card."""

from seven import answer, say, turns

for turn in turns():
    say(answer(turn, card=7))
