"""The command `kseri` at a terminal: a pseudo-terminal of 80 columns that a test types into."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
from collections.abc import Iterator
from pathlib import Path

from tests.cli.program import SECONDS, START, environment


class Terminal:
    """What is on the screen, and the keyboard."""

    def __init__(self, fd: int, process: subprocess.Popen[bytes]) -> None:
        self.text = ""
        """All that was shown so far."""
        self.process = process
        self._fd = fd
        self._seen = 0

    def until(self, wanted: str) -> str:
        """Wait until `wanted` is shown; what was shown since the last time, up to its end."""
        while wanted not in self.text[self._seen :]:
            assert self._read(), f"{wanted!r} was never shown: {self.text[self._seen :]}"
        end = self.text.index(wanted, self._seen) + len(wanted)
        shown, self._seen = self.text[self._seen : end], end
        return shown

    def rest(self) -> str:
        """Wait until the program ends; what was shown since the last time."""
        while self._read():
            continue
        shown, self._seen = self.text[self._seen :], len(self.text)
        self.process.wait(SECONDS)
        return shown

    def _read(self) -> bool:
        ready, _, _ = select.select([self._fd], [], [], SECONDS)
        assert ready, f"nothing more was shown: {self.text[self._seen :]}"
        try:
            data = os.read(self._fd, 65536)
        except OSError:  # Linux's way to say that nobody has the terminal open any more
            return False
        self.text += data.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(data)

    def type(self, text: str) -> None:
        """Type a text; a line ends with a newline."""
        os.write(self._fd, text.encode())

    def resize(self, columns: int) -> None:
        """Change the width."""
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))


@contextlib.contextmanager
def terminal(*words: object, folder: Path, **variables: str) -> Iterator[Terminal]:
    """Run the command at a terminal; it is ended with the block."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(
        [*START, *map(str, words)],
        cwd=folder,
        env=environment(TERM="xterm-256color", **variables),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        # The terminal is the new session's own, so that Ctrl-C and /dev/tty are too.
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(theirs)
    try:
        yield Terminal(ours, process)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(SECONDS)
        os.close(ours)
