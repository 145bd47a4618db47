"""What games of one bot come to, in words."""

from __future__ import annotations

import msgspec

from arena.check.steps import Finding, failed, fine
from arena.check.trial import Tried
from arena.diagnosis import Cause
from protocol.check import Diagnosis

START_FASTER = (
    'write {"type":"ready"} once the program runs, import less, and put tables into files'
)
"""What a bot does whose start takes too long."""


def replaced(problem: Diagnosis, cause: Cause) -> Diagnosis:
    """The same fault with another cause."""
    return msgspec.structs.replace(
        problem, cause=cause.code, because=cause.because, mend=cause.mend
    )


def of_new_process(problem: Diagnosis, boot_ms: int) -> Diagnosis:
    """The fault of a process that has taken over in a game, and was silent until time ran out."""
    if problem.kind != "timeout" or problem.limit_us is None:
        return problem
    limit_us = problem.limit_us + boot_ms * 1000
    if problem.cause == "waits":
        cause = Cause(
            "waits",
            "it was a new process, and neither computed nor wrote: it sleeps, or waits for the "
            "first turn of a game or of a deal",
            "answer whatever turn comes first: a process may take over in the middle of a deal",
        )
    elif problem.cause in ("too-slow", "starved"):
        cause = Cause(
            "slow-start",
            "it was a new process, and still computed: what it imports or prepares takes too long",
            START_FASTER,
        )
    else:
        cause = Cause(problem.cause, problem.because, problem.mend)
    return msgspec.structs.replace(
        replaced(problem, cause),
        what=f"no answer within {limit_us // 1000} ms, the time to start included",
        used_us=limit_us,
        limit_us=limit_us,
    )


def why(tried: Tried) -> str:
    """Why the first fault happened, and what mends it."""
    problem = tried.problem
    return f"{problem.because}. What to do: {problem.mend}" if problem else ""


def came(tried: Tried, heard: str) -> str:
    """What was seen of a game that went wrong."""
    problem = tried.problem
    if problem is None:
        return heard
    return f"{heard}; turn {problem.turn}: {problem.kind}: {problem.what}"


def played(tried: Tried, sent: str) -> Finding:
    """What came of games in which nothing should go wrong."""
    got = f"{tried.plays} answers"
    if tried.problem:
        return failed(sent, came(tried, got), why(tried), tried.problem)
    return fine(sent, got, "all legal")
