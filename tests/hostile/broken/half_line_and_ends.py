"""Ends in the middle of its second answer."""

from seven import answer, say, turns

for number, turn in enumerate(turns()):
    if number:
        print('{"type":"play","tu', end="", flush=True)
        break
    say(answer(turn))
