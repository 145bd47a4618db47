"""Is ready, and stops itself in its first turn."""

import os
import signal

from talk import READY, say, turns

say(READY)
for _ in turns():
    os.kill(os.getpid(), signal.SIGSTOP)
