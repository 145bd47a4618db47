"""How a bot is started so that it can harm nothing: one interface, a backend for every means.

Backends know nothing of cards, pipes or games; `arena.process` starts what they prepare.
"""

from __future__ import annotations

from arena.errors import UsageError
from arena.sandbox.launch import Backend, Launch, Prepared
from arena.sandbox.none import NoIsolation
from arena.sandbox.toolchain import find_command

__all__ = ["Backend", "Launch", "NoIsolation", "Prepared", "find_command", "select_backend"]


def select_backend(isolation: str) -> Backend:
    """The backend called `isolation`. Raises `UsageError` where this version has none such."""
    if isolation == "none":
        return NoIsolation()
    raise UsageError(
        f"isolation {isolation!r}: this version can't isolate bots; "
        "play only programs that you trust, with --isolation none"
    )
