"""Is ready, makes its input as small as it gets and reads nothing of it."""

import fcntl
import signal

from talk import READY, say

fcntl.fcntl(0, fcntl.F_SETPIPE_SZ, 4096)
say(READY)
signal.pause()
