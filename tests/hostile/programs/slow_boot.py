"""Takes a second to start."""

import time

from talk import play_on

time.sleep(1)
play_on()
