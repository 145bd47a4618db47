"""Never comes to its first word."""

import signal

signal.pause()
