"""How much a pipe to a bot holds."""

from __future__ import annotations

import fcntl
from contextlib import suppress

_GAME_BYTES = 4 * 1024
_LEAST_BYTES, _MOST_BYTES = 64 * 1024, 1024 * 1024
"""What a pipe has anyway, and what Linux lets everybody ask for."""


def widen(fd: int, games: int) -> None:
    """Let a pipe hold the turns of so many games, where the system does that.

    A longer line is sent all the same, but the bot reads it in turns with the arena.
    """
    size = min(max(games * _GAME_BYTES, _LEAST_BYTES), _MOST_BYTES)
    with suppress(OSError, AttributeError):
        fcntl.fcntl(fd, fcntl.F_SETPIPE_SZ, size)
