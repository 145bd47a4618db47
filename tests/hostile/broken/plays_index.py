"""Answers with the place of a card in its hand."""

from seven import answer, say, turns

for turn in turns():
    say(answer(turn, card="0"))
