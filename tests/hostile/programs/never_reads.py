"""Is ready, makes its input as small as it gets and reads nothing of it."""

import signal

from talk import READY, say, shrink_input

shrink_input()
say(READY)
signal.pause()
