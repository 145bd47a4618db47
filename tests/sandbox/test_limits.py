"""The limits of sandboxed programs, as the kernel shows them from inside."""

from __future__ import annotations

import resource
import subprocess
from typing import Any

import pytest

from arena.sandbox.limits import limits, limits_argv

pytestmark = pytest.mark.sandbox


def shown(words: list[str], **more: Any) -> dict[str, tuple[str, str]]:
    """Soft and hard limits by the names of /proc/PID/limits in a process that has them."""
    done = subprocess.run(
        [*words, "/usr/bin/cat", "/proc/self/limits"], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    rows = [line.split("  ") for line in done.stdout.splitlines()[1:]]
    cells = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    return {row[0]: (row[1], row[2]) for row in cells}


def test_a_bot_sees_its_limits() -> None:
    found = shown(limits_argv(256, 20, "play"))
    expected = limits(256, 20, "play")
    names = {
        "data": "Max data size",
        "as": "Max address space",
        "stack": "Max stack size",
        "fsize": "Max file size",
        "nofile": "Max open files",
        "nproc": "Max processes",
        "core": "Max core file size",
        "cpu": "Max cpu time",
        "memlock": "Max locked memory",
        "msgqueue": "Max msgqueue size",
        "sigpending": "Max pending signals",
    }
    assert expected.keys() == names.keys()
    for name, long_name in names.items():
        assert found[long_name] == tuple(map(str, expected[name]))


def test_data_is_the_memory_of_the_manifest() -> None:
    assert limits(100, None, "play")["data"] == (104_857_600, 104_857_600)
    assert "--data=104857600:104857600" in limits_argv(100, None, "play")


def test_processor_time_only_where_it_is_limited() -> None:
    assert "cpu" not in limits(100, None, "play")
    assert limits(100, 7, "build")["cpu"] == (7, 7)


def test_builds_may_have_processes_and_write() -> None:
    play, build = limits(100, None, "play"), limits(100, None, "build")
    assert play["fsize"] == (0, 0)
    for name in ("nproc", "fsize", "nofile", "as"):
        assert build[name] > play[name]


def test_no_limit_is_above_the_arena_s_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda number: (10, 10))
    assert set(limits(100, 20, "build").values()) == {(10, 10), (0, 0)}


def test_a_limit_without_end_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda number: (5, resource.RLIM_INFINITY))
    assert limits(100, None, "play")["nproc"] == (64, 64)
