"""Which sandbox to use on this machine."""

from __future__ import annotations

from arena.errors import SandboxUnavailable
from arena.sandbox.launch import Backend
from arena.sandbox.none import NoIsolation
from protocol.records import Isolation

ISOLATING: tuple[Isolation, ...] = ("bubblewrap", "landlock")
"""What isolates, the best first."""


def select_backend(isolation: str) -> Backend:
    """The backend called `isolation`. Raises `SandboxUnavailable` where this machine has none."""
    if isolation == "none":
        return NoIsolation()
    # Imported on use: elsewhere than on Linux neither could be.
    if isolation == "bubblewrap":
        from arena.sandbox.bubblewrap import Bubblewrap

        return Bubblewrap()
    from arena.sandbox.landlock import Landlock

    return Landlock()


def settle_isolation(isolation: str, trusted: bool) -> tuple[Isolation, str]:
    """What `isolation` comes to on this machine, and why where that is none.

    `auto` is the best that an attacking program finds to hold. `trusted`: all bots came with the
    arena, and may play without isolation where there is none. Raises `SandboxUnavailable` where
    strangers' programs would run unguarded, with the reason and the remedy.
    """
    from arena.sandbox.probe import holds

    if isolation == "none":
        return "none", "asked for"
    reasons = []
    for name in ISOLATING if isolation == "auto" else (isolation,):
        try:
            backend = select_backend(name)
            holds(backend)
        except SandboxUnavailable as error:
            reasons.append(str(error))
        else:
            return backend.name, ""
    why = "; ".join(reasons)
    if trusted and isolation == "auto":
        return "none", why
    raise SandboxUnavailable(
        f"this machine can't isolate bots: {why}. A bot could read and change all that you can: "
        "play only programs that you trust, with --isolation none"
    )
