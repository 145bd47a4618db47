"""What bubblewrap says of itself is taken once, also by whoever asks again when it is over."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from arena.sandbox.orphans import ours
from arena.sandbox.status import SandboxStatus

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap is for Linux")


def test_a_first_process_that_was_reaped_is_never_signalled_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    process = subprocess.Popen(["true"])
    read, write = os.pipe()
    os.set_blocking(read, False)
    os.write(write, b'{"child-pid": %d}\n{"exit-code": 3}\n' % process.pid)
    status = SandboxStatus(read)
    assert status.first_pid() == process.pid
    assert process.pid in ours
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert status.reap() is not None
    process.returncode = 0

    # Its number may be somebody else's by now.
    def forbidden(pid: int, number: int) -> None:
        raise AssertionError(f"signal {number} to {pid}")

    monkeypatch.setattr(os, "kill", forbidden)
    status.kill()
    assert status.first_pid() is None
    assert status.returncode == 3
    assert process.pid not in ours
    status.close()
    os.close(write)
