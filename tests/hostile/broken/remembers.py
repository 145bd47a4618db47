"""Counts the turns of a deal from its first, and believes its count."""

from seven import answer, say, turns

seen = 0
for turn in turns():
    seen = 0 if turn["deal"]["number"] != 1 or len(turn["plays"]) < 2 else seen + 1
    assert seen == len(turn["plays"]) // 2, "a turn was missed"
    say(answer(turn))
