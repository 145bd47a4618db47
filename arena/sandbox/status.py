"""What bubblewrap says of the sandbox that it made: which process, and how that ended.

The first process in a sandbox's name space is the parent of the bot; it is bubblewrap's child,
and this process's when bubblewrap has ended (see `adopt_orphans`).
"""

from __future__ import annotations

import json
import os
import resource
import signal
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from arena.sandbox.cgroups import Cgroup
from arena.sandbox.limits import set_limits
from arena.sandbox.orphans import ours

_READ_BYTES = 4096


class SandboxStatus:
    """One sandbox, followed through bubblewrap's `--json-status-fd`."""

    def __init__(
        self,
        fd: int,
        hold_fd: int | None = None,
        cgroup: Cgroup | None = None,
        limits: Mapping[str, tuple[int, int]] | None = None,
    ) -> None:
        """`hold_fd`: where a byte lets the sandbox go on once it is in `cgroup` with `limits`."""
        self.returncode: int | None = None
        """How the bot ended: exit status or minus the signal; None where it never ran."""
        self._fd: int | None = fd
        os.set_blocking(fd, False)
        self._hold_fd = hold_fd
        self._cgroup = cgroup
        self._limits = limits or {}
        self.was_out_of_memory = False
        """Whether the kernel ended something in it for its memory; known after `reap`."""
        self._said = b""
        self._first: int | None = None
        self._is_reaped = False
        """Whether the first process is gone: what was said of it counts no more."""
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
        if "child-pid" in said and self._first is None and not self._is_reaped:
            self._first = said["child-pid"]
            ours.add(self._first)
            self._release(self._first)
        if "exit-code" in said:
            code = said["exit-code"]
            # A shell's way to tell a signal; a bot may end so by itself.
            self.returncode = 128 - code if 128 < code < 128 + signal.NSIG else code

    def fileno(self) -> int:
        """The descriptor to wait on while `is_held`."""
        assert self._fd is not None
        return self._fd

    @property
    def is_held(self) -> bool:
        """Whether the sandbox waits to be bounded; reading its status does that."""
        return self._hold_fd is not None

    def _release(self, first: int) -> None:
        """Bound the sandbox and let it go on; end it where that can't be."""
        if self._hold_fd is None:
            return
        try:
            set_limits(first, self._limits)
            if self._cgroup:
                self._cgroup.attach(first)
            os.write(self._hold_fd, b"1")
        except OSError:
            self.kill()
        os.close(self._hold_fd)
        self._hold_fd = None

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

    @property
    def group(self) -> Cgroup | None:
        """The group by which a bot of several processes is stopped and measured; else None."""
        return self._cgroup if self._cgroup and self._cgroup.several else None

    def kill(self) -> None:
        """Kill the first process of the name space, and with it all others."""
        self._read()
        if self.group:
            with suppress(OSError):
                self.group.thaw()
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
        first, self._first, self._is_reaped = self._first, None, True
        usage = None
        if first is not None:
            ours.discard(first)
            with suppress(ChildProcessError):
                usage = os.wait4(first, 0)[2]
        if self._cgroup:
            self.was_out_of_memory = self._cgroup.has_killed
            self._cgroup.remove()
        return usage

    def close(self) -> None:
        """Let go of the descriptors, and of the group where nothing came to be in it."""
        for fd in (self._fd, self._hold_fd):
            if fd is not None:
                os.close(fd)
        self._fd = self._hold_fd = None
        if self._cgroup:
            self._cgroup.remove()
