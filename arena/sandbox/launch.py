"""What the arena asks of a sandbox, and what the sandbox answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from protocol.records import Isolation


@dataclass(frozen=True)
class Launch:
    """A bot to be started."""

    command: Sequence[str]
    """As in the manifest's `run`."""
    folder: Path
    """The bot's own files, its working directory."""
    memory_mb: int


@dataclass(frozen=True)
class Prepared:
    """A command line that starts a bot in its sandbox."""

    argv: Sequence[str]
    folder: Path
    environment: Mapping[str, str]


class Backend(Protocol):
    """One means of isolation."""

    @property
    def name(self) -> Isolation:
        """As it stands in reports and records."""

    def prepare(self, launch: Launch) -> Prepared:
        """The command line for `launch`.

        Raises `BotCannotStart` where the bot's command does not exist, `ArenaFault` where the
        sandbox cannot be set up.
        """

    def started(self, pid: int, launch: Launch) -> None:
        """Called once the process runs, for limits that are set from outside."""
