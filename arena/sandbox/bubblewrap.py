"""Bubblewrap: a mount, process, network, IPC and host name space of its own for every bot.

As an ordinary user in a user namespace; as root, without one, with a uid of its own for every
bot: for uid 0 of the machine NPROC is not enforced and /proc/sys can be written.
"""

from __future__ import annotations

import functools
import itertools
import os
import shutil
from pathlib import Path

from arena.errors import SandboxUnavailable
from arena.sandbox.cgroups import Cgroup, new_cgroup, own_patterns
from arena.sandbox.launch import BUILD_TEMPORARY, Launch, Prepared, bot_environment
from arena.sandbox.limits import limits, limits_argv
from arena.sandbox.seccomp import filter_program
from arena.sandbox.toolchain import (
    Toolchain,
    find_own_file,
    find_toolchain,
    is_own_file,
    refuse_unseen,
)
from protocol.records import Isolation

BOT_FOLDER = "/bot"
"""Where a bot finds its own files."""
BUILD_CPU_SECONDS = 600
_CAP_SYS_ADMIN = 21
_TASKS = 80
"""Threads for each process of a bot, those of bubblewrap included."""
_FIRST_UID, _LAST_UID = 1_000_000_000, 2**31 - 1
_FEW_UIDS = 60_000, 64_999
"""Used by no distribution for anybody, and mapped in containers that map 65,536 users."""
_slots = itertools.count()


class Bubblewrap:
    """Bots in sandboxes made by `bwrap`."""

    name: Isolation = "bubblewrap"

    def __init__(self) -> None:
        """Raises `SandboxUnavailable` where there is no bubblewrap."""
        # /usr/bin first: on Ubuntu only that one has the profile that lets it make namespaces.
        program = "/usr/bin/bwrap"
        found = program if os.access(program, os.X_OK) else shutil.which("bwrap")
        if found is None:
            raise SandboxUnavailable(
                "bubblewrap is not installed (Debian, Ubuntu: apt install bubblewrap)"
            )
        self._program = found
        self._as_root = os.geteuid() == 0 and has_capability(_CAP_SYS_ADMIN)
        self.leftovers = own_patterns()

    def prepare(self, launch: Launch) -> Prepared:
        """The command line of `bwrap`; see `Backend`."""
        toolchain = _toolchain(launch)
        status_read, status_write = os.pipe()
        seccomp = _filter_fd(launch)
        cgroup = _cgroup(launch)
        held_read, held_write = os.pipe() if launch.hosted else (None, None)
        bounds = _cpu_seconds(launch), launch.purpose
        passed = [fd for fd in (seccomp, status_write, held_read) if fd is not None]
        argv = [
            self._program,
            *self._namespaces(),
            *_mounts(launch, toolchain),
            *self._capabilities(),
            *_environment(),
            "--seccomp",
            str(seccomp),
            "--json-status-fd",
            str(status_write),
            *(["--block-fd", str(held_read)] if launch.hosted else []),
            "--",
            *self._own_uid(launch),
            *([] if launch.hosted else limits_argv(launch.memory_mb, *bounds)),
            toolchain.program,
            *launch.command[1:],
        ]
        # The inner first process keeps the environment that bwrap is started with: none.
        found = limits(launch.memory_mb, *bounds) if launch.hosted else {}
        return Prepared(argv, Path("/"), {}, passed, status_read, held_write, cgroup, found)

    def started(self, pid: int, launch: Launch) -> None:
        """All limits are set on the way in, or while it is held."""

    def _namespaces(self) -> list[str]:
        user = [] if self._as_root else ["--unshare-user", "--uid", "1000", "--gid", "1000"]
        kinds = ("pid", "net", "ipc", "uts", "cgroup-try")
        return [
            *user,
            *(f"--unshare-{kind}" for kind in kinds),
            "--die-with-parent",
            "--new-session",
            "--hostname",
            "bot",
        ]

    def _capabilities(self) -> list[str]:
        keep = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP") if self._as_root else ()
        return ["--cap-drop", "ALL", *(word for cap in keep for word in ("--cap-add", cap))]

    def _own_uid(self, launch: Launch) -> list[str]:
        """Give up root for a uid that no other bot has (bwrap made its binds as root before)."""
        if not self._as_root:
            return []
        uid = own_uid() if launch.uid is None else launch.uid
        return [
            "/usr/bin/setpriv",
            f"--reuid={uid}",
            f"--regid={uid}",
            "--clear-groups",
            "--inh-caps=-all",
            "--bounding-set=-all",
            "--no-new-privs",
        ]


