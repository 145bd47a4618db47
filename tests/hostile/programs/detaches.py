"""Plays well, and leaves behind what it can: children in other sessions, deaf to signals."""

import os
import signal

from talk import play_on


def live_on():
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    while True:
        signal.pause()


def child(detach):
    if os.fork() == 0:
        if detach:
            os.setsid()
        live_on()


def grandchild():
    if os.fork() == 0:
        os.setsid()
        child(detach=True)
        os._exit(0)
    os.wait()


def runner():
    """Forks and dies, again and again: nobody to kill for long. Not for ever, should that work."""
    if os.fork() == 0:
        os.setsid()
        for _ in range(20_000):
            if os.fork():
                os._exit(0)
            os.setsid()


child(detach=False)
child(detach=True)
grandchild()
runner()
play_on()
