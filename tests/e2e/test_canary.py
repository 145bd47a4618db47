"""Real time on a machine that does other things: whose fault it is that a bot ran out of it."""

from __future__ import annotations

import json
import os
import select
import signal
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
import trio.testing

from arena.process import open_host
from arena.process.canary import canary_command
from arena.sandbox import Launch, select_backend
from arena.sandbox.orphans import ours
from tests.cli.program import SECONDS, START, bot, environment, exported, tournament_file
from tests.e2e.playing import PROGRAMS, children, descriptors, program, zombies

pytestmark = pytest.mark.e2e

MOVE_MS = 3_000
TOO_LONG = f"time.sleep({MOVE_MS / 1000 + 0.5})"
WAIT = """\
import os, time
told = os.open(TOLD, os.O_WRONLY)
if message["turn"] in (3, 4) and not os.path.exists(CALM):
    os.write(told, b"asked\\n")
    TOO_LONG
    os.write(told, b"overslept\\n")
    time.sleep(60)
"""
"""In its second turn, when its process has started long ago, it hangs and says so."""


@dataclass
class Cup:
    """A tournament of one game that is being played, and what its slow bot tells."""

    arena: subprocess.Popen[bytes]
    database: Path
    calm: Path
    """Where this file stands, the bot plays on."""
    told: int

    def hears(self, word: str) -> None:
        """Wait until the bot has said so."""
        said = b""
        while not said.endswith(f"{word}\n".encode()):
            assert select.select([self.told], [], [], SECONDS)[0], f"not {word}, but {said!r}"
            said += os.read(self.told, 100)

    def worker(self) -> int:
        [pid] = _with_command(self.arena.pid, "arena.executor.worker")
        return pid

    def canary(self) -> int:
        [pid] = _with_command(self.worker(), *canary_command())
        return pid

    def ended(self) -> dict[str, Any]:
        """Wait for the end; returns the game's record."""
        assert self.arena.wait(SECONDS) == 0
        [line] = exported(self.database)
        found: dict[str, Any] = json.loads(line)
        return found

    def voids(self) -> list[tuple[int, str]]:
        """Which replays did not count, and why."""
        with closing(sqlite3.connect(self.database)) as db:
            return list(db.execute("SELECT replay, cause FROM voids ORDER BY replay"))


