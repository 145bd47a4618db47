"""Makes its input as small as it gets, leaves it and its output to a child, and ends."""

import os
import signal

from talk import shrink_input

shrink_input()
if os.fork() == 0:
    while True:
        signal.pause()
