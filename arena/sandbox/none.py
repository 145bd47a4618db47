"""No isolation: the bot runs as whoever runs the arena. Only for programs that one trusts."""

from __future__ import annotations

import os
import resource
import sys
from contextlib import suppress

from arena.sandbox.launch import Launch, Prepared, bot_environment
from arena.sandbox.toolchain import find_command
from protocol.records import Isolation


class NoIsolation:
    """Bots as ordinary processes, with a clean environment and a limit on their memory."""

    name: Isolation = "none"
    leftovers = ()

    def prepare(self, launch: Launch) -> Prepared:
        """The bot's own command, with nothing of the arena's environment but the search path."""
        path = os.environ.get("PATH", os.defpath)
        environment = bot_environment(path, str(launch.folder))
        program = find_command(launch.command[0], launch.folder)
        return Prepared([program, *launch.command[1:]], launch.folder, environment)

    def started(self, pid: int, launch: Launch) -> None:
        """Limit data memory and core files from outside (Linux only)."""
        if sys.platform != "linux":
            return
        size = launch.memory_mb * 1024 * 1024
        # A process that has ended already needs no limits.
        with suppress(ProcessLookupError):
            # Only root may raise a limit that the arena itself runs under.
            _, most = resource.prlimit(pid, resource.RLIMIT_DATA)
            size = size if most == resource.RLIM_INFINITY else min(size, most)
            resource.prlimit(pid, resource.RLIMIT_DATA, (size, size))
            resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))
