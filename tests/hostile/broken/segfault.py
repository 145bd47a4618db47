"""Ends like a program in C that follows a null pointer."""

import os
import signal

from seven import turns

for _ in turns():
    os.kill(os.getpid(), signal.SIGSEGV)
