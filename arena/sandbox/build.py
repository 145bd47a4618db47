"""Runs the build command of a bot in its sandbox, and takes what it made without trusting it."""

from __future__ import annotations

import json
import os
import select
import signal
import stat
import subprocess
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from arena.errors import Trouble
from arena.sandbox.launch import Backend, Launch
from arena.sandbox.orphans import adopt_orphans, children, kill_orphans

BUILD_SECONDS = 300
"""How long a build may take."""
_MEMORY_MB = 4096
_OUTPUT_BYTES = 64 * 1024
_READ_BYTES = 64 * 1024


@dataclass(frozen=True)
class BuildResult:
    """How a build ended."""

    returncode: int | None
    """Exit status, or minus a signal; None where it took too long."""
    output: str
    """The end of what it printed, at most 64 KiB."""


class TreeError(ValueError):
    """A tree of files that can't be taken: links, devices, too much."""


def run_build(backend: Backend, command: Sequence[str], folder: Path) -> BuildResult:
    """Run `command` in `folder`, which it may write.

    As root with an isolating backend the folder is given to the uid that builds; whatever is
    there afterwards must not be followed by path (see `read_tree`). Raises `BotCannotStart` where
    there is no such command, and `SandboxUnavailable`.
    """
    adopt_orphans()
    uid = None
    if backend.name != "none" and os.geteuid() == 0:
        from arena.sandbox.bubblewrap import own_uid

        uid = own_uid()
        _give(folder, uid)
    before = children()
    prepared = backend.prepare(Launch(command, folder, _MEMORY_MB, "build", uid=uid))
    try:
        process = subprocess.Popen(
            prepared.argv,
            cwd=prepared.folder,
            env=prepared.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=prepared.pass_fds,
            start_new_session=True,
        )
    except OSError as error:
        raise Trouble(f"{command[0]}: {error.strerror}") from error
    finally:
        for fd in prepared.pass_fds:
            os.close(fd)
    try:
        output, in_time = _read_until_end(process, time.monotonic() + BUILD_SECONDS)
    finally:
        _end(process, prepared.status_fd)
        _end_orphans(before)
    returncode = process.returncode if in_time else None
    return BuildResult(returncode, output.decode("utf-8", "replace"))


def _give(folder: Path, uid: int) -> None:
    """Give the tree that the arena has just written to a uid of its own."""
    for root, folders, files in os.walk(folder):
        for name in (*folders, *files, "."):
            os.chown(os.path.join(root, name), uid, uid, follow_symlinks=False)


def _read_until_end(process: subprocess.Popen[bytes], until: float) -> tuple[bytes, bool]:
    """The end of the output, and whether it ended in time."""
    assert process.stdout is not None
    kept = bytearray()
    fd = process.stdout.fileno()
    while (left := until - time.monotonic()) > 0:
        if select.select([fd], [], [], left)[0]:
            data = os.read(fd, _READ_BYTES)
            if not data:
                return bytes(kept), True
            kept += data
            del kept[:-_OUTPUT_BYTES]
    return bytes(kept), False


def _end(process: subprocess.Popen[bytes], status_fd: int | None) -> None:
    """Wait for a build that closed its output, end one that did not, with all it started."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(1)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert process.stdout is not None
    process.stdout.close()
    if status_fd is not None:
        with open(status_fd, "rb") as status:
            first = status.readline()
        with suppress(ValueError, KeyError, ChildProcessError):
            os.waitpid(json.loads(first)["child-pid"], 0)


def _end_orphans(before: Collection[int]) -> None:
    """End what the build left in other sessions: its parent gone, it has become ours."""
    spare = {*before}
    while killed := kill_orphans(spare):
        for pid, dies in killed.items():
            if dies:
                # Another part of this program may take it first.
                with suppress(ChildProcessError):
                    os.waitpid(pid, 0)
            else:
                spare.add(pid)


def read_tree(folder: Path, max_files: int, max_bytes: int) -> dict[str, tuple[bool, bytes]]:
    """Every file below a folder that somebody else may have filled, by relative path.

    Follows no link, opens nothing but regular files. Raises `TreeError`.
    """
    files: dict[str, tuple[bool, bytes]] = {}
    left = max_bytes
    for name, directory_fd, path in _entries(folder):
        if len(files) >= max_files:
            raise TreeError(f"more than {max_files} files")
        executable, data = _read_regular(name, directory_fd, path, left)
        left -= len(data)
        files[path] = (executable, data)
    return files


def _entries(folder: Path) -> Iterator[tuple[str, int, str]]:
    """Every entry that is no folder: its name, the folder's descriptor, its relative path."""
    for root, folders, names, directory_fd in os.fwalk(folder, follow_symlinks=False):
        relative = os.path.relpath(root, folder)
        folders[:] = sorted(name for name in folders if not _is_hidden(name))
        for name in (*sorted(names), *(n for n in folders if _is_link(n, directory_fd))):
            if not _is_hidden(name):
                yield name, directory_fd, os.path.normpath(os.path.join(relative, name))


def _is_hidden(name: str) -> bool:
    return name.startswith(".") or name == "__pycache__"


def _is_link(name: str, directory_fd: int) -> bool:
    return stat.S_ISLNK(os.stat(name, dir_fd=directory_fd, follow_symlinks=False).st_mode)


def _read_regular(name: str, directory_fd: int, path: str, most: int) -> tuple[bool, bytes]:
    mode = os.stat(name, dir_fd=directory_fd, follow_symlinks=False).st_mode
    if stat.S_ISLNK(mode):
        raise TreeError(f"{path}: a link; a bot's files must be files")
    if not stat.S_ISREG(mode):
        raise TreeError(f"{path}: neither file nor folder")
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with open(os.open(name, flags, dir_fd=directory_fd), "rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise TreeError("more bytes than a bot may have")
    return bool(mode & 0o111), data
