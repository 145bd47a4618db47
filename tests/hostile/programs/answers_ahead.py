"""Answers, and in the same breath the turn that it expects next."""

from talk import answer, say, turns

for turn in turns():
    say(answer(turn) + answer(turn | {"turn": turn["turn"] + 2}))
