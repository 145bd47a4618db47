"""Answers with a type of its own."""

from seven import answer, say, turns

for turn in turns():
    say(answer(turn, type="move"))
