"""Writes cards in small letters."""

from seven import answer, say, turns

for turn in turns():
    say(answer(turn, card=turn["hand"][0].lower()))
