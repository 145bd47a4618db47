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
from arena.sandbox import BUILD_SECONDS
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
    again: str = "",
    takes_all: bool = False,
    watch: Watch | None = None,
) -> CheckReport:
    """Take every step with a bot; a good one passes in some seconds. Raises `ArenaFault`.

    `again`: the command that checks it again; empty: the one that would by its name. `takes_all`:
    all games also of a bot that needs minutes for them. `watch` is told of every step as it is
    taken.
    """
    return trio.run(
        lambda: run_check(
            bot, manifest, isolation, limits=limits, again=again, takes_all=takes_all, watch=watch
        )
    )


def short_check(
    bot: Bot,
    manifest: Manifest,
    isolation: str,
    *,
    limits: Limits | None = None,
    again: str = "",
    watch: Watch | None = None,
) -> CheckReport:
    """What a bot must do to play at all: start, answer, flush, a game of every preset it claims.

    Takes a second or two with a good bot. Not from within trio: there `await run_check(…,
    short=True)`. Raises `ArenaFault`.
    """
    return trio.run(
        lambda: run_check(
            bot, manifest, isolation, short=True, limits=limits, again=again, watch=watch
        )
    )


def not_built(
    manifest: Manifest,
    isolation: Isolation,
    why: str,
    output: str,
    *,
    elapsed_ms: int = 0,
    again: str = "",
) -> CheckReport:
    """The report of a bot whose build failed: the only step that could be taken.

    `output`: the end of what the build printed; `elapsed_ms`: how long it took; `again`: the
    command that checks the bot again.
    """
    step = CheckStep(
        number=1,
        name="build",
        verdict="failed",
        sent=" ".join(manifest.build or []),
        received=output or "no output",
        meaning=why,
        expected=f"exit status 0 within {BUILD_SECONDS} s, and its files in the bot's folder",
        used=f"{elapsed_ms / 1000:.1f} of {BUILD_SECONDS} s",
        again=again,
    )
    return CheckReport(
        bot=manifest.name,
        version=manifest.version,
        isolation=isolation,
        is_ready=False,
        first_problem=f"{step.name}: {step.meaning}",
        steps=[step],
        elapsed_ms=elapsed_ms,
    )