def own_uid() -> int:
    """A uid that no other process on this machine has: made from the arena's own process id."""
    slot = os.getpid() * 256 + next(_slots) % 256
    first, last = (_FIRST_UID, _LAST_UID) if _all_uids_are_mapped() else _FEW_UIDS
    return first + slot % (last - first + 1)


@functools.cache
def _all_uids_are_mapped() -> bool:
    """Whether this name space knows every uid; those of containers often know few."""
    words = Path("/proc/self/uid_map").read_text().split()
    return words[0] == "0" and int(words[2]) > _LAST_UID


def has_capability(number: int) -> bool:
    """Whether this process has the capability in effect."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("CapEff:"):
            return bool(int(line.split()[1], 16) >> number & 1)
    return False


def _toolchain(launch: Launch) -> Toolchain:
    """What the command needs, with paths as they are inside."""
    name = launch.command[0]
    if is_own_file(name):
        inside = Path(find_own_file(name, launch.folder)).relative_to(launch.folder)
        return Toolchain(f"{BOT_FOLDER}/{inside}")
    if os.path.isabs(name):
        refuse_unseen(name)
    return find_toolchain(name)


def _cgroup(launch: Launch) -> Cgroup | None:
    if not launch.hosted:
        return None
    return new_cgroup(launch.memory_mb, _TASKS * launch.processes, launch.processes > 1)


def _filter_fd(launch: Launch) -> int:
    """The seccomp filter in a file without a name, read from its beginning by bwrap."""
    fd = os.memfd_create("seccomp", os.MFD_CLOEXEC)
    # A bot of several processes may fork like a build; it still can write nowhere.
    os.write(fd, filter_program("build" if launch.processes > 1 else launch.purpose))
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


def _mounts(launch: Launch, toolchain: Toolchain) -> list[str]:
    """/usr, the toolchain and the bot's folder; nothing is writable, but for a build its folder."""
    words = ["--ro-bind", "/usr", "/usr"]
    for name in ("lib", "lib32", "lib64", "bin", "sbin"):
        path = Path("/") / name
        if path.is_symlink():
            words += ["--symlink", f"usr/{name}", str(path)]
        elif path.is_dir():
            words += ["--ro-bind", str(path), str(path)]
    words += _open_folder(Path("/etc"))
    words += ["--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"]
    for folder in toolchain.folders:
        for parent in reversed(Path(folder).parents[:-1]):
            words += _open_folder(parent)
        words += ["--ro-bind", folder, folder]
    building = launch.purpose == "build"
    words += ["--bind" if building else "--ro-bind", str(launch.folder), BOT_FOLDER]
    words += _open_folder(Path("/dev"))
    for device in ("null", "urandom"):
        words += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
    if building:
        # Compilers start others by names that may be links into this folder.
        words += [
            *("--ro-bind-try", "/etc/alternatives", "/etc/alternatives"),
            # On the disk, where what a build writes is measured.
            *("--bind", str(launch.folder / BUILD_TEMPORARY), "/tmp"),
        ]
    if toolchain.needs_proc or building:
        words += ["--proc", "/proc", "--remount-ro", "/proc"]
    return [*words, "--remount-ro", "/", "--chdir", BOT_FOLDER]


def _open_folder(path: Path) -> list[str]:
    """A folder that can be passed through but not listed: those that bwrap makes are closed."""
    return ["--perms", "0711", "--dir", str(path)]


def _environment() -> list[str]:
    words = ["--clearenv"]
    for name, value in bot_environment("/usr/bin:/bin", BOT_FOLDER).items():
        words += ["--setenv", name, value]
    return words


def _cpu_seconds(launch: Launch) -> int | None:
    return BUILD_CPU_SECONDS if launch.purpose == "build" else None
