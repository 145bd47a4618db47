"""Builds in a sandbox, as whoever runs this: JSON lines in and out (see `Order`, `Told`)."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import msgspec

from arena.bots.names import is_ignored
from arena.errors import BotCannotStart, SandboxUnavailable
from arena.sandbox import TreeError, build, build_watch, read_tree, run_build, select_backend
from tests.e2e.playing import children, descriptors


class Order(msgspec.Struct):
    """What is to be built."""

    isolation: str
    command: list[str]
    folder: str
    seconds: float
    """How long it may take."""
    max_files: int = 100
    max_bytes: int = 1 << 20
    bounds: dict[str, int] = {}
    """Of `arena.sandbox.build_watch`, by name."""


class Told(msgspec.Struct):
    """What came of it."""

    unavailable: str = ""
    missing: str = ""
    """Where the command could not be started: why."""
    returncode: int = 0
    problem: str = ""
    output: str = ""
    tree_error: str = ""
    files: dict[str, bytes] = {}
    left: list[str] = []


def built(order: Order) -> Told:
    """Build, and read what was made."""
    told, before = Told(), descriptors()
    folder = Path(order.folder)
    try:
        result = run_build(select_backend(order.isolation), order.command, folder)
        told.returncode, told.output = result.returncode, result.output
        told.problem = result.problem
        tree = read_tree(folder, order.max_files, order.max_bytes, is_ignored)
        told.files = {name: data for name, (_, data) in tree.items()}
    except SandboxUnavailable as error:
        told.unavailable = str(error)
    except BotCannotStart as error:
        told.missing = str(error)
    except TreeError as error:
        told.tree_error = str(error)
    told.left = [f"process {pid}" for pid in children()]
    if descriptors() != before:
        told.left.append("descriptors")
    return told


if __name__ == "__main__":
    # Where the tests were started with nohup it would be ignored.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    for line in sys.stdin.buffer:
        order = msgspec.json.decode(line, type=Order)
        build.BUILD_SECONDS = order.seconds  # type: ignore[assignment]
        before = {name: getattr(build_watch, name) for name in order.bounds}
        vars(build_watch).update(order.bounds)
        told = built(order)
        vars(build_watch).update(before)
        sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
        sys.stdout.buffer.flush()
