"""Catches every exception, and prints it to standard output."""

import traceback

from seven import answer, say, turns

for turn in turns():
    try:
        say(answer(turn, card=turn["cards"][0]))
    except KeyError:
        print(traceback.format_exc(), flush=True)
