"""Goes on when its input has ended."""

import signal

from seven import answer, say, turns

for turn in turns():
    say(answer(turn))
while True:
    signal.pause()
