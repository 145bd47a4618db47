"""Scores and the table of a Swiss tournament."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import msgspec

from arena.pairing.base import Met


class SwissLine(msgspec.Struct, frozen=True):
    """What one bot has in the table."""

    place: int
    """From 1; bots that no tie-break tells apart share it."""
    label: str
    score: float
    """Games won, draws counting one half and a bye all games of a pairing."""
    buchholz: float
    """Sum of the scores of its opponents."""
    sonneborn_berger: float
    """Sum over its opponents of their score times the share of the games won against them."""
    margin: float
    """Points of the bot less points of its opponents."""
    byes: int
    """In how many rounds it rested."""


class Faced(msgspec.Struct, frozen=True):
    """A pairing from the view of one of its entrants."""

    opponent: str
    """The entrant itself where it has a bye."""
    games: int
    won: float
    """How many of these games, draws counting one half."""
    margin: float


Record = Mapping[str, Sequence[Faced]]
"""All pairings so far by entrant."""


def table(labels: Sequence[str], met: Sequence[Met], games: int) -> list[SwissLine]:
    """The lines of these labels, which are in seed order, the best first.

    `games` is how many games a pairing has. Bots are ordered by score, Buchholz, Sonneborn-Berger,
    margin, seed. For both tie-breaks a bye is a pairing won against a virtual opponent that has
    the bot's own final score, as in FIDE's tie-break regulations since 2023. Whoever met a bot
    that has left, or met it for fewer games than planned, has the score of that bot in Buchholz
    all the same.
    """
    record = record_of(met, games)
    score = scores(record)
    lines = [_line(label, record.get(label, ()), score) for label in labels]
    return _placed(sorted(lines, key=_weakness))


def record_of(met: Sequence[Met], games: int) -> Record:
    """What everybody in `met` faced; a bye is all `games` of a pairing won."""
    record: defaultdict[str, list[Faced]] = defaultdict(list)
    for one in met:
        for label, faced in _views(one, games):
            record[label].append(faced)
    return record


def scores(record: Record) -> dict[str, float]:
    """The score of everybody who was ever paired."""
    return {label: sum(one.won for one in faced) for label, faced in record.items()}


def _views(met: Met, games: int) -> Iterator[tuple[str, Faced]]:
    a, b = met.pairing.entrants[0], met.pairing.entrants[-1]
    if met.pairing.is_bye:
        yield a, Faced(a, games, games, 0.0)
        return
    yield a, Faced(b, met.games, met.score, met.margin)
    yield b, Faced(a, met.games, met.games - met.score, -met.margin)


def _line(label: str, faced: Sequence[Faced], score: Mapping[str, float]) -> SwissLine:
    return SwissLine(
        place=0,
        label=label,
        score=score.get(label, 0.0),
        buchholz=sum(score[one.opponent] for one in faced),
        sonneborn_berger=float(sum(_beaten(one, score[one.opponent]) for one in faced)),
        margin=math.fsum(one.margin for one in faced),
        byes=sum(one.opponent == label for one in faced),
    )


def _beaten(faced: Faced, score: float) -> Fraction:
    """The share won of an opponent's score, exactly: rounding must not break a tie."""
    return Fraction(score) * Fraction(faced.won) / faced.games if faced.games else Fraction(0)


def _weakness(line: SwissLine) -> tuple[float, ...]:
    """Sorts the strongest line first; two of the same weakness share a place."""
    return -line.score, -line.buchholz, -line.sonneborn_berger, -line.margin


def _placed(lines: Sequence[SwissLine]) -> list[SwissLine]:
    first: dict[tuple[float, ...], int] = {}
    for place, line in enumerate(lines, 1):
        first.setdefault(_weakness(line), place)
    return [msgspec.structs.replace(line, place=first[_weakness(line)]) for line in lines]
