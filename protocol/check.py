"""What is said of a bot that was tried: the steps of a check, and why a fault happened."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from protocol.messages import Count, FaultKind, Seat
from protocol.records import Isolation

Phase = Literal["boot", "turn", "between"]
"""Before it had read its first turn, while its turn was open, while it was another's turn."""
Verdict = Literal["ok", "warning", "failed", "skipped"]


class _Said(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    pass


class Diagnosis(_Said, frozen=True, kw_only=True):
    """One fault: what happened, what was expected, why, and what mends it."""

    game: str
    seat: Seat
    bot: str
    deal: Annotated[int, Meta(ge=1)]
    turn: Annotated[int, Meta(ge=1)]
    kind: FaultKind
    phase: Phase
    forfeits: bool
    """Whether the game was forfeited by it."""
    what: str
    """What happened."""
    expected: str
    got: str = ""
    """The line received, cut at 200 characters."""
    unfinished: str = ""
    """What it had written of a line that it had not ended."""
    ended: str = ""
    """Exit status or signal of a process that had ended."""
    used_us: Count | None = None
    """How long its turn had lasted, in the time that is charged."""
    limit_us: Count | None = None
    """How long it could have lasted."""
    cpu_us: Count = 0
    """CPU time of its process in this game."""
    max_rss_kb: Count = 0
    """Peak memory of its process."""
    memory_mb: Count = 0
    """How much it may have."""
    stderr: list[str] = []
    """The last 20 lines of its standard error, where they may be shown."""
    cause: str
    """The likely cause, as one word for programs, such as no-flush."""
    because: str
    """The likely cause, in a sentence."""
    mend: str
    """What to do about it."""
    again: str
    """The command that plays the same turns to the bot again."""


class CheckStep(_Said, frozen=True, kw_only=True):
    """One thing that was tried with a bot."""

    number: Annotated[int, Meta(ge=1)]
    name: str
    verdict: Verdict
    sent: str
    """What the bot was sent."""
    received: str
    """What came back."""
    meaning: str
    """What follows from it: for a step that failed, what to mend."""
    diagnosis: Diagnosis | None = None
    """Of the fault that the step ended with, where it did."""
    expected: str = ""
    """Of a step that failed without a game: what should have come of it."""
    used: str = ""
    """Of such a step: what it took of what it may have, as in `0.4 of 300 s`."""
    again: str = ""
    """Of such a step: the command that takes it again."""


class CheckReport(_Said, frozen=True, kw_only=True):
    """Everything that was tried with one bot."""

    format: Literal[1] = 1
    bot: str
    version: str
    hash: str = ""
    """SHA-256 over the bot's files, in hex."""
    isolation: Isolation
    is_ready: bool
    """Whether no step failed."""
    first_problem: str = ""
    """What to mend first; empty where the bot is ready."""
    steps: list[CheckStep]
    elapsed_ms: Count
