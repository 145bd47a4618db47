"""Plays well and writes 10 MB of complaints."""

from talk import answer, say, turns

for number, turn in enumerate(turns()):
    if number == 0:
        for _ in range(160):
            say("x" * 65_536, output=2)
        say("the end", output=2)
    say(answer(turn))
