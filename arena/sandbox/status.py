"""What bubblewrap says of the sandbox that it made: which process, and how that ended.

The first process in a sandbox's name space is the parent of the bot; it is bubblewrap's child,
and this process's when bubblewrap has ended (see `adopt_orphans`).
"""

from __future__ import annotations

import json
import os
import resource
import signal
from contextlib import suppress
from pathlib import Path

from arena.sandbox.orphans import ours

_READ_BYTES = 4096


class SandboxStatus:
    """One sandbox, followed through bubblewrap's `--json-status-fd`."""

    def __init__(self, fd: int) -> None:
        self.returncode: int | None = None
        """How the bot ended: exit status or minus the signal; None where it never ran."""
        self._fd: int | None = fd
        os.set_blocking(fd, False)
        self._said = b""
        self._first: int | None = None
        self._bot: int | None = None

    @property
    def has_exit_code(self) -> bool:
        """Whether the bot's command was started; without it the sandbox itself has failed."""
        return self.returncode is not None

    def _read(self) -> None:
        """Take what bubblewrap has said so far; it comes in pieces."""
        if self._fd is None:
            return
        with suppress(BlockingIOError):
            while data := os.read(self._fd, _READ_BYTES):
                self._said += data
        for line in self._said.split(b"\n")[:-1]:
            self._take(json.loads(line))

    def _take(self, said: dict[str, int]) -> None:
        if "child-pid" in said and self._first is None:
            self._first = said["child-pid"]
            ours.add(self._first)
        if "exit-code" in said:
            code = said["exit-code"]
            # A shell's way to tell a signal; a bot may end so by itself.
            self.returncode = 128 - code if 128 < code < 128 + signal.NSIG else code

    def bot_pid(self) -> int | None:
        """The bot's process, as seen from here; None while it is not known."""
        if self._bot is None:
            self._read()
            if self._first is not None:
                path = Path(f"/proc/{self._first}/task/{self._first}/children")
                with suppress(OSError):
                    children = path.read_text().split()
                    self._bot = int(children[0]) if children else None
        return self._bot

    def kill(self) -> None:
        """Kill the first process of the name space, and with it all others."""
        self._read()
        if self._first is not None:
            # It is not reaped before `reap`, so its number can't be another's by now.
            with suppress(ProcessLookupError, PermissionError):
                os.kill(self._first, signal.SIGKILL)

    def first_pid(self) -> int | None:
        """The first process of the name space, as seen from here; None where there was none."""
        self._read()
        return self._first

    def reap(self) -> resource.struct_rusage | None:
        """Take the first process, which has ended; what all that was in the sandbox used."""
        first, self._first = self._first, None
        if first is None:
            return None
        ours.discard(first)
        try:
            return os.wait4(first, 0)[2]
        except ChildProcessError:
            return None

    def close(self) -> None:
        """Let go of the descriptor."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None
