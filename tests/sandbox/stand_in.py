"""Stands in for an arena that starts hostile bots: as root or as an ordinary user.

One JSON object on standard input (see `_Order`), one on standard output: `unavailable` with a
reason where this machine has no such sandbox, else `verdicts` or what became of one program.
"""

from __future__ import annotations

import importlib
import json
import os
import pty
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.errors import SandboxUnavailable
from arena.sandbox import attacks
from arena.sandbox.launch import Backend, Launch, Prepared
from arena.sandbox.none import NoIsolation
from arena.sandbox.orphans import adopt_orphans, kill_orphans, reap
from tests.sandbox.targets import set_out

ARENA_SECRET = "KSERI_ARENA_SECRET"
MEMORY_MB = 256
_BACKENDS = {
    "bubblewrap": ("arena.sandbox.bubblewrap", "Bubblewrap"),
    "landlock": ("arena.sandbox.landlock", "Landlock"),
}
_RUN_S = 30
_END_S = {"none": 1}
"""Until the end of every process of a bot, 10 where there is a sandbox."""
_STOPPED_S, _LOOKS = 0.3, 30
_FLOOD_BYTES = 1 << 20


@dataclass(frozen=True)
class _Order:
    """What is wanted."""

    backend: str
    """`none` is nothing at all: even the arena's environment and descriptors are handed on."""
    folder: str
    """The bot's: holds the attacking program and all compiled ones."""
    uid: int | None
    """As whom root lets the bot and its sibling run; None: each as the backend says."""
    program: list[str] | None
    """A command to run; None: try every attack."""
    ending: str
    """Of the program: `itself`, `killed` after its first line or MiB, `stopped` by SIGSTOP."""
    stream: str
    """Which of `stdout` and `stderr` to read."""


@dataclass(frozen=True)
class _Bot:
    """How bots are started for one order.

    What the sandbox says of itself stays open and unread until this program ends.
    """

    order: _Order
    backend: Backend
    leaked: int
    """A descriptor that a bot must not have."""

    def start(self, command: list[str], **streams: Any) -> subprocess.Popen[bytes]:
        """A bot as its own session, on a single core, as an arena would."""
        launch = Launch(command, Path(self.order.folder), MEMORY_MB, uid=self.order.uid)
        prepared = self.backend.prepare(launch)
        everything = self.order.backend == "none"
        cores = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(cores)})
        try:
            process = _start(prepared, (self.leaked,) if everything else (), everything, streams)
        finally:
            os.sched_setaffinity(0, cores)
            for descriptor in prepared.pass_fds:
                os.close(descriptor)
        if not everything:
            self.backend.started(process.pid, launch)
        return process


def _start(
    prepared: Prepared, more: tuple[int, ...], everything: bool, streams: Mapping[str, Any]
) -> subprocess.Popen[bytes]:
    environment = dict(prepared.environment) | (dict(os.environ) if everything else {})
    return subprocess.Popen(
        prepared.argv,
        cwd=prepared.folder,
        env=environment,
        pass_fds=(*prepared.pass_fds, *more),
        start_new_session=True,
        bufsize=0,
        **streams,
    )


def _select(name: str) -> Backend:
    if name == "none":
        return NoIsolation()
    module, cls = _BACKENDS[name]
    backend: Backend = getattr(importlib.import_module(module), cls)()
    return backend


def _try_all(bot: _Bot, targets: dict[str, object]) -> dict[str, tuple[str, str]]:
    """The verdict on every attack, also of those behind one that ended its process."""
    found: dict[str, tuple[str, str]] = {}
    for batch in attacks.batches():
        names = batch
        while names:
            new = _try(bot, names, targets)
            found |= new
            names = [name for name in names if name not in new]
    return found


def _try(bot: _Bot, names: list[str], targets: dict[str, object]) -> dict[str, Any]:
    controller, terminal = pty.openpty()
    on_terminal = "tiocsti-inherited" in names
    try:
        process = bot.start(
            ["python3", "-I", "-S", "attacks", *names],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=terminal if on_terminal else subprocess.PIPE,
        )
        output, errors = _talk(process, json.dumps(targets).encode() + b"\n")
    finally:
        os.close(controller)
        os.close(terminal)
    found = attacks.verdicts(names, output.decode(), process.returncode)
    reason = f"its process ended with {process.returncode}: {(errors or b'').decode()[-300:]}"
    return found or {names[0]: ("unavailable", reason)}


