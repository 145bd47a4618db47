"""Tells its process id to the file named in its first word, and hangs in its second turn."""

import os
import signal
import sys

from talk import answer, say, turns

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
    signal.signal(number, signal.SIG_IGN)
for number, turn in enumerate(turns()):
    if number == 0:
        with open(sys.argv[1], "w") as told:
            told.write(f"{os.getpid()}\n")
    while number:
        signal.pause()
    say(answer(turn))
