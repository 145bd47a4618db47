"""Answers every turn with words, one after another, for ever."""

import time

from talk import READY, say

while True:
    say(READY)
    time.sleep(0.001)
