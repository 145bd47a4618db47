"""Does something of everything that the others do, chosen by the number that is its word."""

import os
import random
import signal
import sys
import time

from talk import READY, answer, say, turns

rng = random.Random(int(sys.argv[1]))
log = '{"type":"log","text":"' + "x" * 2_000 + '"}\n'


def in_pieces(text):
    for piece in text:
        say(piece)


def leave_child(detach):
    if os.fork() == 0:
        if detach:
            os.setsid()
        signal.pause()


def out_of_order(turn):
    """Something that is not just an answer."""
    text = answer(turn)
    rng.choice(
        [
            lambda: in_pieces(text),
            lambda: say(READY + log * rng.randrange(60) + text),
            lambda: say(text + log * rng.randrange(1_000)),
            lambda: say(text * 2),
            lambda: say("?\n"),
            lambda: say(text[: rng.randrange(len(text))]),
            lambda: say("\n" * 5_000 + text),
            lambda: say("y" * rng.choice([4_095, 4_096, 65_535, 65_536, 200_000])),
            lambda: say("z" * 100_000 + "\n", output=2) or say(text),
            lambda: time.sleep(0.02) or say(text),
            lambda: leave_child(detach=True) or say(text),
            lambda: leave_child(detach=False) or say(text),
            lambda: os._exit(3),
            lambda: os.close(1) or sys.exit(),
            lambda: os.kill(os.getpid(), rng.choice([9, 11, 15, 19, 40])),
        ]
    )()


for turn in turns():
    if rng.random() < 0.08:
        out_of_order(turn)
    else:
        say(answer(turn))
