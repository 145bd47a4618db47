"""Says what it thinks on standard output."""

from seven import answer, say, turns

for turn in turns():
    print("thinking about", turn["hand"], flush=True)
    say(answer(turn))
