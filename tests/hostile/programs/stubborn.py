"""Plays well, ignores every signal that can be ignored, and never ends."""

import signal

from talk import play_on

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
    signal.signal(number, signal.SIG_IGN)
play_on()
while True:
    signal.pause()
