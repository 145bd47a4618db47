"""Raises in its fourth turn."""

from seven import answer, say, turns

for number, turn in enumerate(turns()):
    if number == 3:
        raise ZeroDivisionError("division by zero")
    say(answer(turn))
