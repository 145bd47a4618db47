"""What the arena asks of a sandbox, and what the sandbox answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from arena.sandbox.cgroups import Cgroup
from protocol.records import Isolation

Purpose = Literal["play", "build"]
"""`play`: one process that can write nowhere. `build`: processes, and its own folder writable."""


BUILD_TEMPORARY = ".tmp"
"""The folder for a build's temporary files, within its own; a hidden one, so nothing of the bot."""


@dataclass(frozen=True)
class Launch:
    """A bot to be started, or to be built."""

    command: Sequence[str]
    """As in the manifest's `run` or `build`."""
    folder: Path
    """The bot's own files, its working directory."""
    memory_mb: int
    purpose: Purpose = "play"
    processes: int = 1
    """How many it may have; more than one only where `can_hold_processes`."""
    hosted: bool = False
    """Whether whoever starts it follows what the sandbox says: sets its limits, puts it into a
    control group where there can be one, and hears whether it came to start the bot."""
    uid: int | None = None
    """As whom to run where the arena is root; None: as somebody new."""


@dataclass(frozen=True)
class Prepared:
    """A command line that starts a bot in its sandbox.

    Whoever starts it closes `pass_fds` afterwards, and `status_fd` when the process has ended.
    """

    argv: Sequence[str]
    folder: Path
    """Where to start it."""
    environment: Mapping[str, str]
    pass_fds: Sequence[int] = ()
    """Descriptors that the command line names."""
    status_fd: int | None = None
    """Where bubblewrap says which process it made and how that ended."""
    hold_fd: int | None = None
    """Where a byte lets the sandbox go on, once its first process is in `cgroup` and has `limits`:
    a program that sets them on the way in would cost every start a millisecond."""
    cgroup: Cgroup | None = None
    limits: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Soft and hard limits by name, as `arena.sandbox.limits` has them."""
    begun_fd: int | None = None
    """Where a byte comes as soon as nothing but the bot's own program is left to be started."""


class Backend(Protocol):
    """One means of isolation."""

    @property
    def name(self) -> Isolation:
        """As it stands in reports and records."""

    @property
    def leftovers(self) -> Sequence[str]:
        """Patterns of the folders that are left where this program is killed."""

    def prepare(self, launch: Launch) -> Prepared:
        """The command line for `launch`.

        Raises `BotCannotStart` where the bot's command does not exist, `SandboxUnavailable` where
        this machine has no such sandbox.
        """

    def started(self, pid: int, launch: Launch) -> None:
        """Called once the process runs, for limits that are set from outside."""


def bot_environment(path: str, folder: str) -> dict[str, str]:
    """All that a bot finds in its environment."""
    return {
        "PATH": path,
        "LANG": "C.UTF-8",
        "HOME": "/nonexistent",
        "PYTHONUNBUFFERED": "1",
        "PWD": folder,
    }
