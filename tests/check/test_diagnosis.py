"""The cause that is found in what a bot wrote, without a process."""

from __future__ import annotations

import subprocess
import sys

import msgspec
import pytest

from arena.diagnosis import diagnosis
from protocol.records import BotLog
from tests.luck.recorded import forfeited

IN_MMAP = (
    'Traceback (most recent call last):\n  File "a.py", line 6, in <module>\n'
    "    mmap.mmap(-1, 4096)\n    ^^^^^^^^^^^^^^^^^^^\n"
    "OSError: [Errno 12] Cannot allocate memory\n"
)
OF_PHP = "mmap() failed: [12] Cannot allocate memory\nPHP Fatal error:  Out of memory in bot.php\n"


def cause(stderr: str, max_rss_mb: int = 9) -> str:
    """The cause that is found for a process that wrote this and ended with so much memory."""
    record = forfeited(bytes(32), 3)
    fault = msgspec.structs.replace(
        record.faults[0], kind="crash", exit_status=1, got="", max_rss_kb=max_rss_mb * 1024
    )
    return diagnosis(record, fault, BotLog(game=record.game, seat=fault.seat, stderr=stderr)).cause


def test_of_a_start_whose_times_are_not_known_it_is_not_said_that_they_ran_out() -> None:
    record = forfeited(bytes(32), 3)
    fault = msgspec.structs.replace(record.faults[0], kind="boot", exit_status=1, got="")
    known = msgspec.structs.replace(fault, used_us=None, limit_us=None)
    log = BotLog(game=record.game, seat=fault.seat, stderr="")
    late = msgspec.structs.replace(fault, used_us=5, limit_us=5, exit_status=None)
    assert diagnosis(record, known, log).cause != diagnosis(record, late, log).cause
    ended = msgspec.structs.replace(fault, used_us=4, limit_us=5)
    assert diagnosis(record, known, log).cause == diagnosis(record, ended, log).cause


@pytest.mark.hostile
def test_whatever_a_bot_writes_is_looked_through_soon():
    command = [sys.executable, "-m", "tests.check.hostile_words"]
    found = subprocess.run(command, capture_output=True, text=True, check=True, timeout=20)
    assert int(found.stdout) > 300


@pytest.mark.parametrize(
    ("stderr", "max_rss_mb", "told"),
    [
        (IN_MMAP, 9, "sharing-refused"),
        (IN_MMAP, 500, "out-of-memory"),
        ("multiprocessing/heap.py\n" + IN_MMAP, 500, "out-of-memory"),
        (OF_PHP, 500, "out-of-memory"),
        (OF_PHP, 9, "out-of-memory"),
    ],
)
def test_memory_that_is_used_up_is_not_memory_that_may_not_be_shared(stderr, max_rss_mb, told):
    assert cause(stderr, max_rss_mb) == told


def test_a_long_line_is_looked_at_as_far_as_it_tells():
    assert cause("RuntimeError: " + "x" * 60_000) == "exception"
    assert cause("x" * 60_000 + "Function not implemented") == "exit-status"
