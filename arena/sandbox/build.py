"""Runs the build command of a bot in its sandbox, within bounds of time, memory and disk."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from arena.errors import Trouble
from arena.sandbox import build_guardian
from arena.sandbox.build_watch import MEMORY_MB, TICK_S, BuildWatch, folder_problem
from arena.sandbox.cgroups import Cgroup, new_cgroup
from arena.sandbox.launch import BUILD_TEMPORARY, Backend, Launch, Prepared
from arena.sandbox.orphans import adopt_orphans, children, kill_orphans, ours

BUILD_SECONDS = 300
"""How long a build may take."""
_TASKS = 1024
"""Threads of a build, where a control group counts them; the limit of its user is 512."""
_OUTPUT_BYTES = 64 * 1024
_READ_BYTES = 64 * 1024


@dataclass(frozen=True)
class BuildResult:
    """How a build ended."""

    returncode: int
    """Exit status, or minus the signal that ended it."""
    output: str
    """The end of what it printed, at most 64 KiB."""
    problem: str = ""
    """What it did that it may not, as the end of a sentence on it: why it was ended; else empty."""


def run_build(backend: Backend, command: Sequence[str], folder: Path) -> BuildResult:
    """Run `command` in `folder`, which it may write.

    As root with an isolating backend the folder is given to the uid that builds; whatever is
    there afterwards must not be followed by path (see `read_tree`). Nothing that the build has
    started is left when it has ended, and when this process has. Raises `BotCannotStart` where
    there is no such command, `SandboxUnavailable`, and `Trouble`.
    """
    adopt_orphans()
    is_isolated = backend.name != "none"
    uid = _hand_over(folder) if is_isolated else None
    prepared = backend.prepare(Launch(command, folder, MEMORY_MB, "build", uid=uid))
    group = new_cgroup(MEMORY_MB, _TASKS) if is_isolated else None
    with _started(prepared, group) as process:
        watch = BuildWatch(process.pid, folder, BUILD_SECONDS)
        output, problem = _follow(process, watch)
        if process.returncode:
            # It may have seen before this process that the disk is full.
            watch.takes_too_much_disk()
    if group:
        problem = f"took more than {MEMORY_MB} MiB of memory" if group.has_killed else problem
        group.remove()
    if watch.lacked_room:
        raise Trouble(watch.lacked_room)
    code = process.returncode
    returncode = 128 - code if 128 < code < 128 + signal.NSIG else code
    # What was written at last was seen by nobody yet.
    problem = problem or folder_problem(folder)
    return BuildResult(returncode, output.decode("utf-8", "replace"), problem)


def _hand_over(folder: Path) -> int | None:
    """Give the tree that the arena has just written to the uid that is to build."""
    (folder / BUILD_TEMPORARY).mkdir(0o700, exist_ok=True)
    if os.geteuid() != 0:
        return None
    from arena.sandbox.bubblewrap import own_uid

    uid = own_uid()
    for root, folders, files in os.walk(folder):
        for name in (*folders, *files, "."):
            os.chown(os.path.join(root, name), uid, uid, follow_symlinks=False)
    # Open to nobody else: root without its capabilities enters it by its group.
    os.chown(folder, uid, os.getegid())
    folder.chmod(0o710)
    return uid


@contextmanager
def _started(prepared: Prepared, group: Cgroup | None) -> Iterator[subprocess.Popen[bytes]]:
    """The guardian of a build, which has started it; both have ended at the end of the block."""
    before = children()
    order = {
        "argv": list(prepared.argv),
        "environment": dict(prepared.environment),
        "groups": [str(path) for path in group.folders] if group else [],
    }
    try:
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", build_guardian.__file__, json.dumps(order)],
            bufsize=0,
            cwd=prepared.folder,
            env={},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=prepared.pass_fds,
            start_new_session=True,
        )
    except OSError as error:
        raise Trouble(f"a build could not be started: {error.strerror}") from error
    finally:
        for fd in prepared.pass_fds:
            os.close(fd)
    ours.add(process.pid)
    try:
        yield process
    finally:
        _end(process)
        ours.discard(process.pid)
        _end_orphans(before)
        assert process.stdout is not None
        process.stdout.close()
        if prepared.status_fd is not None:
            os.close(prepared.status_fd)


def _follow(process: subprocess.Popen[bytes], watch: BuildWatch) -> tuple[bytes, str]:
    """The end of the output, and why the build must be ended before it ends by itself."""
    assert process.stdout is not None
    kept, output = bytearray(), process.stdout.fileno()
    sources = [output]
    problem = ""
    while process.poll() is None and not problem:
        if select.select(sources, [], [], TICK_S)[0] and not _read(output, kept):
            # Closed: that is not its end yet.
            sources = []
        problem = watch.problem()
    _end(process)
    os.set_blocking(output, False)
    with suppress(BlockingIOError):
        while _read(output, kept):
            pass
    return bytes(kept), problem


def _read(output: int, kept: bytearray) -> int:
    """Read some output and keep its end; how much there was."""
    data = os.read(output, _READ_BYTES)
    kept += data
    del kept[:-_OUTPUT_BYTES]
    return len(data)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Have the guardian end the build and itself."""
    assert process.stdin is not None
    process.stdin.close()
    process.wait()


def _end_orphans(before: Collection[int]) -> None:
    """End what a guardian has left that was killed: it has become ours."""
    spare = {*before}
    while killed := kill_orphans(spare):
        for pid, dies in killed.items():
            if dies:
                # Another part of this program may take it first.
                with suppress(ChildProcessError):
                    os.waitpid(pid, 0)
            else:
                spare.add(pid)
