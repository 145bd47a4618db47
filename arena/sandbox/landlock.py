"""Isolation where the machine refuses namespaces: Landlock, a filter of system calls, limits.

Weaker than bubblewrap in this: a bot can ask whether a path exists, and how large and old the
file is. It can neither open nor change it. As root every bot runs as a user of its own.
"""

from __future__ import annotations

import itertools
import marshal
import os
import resource
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from arena.errors import SandboxUnavailable
from arena.sandbox import landlock_launcher as launcher
from arena.sandbox.launch import BUILD_TEMPORARY, Launch, Prepared, bot_environment
from arena.sandbox.limits import limits
from arena.sandbox.other_users import OpenCopies, toolchain_for_all
from arena.sandbox.seccomp import PID_MARK, filter_program
from arena.sandbox.toolchain import (
    Toolchain,
    find_own_file,
    find_toolchain,
    is_own_file,
    refuse_unseen,
)
from protocol.records import Isolation

_BUILD_CPU_SECONDS = 600
_SCOPED_SIGNALS = 6
"""The first version of Landlock that keeps signals from leaving."""
_DEVICES = 1 << 6 | 1 << 11
"""The rights to make device files."""
_FIRST_UID, _UIDS = 60_000, 5_000
"""Used by no distribution for anybody, and mapped in containers that map 65,536 users."""
_slots = itertools.count(os.getpid() * 97)
_LAUNCH = (
    f"import sys; sys.path.append({str(Path(launcher.__file__).parent)!r}); "
    "import landlock_launcher; landlock_launcher.main()"
)
"""Imported rather than run, so that it is compiled only once. What it imports is found first."""

_SYSTEM = [
    *((folder, launcher.READ) for folder in ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin")),
    ("/etc/ld.so.cache", launcher.READ_FILE),
    # Node and Python do without these where they are missing, but not where they are closed.
    ("/etc/ssl/openssl.cnf", launcher.READ_FILE),
    *((str(folder), launcher.READ) for folder in sorted(Path("/etc").glob("python3*"))),
    ("/dev/null", launcher.READ_WRITE_FILE),
    ("/dev/urandom", launcher.READ_FILE),
]


class Landlock:
    """Bots that have given up every right before they are started."""

    name: Isolation = "landlock"

    def __init__(self) -> None:
        """Tries it once. Raises `SandboxUnavailable`."""
        self._version = launcher.version() if sys.platform == "linux" else 0
        if not self._version:
            raise SandboxUnavailable(
                "the kernel has no Landlock (Linux 5.13 or newer, with landlock among its "
                "security modules), or a container forbids it"
            )
        self._as_root = os.geteuid() == 0
        self._copies = OpenCopies()
        self.leftovers = (self._copies.pattern,) if self._as_root else ()
        self._try()

    def prepare(self, launch: Launch) -> Prepared:
        """The command line of the launcher; see `Backend`.

        Raises `SandboxUnavailable` for a build by an ordinary user whose kernel does not keep
        signals in.
        """
        building = launch.purpose == "build"
        if building and not self._as_root and self._version < _SCOPED_SIGNALS:
            raise SandboxUnavailable(
                "programs cannot be built in isolation here: that takes bubblewrap (Debian, "
                "Ubuntu: apt install bubblewrap) or Linux 6.12"
            )
        # A build writes into its folder; a bot's lies maybe where its user can't enter.
        folder = launch.folder
        if self._as_root and not building:
            folder = self._copies.copy_of(folder)
        toolchain = self._toolchain(launch, folder)
        environment = bot_environment("/usr/bin:/bin", str(folder))
        temporary = None
        if building:
            # Relative as root: the path to it is maybe closed to the user that builds.
            temporary = BUILD_TEMPORARY if self._as_root else str(folder / BUILD_TEMPORARY)
            environment["TMPDIR"] = temporary
        begun_read, begun_write = os.pipe() if launch.hosted else (None, None)
        plan = {
            "begun": begun_write,
            "landlock": self._version,
            "paths": self._paths(launch, folder, toolchain),
            "uid": self._uid(launch),
            "temporary": temporary,
            # The parent of a build is its guardian.
            "parent": None if building else os.getpid(),
            "filter": filter_program(launch.purpose, shared=not (self._as_root and building)),
            "mark": PID_MARK,
            "limits": self._limits(launch),
            "program": toolchain.program,
            "argv": [toolchain.program, *launch.command[1:]],
            "environment": environment,
        }
        words = [sys.executable, "-I", "-S", "-c", _LAUNCH, marshal.dumps(plan).hex()]
        passed = [] if begun_write is None else [begun_write]
        return Prepared(words, folder, environment, passed, begun_fd=begun_read)

    def started(self, pid: int, launch: Launch) -> None:
        """All limits are set on the way in."""

    def _try(self) -> None:
        prepared = self.prepare(Launch(["true"], Path("/usr"), 512))
        done = subprocess.run(
            prepared.argv,
            cwd=prepared.folder,
            env=prepared.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SandboxUnavailable(
                f"Landlock cannot be used: {done.stderr.strip() or done.returncode}"
            )

    def _toolchain(self, launch: Launch, folder: Path) -> Toolchain:
        name = launch.command[0]
        if is_own_file(name):
            return Toolchain(find_own_file(name, folder))
        if os.path.isabs(name):
            refuse_unseen(name)
        if not self._as_root:
            return find_toolchain(name)
        return toolchain_for_all(name)

    def _paths(self, launch: Launch, folder: Path, toolchain: Toolchain) -> list[tuple[str, int]]:
        building = launch.purpose == "build"
        own = launcher.all_rights(self._version) & ~_DEVICES if building else launcher.READ
        paths = [*_SYSTEM, *((path, launcher.READ) for path in toolchain.folders)]
        if building:
            paths.append(("/etc/alternatives", launcher.READ))
        if toolchain.needs_proc:
            # What the launcher calls itself is what the bot will be.
            paths.append(("/proc/self", launcher.READ))
        return [*paths, (str(folder), own)]

    def _uid(self, launch: Launch) -> int | None:
        if not self._as_root:
            return None
        return _FIRST_UID + next(_slots) % _UIDS if launch.uid is None else launch.uid

    def _limits(self, launch: Launch) -> list[tuple[int, tuple[int, int]]]:
        cpu_seconds = _BUILD_CPU_SECONDS if launch.purpose == "build" else None
        found = limits(launch.memory_mb, cpu_seconds, launch.purpose)
        if not self._as_root:
            # The kernel counts all threads of the user, the arena's and other bots' too.
            soft, hard = found["nproc"]
            now = _threads_of(os.geteuid())
            found["nproc"] = (now + soft, now + hard)
        return [(getattr(resource, f"RLIMIT_{name.upper()}"), found[name]) for name in found]


def _threads_of(uid: int) -> int:
    """How many threads the user has on this machine now."""
    threads = 0
    for process in os.scandir("/proc"):
        # Processes end while they are counted.
        with suppress(OSError):
            if process.name.isdigit() and process.stat().st_uid == uid:
                _, _, fields = Path(process.path, "stat").read_bytes().rpartition(b")")
                threads += int(fields.split()[17])
    return threads
