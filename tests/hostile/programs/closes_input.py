"""Is ready, then closes its input and lives on."""

import os
import signal

from talk import READY, say

say(READY)
os.close(0)
signal.pause()