def _talk(process: subprocess.Popen[bytes], targets: bytes) -> tuple[bytes, bytes]:
    """What it says until it ends, or is ended for its time."""
    try:
        return process.communicate(targets, _RUN_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.communicate()


def _run(bot: _Bot) -> dict[str, object]:
    """What one program came to."""
    order = bot.order
    assert order.program is not None
    streams: dict[str, int] = {"stdin": subprocess.DEVNULL}
    for name in ("stdout", "stderr"):
        streams[name] = subprocess.PIPE if name == order.stream else subprocess.DEVNULL
    if order.ending == "itself":
        streams["stderr"] = subprocess.PIPE
    process = bot.start(order.program, **streams)
    pipe = process.stdout if order.stream == "stdout" else process.stderr
    assert pipe is not None
    answer: dict[str, object] = {}
    output = b""
    if order.ending != "itself":
        output = _first_of(pipe)
        if order.ending == "stopped":
            answer["ran"] = _ran_while_stopped(process.pid, Path(order.program[0]).name)
        os.killpg(process.pid, signal.SIGKILL)
    try:
        # Every process of the bot holds its pipe: the end of the file is the end of them all.
        last, errors = process.communicate(timeout=_patience_s(order))
    except subprocess.TimeoutExpired:
        return answer | {"output": output.decode(), "survived": True} | _end(process)
    output += (last if order.stream == "stdout" else errors) or b""
    answer["errors"] = (errors or b"").decode()[-500:] if order.ending == "itself" else ""
    return answer | {
        "output": output[-200:].decode() if order.ending == "itself" else output[:20].decode(),
        "status": process.returncode,
        "survived": False,
    }


def _patience_s(order: _Order) -> int:
    return _RUN_S if order.ending == "itself" else _END_S.get(order.backend, 10)


def _first_of(pipe: Any) -> bytes:
    """The first line, or a MiB where lines do not end."""
    output = b""
    while piece := os.read(pipe.fileno(), 65536):
        output += piece
        if output.count(b"\n") == 1 or len(output) >= _FLOOD_BYTES:
            break
    return output


def _ran_while_stopped(started: int, name: str) -> int:
    """How often the bot's process was not stopped, of `_LOOKS` looks after SIGSTOP."""
    pid = next(pid for pid in _descendants(started) if _state(pid)[0] == name)
    os.kill(pid, signal.SIGSTOP)
    ran = 0
    for look in range(_LOOKS):
        time.sleep(_STOPPED_S / _LOOKS)
        # It may not have noticed at the very first.
        ran += look > 0 and _state(pid)[1] != "T"
    return ran


def _descendants(pid: int) -> list[int]:
    found = [pid]
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            found += _descendants(int(child))
    return found


def _state(pid: int) -> tuple[str, str]:
    """Name and state letter of a process."""
    before, after = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)
    return before.split("(", 1)[1], after.split()[0]


def _end(process: subprocess.Popen[bytes]) -> dict[str, object]:
    """Kill those that survived their bot: they are children of this process by now."""
    process.wait()
    killed = 0
    while strays := kill_orphans(set()):
        killed += len(strays)
        for pid in strays:
            while not reap(pid):
                time.sleep(0.001)
    return {"survivors": killed}


def main() -> None:
    """Carry out the order on standard input."""
    order = _Order(**json.load(sys.stdin))
    adopt_orphans()
    secret = secrets.token_hex(8)
    os.environ[ARENA_SECRET] = secret
    leaked = os.open("/dev/null", os.O_RDONLY)
    try:
        bot = _Bot(order, _select(order.backend), leaked)
        if order.program is not None:
            answer: dict[str, object] = _run(bot)
        else:
            with tempfile.TemporaryDirectory(prefix="kseri-arena-") as folder:
                os.chmod(folder, 0o755)
                with set_out(Path(folder), secret, order.uid) as targets:
                    targets |= {name: f"./{name}" for name in ("setuid-program", "capable-program")}
                    targets["memory-mb"] = MEMORY_MB
                    answer = {"verdicts": _try_all(bot, targets)}
    except SandboxUnavailable as why:
        answer = {"unavailable": str(why)}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
