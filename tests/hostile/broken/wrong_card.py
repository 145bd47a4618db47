"""Plays the card on top of the pile instead of one of its own."""

from seven import answer, say, turns

for turn in turns():
    say(answer(turn, card=(turn["pile"] or turn["hand"])[-1]))