def _children(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def _with_command(parent: int, *words: str) -> list[int]:
    """The children of a process that have these words on their command line."""
    found = []
    for pid in _children(parent):
        # A bot or a guardian may just be ending.
        with suppress(FileNotFoundError, ProcessLookupError):
            command = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
            if set(words) <= set(command):
                found.append(pid)
    return found


@pytest.fixture
def cup(tmp_path: Path) -> Iterator[Cup]:
    calm, fifo = tmp_path / "calm", tmp_path / "told"
    os.mkfifo(fifo)
    # Open for both, so that neither side waits for the other.
    told = os.open(fifo, os.O_RDWR)
    code = WAIT.replace("TOLD", repr(str(fifo))).replace("CALM", repr(str(calm)))
    code = code.replace("TOO_LONG", TOO_LONG)
    slow = bot(tmp_path, "slow", code)
    with _arena(tmp_path, slow, move_ms=MOVE_MS) as arena:
        try:
            yield Cup(arena, tmp_path / "games.db", calm, told)
        finally:
            arena.kill()
            os.close(told)


def _arena(folder: Path, slow: Path, move_ms: int) -> subprocess.Popen[bytes]:
    """A tournament of one game between this bot and another."""
    time = f"{{ boot_ms = 20000, move_ms = {move_ms}, bank_ms = 0 }}"
    file = tournament_file(folder, slow, "greedy", matches=1, rotations=1, time=time)
    words = ["tournament", "run", file, "--db", folder / "games.db", "--isolation", "none"]
    return subprocess.Popen(
        [*START, *map(str, words), "--workers", "1"],
        stderr=subprocess.DEVNULL,
        env=environment(XDG_CACHE_HOME=str(folder / "cache")),
        start_new_session=True,
    )


# Overloaded


def _hold_up_canary(cup: Cup) -> None:
    os.kill(cup.canary(), signal.SIGSTOP)


def _hold_up_arena(cup: Cup) -> None:
    """The worker stands still beyond the bot's deadline, the bot does not."""
    os.kill(cup.worker(), signal.SIGSTOP)
    cup.hears("overslept")
    os.kill(cup.worker(), signal.SIGCONT)


@pytest.mark.parametrize("hold_up", [_hold_up_canary, _hold_up_arena])
def test_time_that_an_overloaded_machine_took_is_no_fault(
    cup: Cup, hold_up: Callable[[Cup], None]
) -> None:
    cup.hears("asked")
    cup.calm.touch()
    hold_up(cup)
    record = cup.ended()
    [(replay, cause)] = cup.voids()
    assert replay == 0
    assert "the machine was overloaded" in cause
    assert (record["match"], record["replay"], record.get("faults", [])) == (1, 1, [])


# Their own fault

BURST = """\
import hashlib, threading, time
started = time.monotonic()
def burn():
    while time.monotonic() < started + SECONDS:
        hashlib.pbkdf2_hmac("sha256", b"x", b"y", 1000)
threads = [threading.Thread(target=burn) for _ in range(16)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""
"""Without Python's lock: so many threads wait for the core at the same time."""
GUILTY = {
    "sleeps": "import time\n",
    "computes": "import time\nwhile True: pass\n",
    "computes in 16 threads": BURST.replace("SECONDS", "60"),
    "computes in 16 threads, then sleeps": BURST.replace("SECONDS", "0.3"),
}


@pytest.mark.parametrize("guilty", GUILTY)
def test_a_bot_that_lets_its_time_run_out_is_at_fault_beside_the_canary(
    tmp_path: Path, guilty: str
) -> None:
    """A machine that is really overloaded now and then costs a replay, of which there are three."""
    code = textwrap.indent(GUILTY[guilty] + "time.sleep(60)", "    ")
    slow = bot(tmp_path, "slow", f"if message['turn'] in (3, 4):\n{code}")
    with _arena(tmp_path, slow, move_ms=1_000) as arena:
        assert arena.wait(SECONDS) == 0
    [line] = exported(tmp_path / "games.db")
    record = json.loads(line)
    [fault] = record["faults"]
    assert (record["seats"][fault["seat"]]["bot"], fault["kind"]) == ("slow", "timeout")


# Its own end


@pytest.mark.parametrize("is_stopped", [False, True])
def test_no_canary_survives_a_worker_that_is_killed(cup: Cup, is_stopped: bool) -> None:
    cup.hears("asked")
    canary = os.pidfd_open(cup.canary())
    try:
        if is_stopped:
            signal.pidfd_send_signal(canary, signal.SIGSTOP)
        os.kill(cup.worker(), signal.SIGKILL)
        assert select.select([canary], [], [], SECONDS)[0]
    finally:
        os.close(canary)
    # The worker in its place has one of its own.
    cup.hears("asked")
    assert cup.canary()


@pytest.mark.parametrize("is_python", [False, True])
def test_a_canary_is_no_orphan_and_is_replaced_when_it_is_killed(
    is_python: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_python:
        nothing = SimpleNamespace(which=lambda name: None)
        monkeypatch.setattr("arena.process.canary.shutil", nothing)
        assert canary_command()[0] == sys.executable

    async def hatched(before: set[int]) -> int:
        while not (new := set(children()) - before):
            await trio.testing.wait_all_tasks_blocked(0.01)
        return new.pop()

    async def main() -> None:
        async with open_host(select_backend("none")) as host:
            before = set(children())
            canary = host.keep_canary(1_000)
            pid = await hatched(before)
            process = host.start(Launch(program("good").run, PROGRAMS, 512))
            await host.end(process)
            assert set(children()) == before | {pid}
            os.kill(pid, signal.SIGKILL)
            with trio.fail_after(SECONDS):
                assert await hatched(before | {pid}) != pid
                echoes = len(canary._marks)
                while len(canary._marks) < echoes + 2:
                    await trio.testing.wait_all_tasks_blocked(0.01)
        assert ours == set()

    files = descriptors()
    trio.run(main)
    assert (descriptors(), zombies()) == (files, [])
