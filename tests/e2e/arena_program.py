"""An arena to be killed: plays a game of two bots that hang, whose ids go to the file named."""

import signal
import sys

from tests.e2e.playing import play, program

if __name__ == "__main__":
    # Also where whoever started this ignores interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    play(program("hangs", sys.argv[1]), program("hangs", sys.argv[1], name="hangs-2"))
