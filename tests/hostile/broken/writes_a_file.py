"""Keeps a diary beside its program."""

from seven import answer, say, turns

say({"type": "ready"})
for turn in turns():
    with open("diary.txt", "w") as diary:
        diary.write("a new turn")
    say(answer(turn))
