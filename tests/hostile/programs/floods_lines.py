"""Answers, and writes two MiB of lines behind every answer."""

from talk import answer, say, turns

for turn in turns():
    say(answer(turn) + ('{"type":"log","text":"' + "x" * 1000 + '"}\n') * 2200)
