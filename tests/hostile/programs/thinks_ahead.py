"""Plays well, and computes all the time, in its own turn or not."""

import threading

from talk import play_on


def think():
    while True:
        pass


threading.Thread(target=think, daemon=True).start()
play_on()
