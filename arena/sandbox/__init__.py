"""How a bot is started so that it can harm nothing: one interface, a backend for every means.

Backends know nothing of cards, pipes or games; `arena.process` starts what they prepare.
"""

from __future__ import annotations

from arena.errors import UsageError
from arena.sandbox.launch import Backend, Launch, Prepared
from arena.sandbox.none import NoIsolation
from arena.sandbox.toolchain import find_command

__all__ = [
    "Backend",
    "Launch",
    "NoIsolation",
    "Prepared",
    "find_command",
    "select_backend",
    "settle_isolation",
]


def settle_isolation(isolation: str, trusted: bool) -> str:
    """The isolation that `auto` comes to here; any other stays what it is.

    `trusted`: all bots came with the arena, and may play without isolation where there is none.
    Raises `UsageError` where strangers' programs would run unguarded.
    """
    if isolation != "auto":
        return isolation
    if trusted:
        return "none"
    raise UsageError(
        "this version can't isolate bots: a bot could read and change all that you can. "
        "Play programs that you trust with --isolation none"
    )


def select_backend(isolation: str) -> Backend:
    """The backend called `isolation`. Raises `UsageError` where this version has none such."""
    if isolation == "none":
        return NoIsolation()
    if isolation == "bubblewrap":
        from arena.sandbox.bubblewrap import Bubblewrap

        return Bubblewrap()
    if isolation == "landlock":
        from arena.sandbox.landlock import Landlock

        return Landlock()
    raise UsageError(f"isolation {isolation!r}: this version has only 'none'")
