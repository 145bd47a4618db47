"""Does, in its first turn, what costs it the game; the word says what."""

import ctypes
import mmap
import os
import signal
import sys

from talk import READY, answer, say, turns

MIB = 1 << 20
GIB = 1 << 30
libc = ctypes.CDLL(None)


def hoards():
    """Ever more memory."""
    kept = []
    while True:
        kept.append(b"x" * MIB)


def seals():
    """Memory that is written to and then made read-only: RLIMIT_DATA does not count it then."""
    libc.mmap.restype = ctypes.c_void_p
    private, size = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 4 * MIB
    for _ in range(GIB // size):
        area = libc.mmap(None, ctypes.c_size_t(size), 3, private, -1, ctypes.c_long(0))
        if area in (None, ctypes.c_void_p(-1).value):
            break
        ctypes.memset(area, 1, size)
        libc.mprotect(ctypes.c_void_p(area), ctypes.c_size_t(size), 1)
    signal.pause()


def floods(line):
    """A GiB on standard output."""
    block = line * (65_536 // len(line))
    for _ in range(GIB // len(block)):
        say(block)


def closes():
    """All three descriptors, and lives on."""
    os.closerange(0, 3)
    signal.pause()


def stops_and_stays():
    """Stops for ever."""
    while True:
        os.kill(os.getpid(), signal.SIGSTOP)


DEEDS = {
    "hoards": hoards,
    "seals": seals,
    "floods-lines": lambda: floods('{"type":"log","text":"x"}\n'),
    "floods-line": lambda: floods("x"),
    "closes": closes,
    "stops": stops_and_stays,
    "kills-itself": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "exits": lambda: os._exit(int(sys.argv[2])),
}

if sys.argv[1] == "exits-at-once":
    os._exit(int(sys.argv[2]))
say(READY)
for turn in turns():
    DEEDS[sys.argv[1]]()
    say(answer(turn))
