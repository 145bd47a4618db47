"""Control groups, where this process may make them: memory and number of processes of a bot.

An addition, never a need: the filter and the limits bound a bot of one process by themselves. A
bot of several processes can be held only here. Version 1 where memory and pids have hierarchies
of their own, version 2 where both are delegated to us.
"""

from __future__ import annotations

import functools
import itertools
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_ROOT = Path("/sys/fs/cgroup")
_MIB = 1024 * 1024
_numbers = itertools.count()


@dataclass(frozen=True)
class _Files:
    """Where the settings of a group stand, by version."""

    memory: str
    swap: tuple[str, str]
    processes: str
    events: str
    freezer: tuple[str, str, str]
    """The file, and what to write to stop everything in the group, and to let it go on."""
    cpu: tuple[str, int, int]
    """The file, which of its words is the number, and how many of its units are one µs."""


_VERSION_1 = _Files(
    "memory.limit_in_bytes",
    ("memory.memsw.limit_in_bytes", "{memory}"),
    "pids.max",
    "memory.oom_control",
    ("freezer.state", "FROZEN", "THAWED"),
    ("cpuacct.usage", 0, 1000),
)
_VERSION_2 = _Files(
    "memory.max",
    ("memory.swap.max", "0"),
    "pids.max",
    "memory.events",
    ("cgroup.freeze", "1", "0"),
    ("cpu.stat", 1, 1),
)


@dataclass(frozen=True)
class _Place:
    """Where groups can be made."""

    folders: list[Path]
    """For every bot."""
    several: list[Path]
    """For bots of several processes as well, which cannot be stopped and measured one by one."""
    files: _Files


class Cgroup:
    """The group of one bot, made empty; `attach` puts the bot in before it runs."""

    def __init__(self, place: _Place, memory_mb: int, tasks: int, several: bool = False) -> None:
        """`tasks`: how many threads it may have. Raises `OSError` where it can't be made."""
        self._files = files = place.files
        self.several = several
        """Whether it is made for a bot of several processes: to be stopped and measured whole."""
        folders = [*place.folders, *(place.several if several else ())]
        name = f"{_own_prefix()}{next(_numbers)}"
        self.folders = [folder / name for folder in folders]
        """One for each controller with a hierarchy of its own."""
        try:
            for folder in self.folders:
                folder.mkdir()
            self._set(files.memory, str(memory_mb * _MIB))
            # Swap is not accounted for everywhere.
            with suppress(OSError):
                self._set(files.swap[0], files.swap[1].format(memory=memory_mb * _MIB))
            self._set(files.processes, str(tasks))
        except OSError:
            self.remove()
            raise

    def _set(self, name: str, value: str) -> None:
        for folder in self.folders:
            if (folder / name).exists():
                (folder / name).write_text(value)
                return
        raise FileNotFoundError(name)

    def attach(self, pid: int) -> None:
        """Put a process in; what it starts later is born there. Raises `OSError`."""
        for folder in self.folders:
            (folder / "cgroup.procs").write_text(str(pid))

    @property
    def has_killed(self) -> bool:
        """Whether the kernel ended something in it for its memory."""
        for folder in self.folders:
            with suppress(OSError):
                for line in (folder / self._files.events).read_text().splitlines():
                    if line.startswith("oom_kill "):
                        return int(line.split()[1]) > 0
        return False

    def freeze(self) -> None:
        """Stop everything in it. Raises `OSError`."""
        name, on, _ = self._files.freezer
        self._set(name, on)

    def thaw(self) -> None:
        """Let everything in it go on; what is stopped may not even be killed. Raises `OSError`."""
        name, _, off = self._files.freezer
        self._set(name, off)

    def cpu_us(self) -> int:
        """CPU time of all that was ever in it. Raises `OSError`."""
        name, word, units = self._files.cpu
        for folder in self.folders:
            if (folder / name).exists():
                return int((folder / name).read_text().split()[word]) // units
        raise FileNotFoundError(name)

    def remove(self) -> None:
        """Take the group away, once nothing is left in it."""
        for folder in self.folders:
            with suppress(OSError):
                folder.rmdir()


def new_cgroup(memory_mb: int, tasks: int, several: bool = False) -> Cgroup | None:
    """A group for one bot; None where this machine does not let us make one."""
    place = _place()
    if place is None:
        return None
    try:
        return Cgroup(place, memory_mb, tasks, several)
    except OSError:
        return None


@functools.cache
def _place() -> _Place | None:
    """Where groups can be made, found once."""
    for find in (_version_1, _version_2):
        place = find()
        if place:
            with suppress(OSError):
                Cgroup(place, 16, 4).remove()
                return place
    return None


def own_patterns() -> list[str]:
    """Patterns of the folders of all groups that this program makes; [] where it can make none."""
    place = _place()
    folders = [*place.folders, *place.several] if place else []
    return [str(folder / f"{_own_prefix()}*") for folder in folders]


def _own_prefix() -> str:
    return f"kseri-{os.getpid()}-"


def can_hold_processes(isolation: str) -> bool:
    """Whether a bot of several processes can be bounded, stopped and measured on this machine."""
    place = _place()
    # Landlock puts bots into no groups.
    if place is None or isolation == "landlock":
        return False
    with suppress(OSError):
        group = Cgroup(place, 16, 4, several=True)
        try:
            group.thaw()
            group.cpu_us()
            return True
        finally:
            group.remove()
    return False


def _own_groups() -> dict[str, str]:
    """This process's group by controller; that of version 2 under the empty name."""
    groups: dict[str, str] = {}
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            groups |= dict.fromkeys(controllers.split(","), path)
    return groups


def _version_1() -> _Place | None:
    own = _own_groups()
    folders = []
    for controller in ("memory", "pids", "freezer", "cpuacct"):
        base = _ROOT / controller
        # In a container the path may be the host's, and the mount show our group as its root.
        folder = base / own.get(controller, "/").lstrip("/")
        folders.append(folder if folder.is_dir() else base)
    if not all(os.access(folder, os.W_OK) for folder in folders[:2]):
        return None
    return _Place(folders[:2], folders[2:], _VERSION_1)


def _version_2() -> _Place | None:
    """Our own group where it is delegated; we move into a leaf, so that it may have others."""
    path = _own_groups().get("")
    base = _ROOT / (path or "").lstrip("/")
    if path is None or not os.access(base / "cgroup.procs", os.W_OK):
        return None
    with suppress(OSError):
        if not {"memory", "pids"} <= set((base / "cgroup.controllers").read_text().split()):
            return None
        leaf = base / "arena"
        leaf.mkdir(exist_ok=True)
        (leaf / "cgroup.procs").write_text(str(os.getpid()))
        (base / "cgroup.subtree_control").write_text("+memory +pids")
        return _Place([base], [], _VERSION_2)
    return None
