"""Greets on standard output before anything else."""

print("MyBot 1.0 ready!", flush=True)

from seven import answer, say, turns  # noqa: E402

for turn in turns():
    say(answer(turn))
