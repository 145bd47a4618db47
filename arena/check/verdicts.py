"""What games of one bot come to, in words."""

from __future__ import annotations

from arena.check.steps import Finding, failed, fine
from arena.check.trial import Tried


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
