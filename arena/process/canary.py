"""A process that answers at once: when its echo comes late, the machine is overloaded.

It lives on the core of the arena and its bots and is asked every 50 ms. The whole way counts: a
loop that wakes up too late to ask is overload as much as an echo that does not come. Where a bot
runs out of real time while the canary was late, and not through the bot itself, that is no fault
of the bot.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from typing import IO, NamedTuple

import trio

from arena.errors import ArenaFault

INTERVAL_MS = 50
"""From an echo to the next question. A stall longer than this and what is tolerated is seen."""
_KEPT = 60_000 // INTERVAL_MS
"""Echoes that are remembered: a minute of them. Of longer turns the last minute is judged."""
_TOLERATED_MS = 50
"""What the arena allows itself: it aims to find a deadline no later than that."""
_TOLERATED_PART = 10
"""A bot that leaves itself less than a tenth of its time for a move takes the risk itself."""


class Mark(NamedTuple):
    """A moment at which the canary was heard."""

    at_ns: int
    """By the monotonic clock."""
    cpu_us: Mapping[int, int]
    """CPU time that every bot's process had used by then, by its pid."""


def held_up_ms(marks: Sequence[Mark], start_ns: int, pids: Collection[int]) -> int:
    """The longest delay of an echo since `start_ns` that was not the doing of `pids`, in ms.

    `marks`: every echo in order, and now. To hold up the canary a bot has to keep the core busy
    all that time: its own CPU time between two echoes is taken off. 0 where the bot has computed
    for half of the time or more: then it has had the time that it ran out of.
    """
    first = bisect_right(marks, start_ns, key=lambda mark: mark.at_ns) - 1
    seen = marks[max(0, first) :]
    lasted_us = (seen[-1].at_ns - max(start_ns, seen[0].at_ns)) // 1000
    if 2 * _used_us(seen[0], seen[-1], pids) >= lasted_us:
        return 0
    return max((_delay_us(*pair, start_ns, pids) for pair in pairwise(seen)), default=0) // 1000


def _delay_us(before: Mark, after: Mark, start_ns: int, pids: Collection[int]) -> int:
    due_ns = max(before.at_ns + INTERVAL_MS * 1_000_000, start_ns)
    return max(0, (after.at_ns - due_ns) // 1000 - _used_us(before, after, pids))


def _used_us(before: Mark, after: Mark, pids: Collection[int]) -> int:
    return sum(after.cpu_us.get(pid, 0) - before.cpu_us.get(pid, 0) for pid in pids)


class Canary:
    """Keeps a process that echoes, and the record of how promptly it did."""

    def __init__(self, cpu_us: Callable[[], Mapping[int, int]], move_ms: int) -> None:
        """`cpu_us`: as in `Mark`, for now. `move_ms`: what bots have for an answer."""
        self._cpu_us = cpu_us
        self._tolerated_ms = max(_TOLERATED_MS, move_ms // _TOLERATED_PART)
        self._marks: deque[Mark] = deque([self._now()], maxlen=_KEPT)

    def _now(self) -> Mark:
        return Mark(time.monotonic_ns(), self._cpu_us())

    async def sing(self) -> None:
        """Ask and listen for ever; one that is killed is replaced. Raises `ArenaFault`."""
        while True:
            with _process() as (ask, echo), suppress(BrokenPipeError):
                is_heard = True
                while is_heard:
                    self._marks.append(self._now())
                    await trio.sleep(INTERVAL_MS / 1000)
                    ask.write(b"\n")
                    await trio.lowlevel.wait_readable(echo.fileno())
                    is_heard = bool(echo.read(1))

    def check(self, turn_us: int, pids: Collection[int]) -> None:
        """Raise `ArenaFault` where a turn of `turn_us` that has just run out was held up.

        `pids`: the processes that gain by it if it does not count.
        """
        now = self._now()
        late_ms = held_up_ms([*self._marks, now], now.at_ns - turn_us * 1000, pids)
        if late_ms > self._tolerated_ms:
            raise ArenaFault(
                f"the machine was overloaded: the canary's echo was {late_ms} ms late in a turn "
                f"that ran out of time, more than the {self._tolerated_ms} ms that are tolerated"
            )


def canary_command() -> list[str]:
    """What echoes: `cat`, or Python where there is none."""
    cat = shutil.which("cat")
    program = "import os\nwhile data := os.read(0, 64): os.write(1, data)"
    return [cat] if cat else [sys.executable, "-I", "-S", "-c", program]


@contextmanager
def _process() -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """The process for as long as the block runs: where to write, and where to read.

    It stays in the arena's own session, so that it is no orphan of bots. At the end of its input
    it ends by itself: also where the arena is killed, and even if it is stopped then, since the
    kernel wakes a group that nobody is left to wake.
    """
    try:
        popen = subprocess.Popen(
            canary_command(),
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            process_group=0,
        )
    except OSError as error:
        raise ArenaFault(f"the canary could not be started: {error.strerror}") from error
    assert popen.stdin is not None
    assert popen.stdout is not None
    with popen:
        try:
            yield popen.stdin, popen.stdout
        finally:
            popen.kill()
