"""Asks another program for the answer."""

import subprocess

from seven import answer, say, turns

say({"type": "ready"})
for turn in turns():
    subprocess.run(["true"], check=True)
    say(answer(turn))
