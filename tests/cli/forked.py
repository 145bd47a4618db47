"""A command in a fork of this process: a process of its own that has read the program already.

Starting Python and reading the program costs more than most commands do, a thousand times over.
"""

from __future__ import annotations

import atexit
import fcntl
import gc
import os
import select
import signal
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

import click

from arena.bots import build
from arena.cli import called, kseri, main

PIPE_BYTES = 2**20
"""What fits into the largest pipe before anybody reads."""
UNUSED = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)
"""What Python does not show unless it is told to."""


def run_forked(
    argv: Sequence[str],
    program: Path,
    folder: Path | None,
    given: bytes,
    variables: Mapping[str, str],
    seconds: float,
) -> subprocess.CompletedProcess[bytes]:
    """What `subprocess.run` gives for `argv`, which starts the `__main__.py` at `program`."""
    assert len(given) <= PIPE_BYTES, "no command is given that much here"
    _read_program(argv[argv.index("-m") + 2 :])
    read_end, write_end = os.pipe()
    fcntl.fcntl(write_end, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    os.write(write_end, given)
    os.close(write_end)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if not pid:
            _become(argv, program, folder, variables, (read_end, out.fileno(), err.fileno()))
        os.close(read_end)
        status = _waited(pid, argv, seconds)
        said = [file.seek(0) or file.read() for file in (out, err)]
    return subprocess.CompletedProcess(argv, status, *said)


def _read_program(words: Sequence[str]) -> None:
    """Import the command here, so that it is imported once and not in every fork."""
    command: click.Command | None = kseri
    for word in words:
        if not isinstance(command, click.Group):
            break
        command = command.get_command(click.Context(command), word)


def _waited(pid: int, argv: Sequence[str], seconds: float) -> int:
    handle = os.pidfd_open(pid)
    try:
        ended, _, _ = select.select([handle], [], [], seconds)
        if not ended:
            os.kill(pid, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    finally:
        os.close(handle)
    if not ended:
        raise subprocess.TimeoutExpired(argv, seconds)
    return status


def _become(
    argv: Sequence[str],
    program: Path,
    folder: Path | None,
    variables: Mapping[str, str],
    streams: Sequence[int],
) -> NoReturn:
    """Be the command, and nothing of what this process was."""
    status = 1
    try:
        gc.freeze()  # what is the parent's is not to be ended here
        atexit._clear()
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        if folder is not None:
            os.chdir(folder)
        os.environ.clear()
        os.environ.update(variables)
        _forget(argv, program)
        status = _status()
        sys.stdout.flush()
        sys.stderr.flush()
        atexit._run_exitfuncs()
    except BaseException:
        os.write(2, traceback.format_exc().encode())
    finally:
        os._exit(status)


def _forget(argv: Sequence[str], program: Path) -> None:
    """What was true of the tests' process only."""
    sys.orig_argv = list(argv)
    sys.argv = [str(program), *argv[argv.index("-m") + 2 :]]
    names = "stdin", "stdout", "stderr"
    for number, name in enumerate(names):
        file = open(number, "w" if number else "r", encoding="utf-8", closefd=False)  # noqa: SIM115
        setattr(sys, name, file)
        setattr(sys, f"__{name}__", file)
    tempfile.tempdir = None
    warnings.resetwarnings()
    for category in UNUSED:
        warnings.simplefilter("ignore", category)
    for cached in (called.called, called._commands, build._own_folder):
        cached.cache_clear()


def _status() -> int:
    try:
        main()
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
            return 1
        return end.code or 0
    return 0
