"""One bot tried in every way that a game may go: numbered steps, and what to mend first.

The games are the arena's own (`arena.play`), with one player in this process; what is special is
what the bot reads: keys and messages of later versions, other line ends, a new process in the
middle of a deal.
"""

from __future__ import annotations

import trio

from arena.check.run import run_check
from arena.check.steps import Watch
from arena.play import Bot
from protocol.check import CheckReport, CheckStep
from protocol.manifest import Manifest
from protocol.messages import Limits
from protocol.records import Isolation

__all__ = [
    "CheckReport",
    "CheckStep",
    "Watch",
    "check",
    "not_built",
    "run_check",
    "short_check",
]


def check(
    bot: Bot,
    manifest: Manifest,
    isolation: str,
    *,
    limits: Limits | None = None,
    watch: Watch | None = None,
) -> CheckReport:
    """Take every step with a bot; a good one passes in some seconds. Raises `ArenaFault`.

    `watch` is told of every step as it is taken.
    """
    return trio.run(
        lambda: run_check(bot, manifest, isolation, limits=limits or Limits(), watch=watch)
    )


def short_check(
    bot: Bot, manifest: Manifest, isolation: str, *, limits: Limits | None = None
) -> CheckReport:
    """What a bot must do to play at all: start, answer, flush, a game of every preset it claims.

    Takes a second or two with a good bot. Not from within trio: there `await run_check(…,
    short=True)`. Raises `ArenaFault`.
    """
    return trio.run(lambda: run_check(bot, manifest, isolation, short=True, limits=limits))


def not_built(manifest: Manifest, isolation: Isolation, why: str) -> CheckReport:
    """The report of a bot whose build failed: the only step that could be taken."""
    step = CheckStep(
        number=1,
        name="build",
        verdict="failed",
        sent=" ".join(manifest.build or []),
        received=why,
        meaning="its build failed; mend what its output names",
    )
    return CheckReport(
        bot=manifest.name,
        version=manifest.version,
        isolation=isolation,
        is_ready=False,
        first_problem=f"build: {why}",
        steps=[step],
        elapsed_ms=0,
    )
