"""One match of two bots as other programs tell it, and the lines that do so."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated

import msgspec

MOST_NAME = 100
"""Characters of the longest name."""
MOST_POINTS = 1e6
"""Margins are at most so many points either way."""

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=MOST_NAME)]


class MatchResult(msgspec.Struct, frozen=True):
    """One match of two bots."""

    a: Name
    b: Name
    scores: Annotated[list[float], msgspec.Meta(min_length=1, max_length=2)]
    """What `a` scored in each of its one or two games: 0, 0.5 or 1."""
    points: list[float] | None = None
    """Points that `a` made more than `b`, one number a deal; left out where they don't count."""


class BadResults(ValueError):
    """A file of results that says something else; the message begins with the line."""


def checked(result: MatchResult, number: int) -> MatchResult:
    """The result of a line if it can have happened. Raises BadResults."""
    if not (result.a.strip() and result.b.strip()):
        raise BadResults(f"line {number}: a name of nothing but spaces")
    if result.a == result.b:
        raise BadResults(f"line {number}: {result.a!r} can't be its own opponent")
    for score in result.scores:
        if score not in (0, 0.5, 1):
            raise BadResults(f"line {number}: a score of {score:g}; expected 0, 0.5 or 1")
    for margin in result.points or ():
        if not math.fabs(margin) <= MOST_POINTS:
            raise BadResults(f"line {number}: {margin:g} points; expected at most {MOST_POINTS:g}")
    return result


def json_results(lines: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, MatchResult]]:
    """The matches in JSON Lines, each with the number of its line. Raises BadResults."""
    decoder = msgspec.json.Decoder(MatchResult)
    for number, line in lines:
        if line.isspace() or not line:
            continue
        try:
            result = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadResults(f"line {number}: not a match: {error}") from None
        yield number, checked(result, number)
