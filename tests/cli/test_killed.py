"""A command that is killed leaves no folder and no process of its own, wherever it was."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.program import SECONDS, bot, cache, environment, kseri

__all__ = ["cache"]

WAITS = """
import os, signal, sys
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # where the tests were started with nohup
import {module} as module
from arena.cli import kseri
from arena.cli.errors import run
def waits(*arguments, **more):
    print("here", flush=True)
    sys.stdin.read()
module.{function} = waits
sys.argv[1:] = {words}
sys.exit(run(kseri))
"""


def stopped_at(folder: Path, place: str, *words: object) -> subprocess.Popen[bytes]:
    """A command that has come to a function and waits there."""
    module, _, function = place.rpartition(".")
    (folder / "tmp").mkdir()
    code = WAITS.format(module=module, function=function, words=[*map(str, words)])
    variables = {"TMPDIR": str(folder / "tmp"), "XDG_CACHE_HOME": str(folder / "cache")}
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=folder,
        env=environment(**variables),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"here\n"
    return process


def end(process: subprocess.Popen[bytes], number: signal.Signals) -> int:
    """Kill a command and wait until the processes that it started have ended; how many."""
    started = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    ends = [os.pidfd_open(int(pid)) for pid in started]
    process.send_signal(number)
    for each in ends:
        assert select.select([each], [], [], SECONDS)[0]
        os.close(each)
    process.communicate()
    return len(ends)


def killed(folder: Path, place: str, *words: object, number: signal.Signals) -> list[str]:
    """Kill a command as soon as it comes to a function; what is left, but for the cache."""
    before = {*folder.rglob("*"), folder / "tmp"}
    process = stopped_at(folder, place, *words)
    assert {path for path in folder.rglob("*") if path.is_dir()} - before, "nothing to tidy up"
    end(process, number)
    new = {*folder.rglob("*")} - before
    return sorted(str(path) for path in new if not path.is_relative_to(folder / "cache"))


every_end = pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])


@every_end
def test_while_the_sandbox_is_attacked(tmp_path: Path, number: signal.Signals) -> None:
    pytest.importorskip("pyseccomp", reason="without libseccomp there is no sandbox to attack")
    words = ["check", "greedy"]
    assert killed(tmp_path, "arena.sandbox.probe.install", *words, number=number) == []


@every_end
def test_while_a_new_bot_is_written(tmp_path: Path, number: signal.Signals) -> None:
    words = ["new", "mine", "--lang", "python"]
    assert killed(tmp_path, "arena.templates._write", *words, number=number) == []


@every_end
def test_while_a_bot_is_debugged(tmp_path: Path, number: signal.Signals) -> None:
    words = ["--isolation", "none", "--workers", 1, "--set", "deals=1", "--seed", 1]
    played = kseri("play", "greedy", bot(tmp_path, "mine"), *words, folder=tmp_path)
    assert played.returncode == 0, played.stderr
    words = ["rerun", 1, "--seat", 0, "--debugger", "cat"]
    assert killed(tmp_path, "arena.cli.rerun._run", *words, number=number) == []
    # The bot's copy, which stays for later games.
    copies = [*(tmp_path / "cache" / "kseri-arena" / "bots").iterdir()]
    assert [path for path in copies if path.name.startswith(("new-", "none-"))] == []


def test_while_luck_is_measured(tmp_path: Path) -> None:
    words = ["--isolation", "none", "--workers", 1, "--set", "deals=1", "--seed", 1]
    played = kseri("play", "greedy", bot(tmp_path, "mine"), *words, folder=tmp_path)
    assert played.returncode == 0, played.stderr
    # Where what a pool of processes has measured is to be stored.
    process = stopped_at(tmp_path, "arena.cli.standings.keep_luck", "standings", "--luck")
    assert end(process, signal.SIGKILL)
