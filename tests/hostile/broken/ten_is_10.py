"""Writes a ten as 10, and the suit as a sign."""

from seven import answer, say, turns

SIGNS = dict(zip("CDHS", "♣♦♥♠", strict=True))

for turn in turns():
    card = turn["hand"][0]
    say(answer(turn, card=card[0].replace("T", "10") + SIGNS[card[1]]))
