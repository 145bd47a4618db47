"""Is ended by a signal without a name."""

import os

from talk import READY, say, turns

say(READY)
for _ in turns():
    os.kill(os.getpid(), 40)
