"""A knockout's bracket as columns of ties, one a round, each tie at its height."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from arena.pairing import Bracket, Side, Tie

MOST_TIES = 16
"""In the first column of a drawing: rounds of more ties are lists of their own."""

_NAMES = {1: "Final", 2: "Semi-finals", 4: "Quarter-finals"}
Flow = Literal["half", "same", "end"]


@dataclass(frozen=True)
class Column:
    """One round of a bracket."""

    title: str
    number: int
    """Of the round."""
    ties: list[Tie | None]
    """From the top; None where nobody comes."""
    flow: Flow
    """Whether two ties lead to one of the next column, or one to one."""


@dataclass(frozen=True)
class Part:
    """One bracket of a double knockout, or the only one."""

    title: str
    columns: list[Column]


def parts_of(bracket: Bracket, entrants: int, double: bool) -> list[Part]:
    """The brackets as columns, without early rounds that have too many ties to be drawn."""
    depth = max(1, (entrants - 1).bit_length())
    winners = "Winners' bracket" if double else "Bracket"
    found = [Part(winners, list(_winners(bracket.ties, depth, double)))]
    if double:
        found.append(Part("Losers' bracket", list(_losers(bracket.ties, depth))))
        finals = [tie for tie in bracket.ties if tie.slot.bracket == "final"]
        columns = [
            Column("Repetition" if number else "Grand final", tie.slot.round, [tie], "end")
            for number, tie in enumerate(finals)
        ]
        found.append(Part("Grand final", columns))
    return [part for part in found if part.columns]


def _winners(ties: Sequence[Tie], depth: int, double: bool) -> Iterator[Column]:
    for number in range(1, depth + 1):
        size = 2 ** (depth - number)
        if size <= MOST_TIES:
            title = _NAMES.get(size, f"Round {number}")
            title = "Winners' final" if double and size == 1 else title
            column = _column(ties, "winners", number, size)
            yield Column(title, number, column, "end" if size == 1 else "half")


def _losers(ties: Sequence[Tie], depth: int) -> Iterator[Column]:
    """Its rounds come in twos: those left meet each other, then who drops from above."""
    for number in range(2, 2 * depth):
        size = 2 ** (depth - 1 - number // 2)
        if size <= MOST_TIES:
            is_last = number == 2 * depth - 1
            flow: Flow = "end" if is_last else "half" if number % 2 else "same"
            title = "Losers' final" if is_last else f"Round {number}"
            yield Column(title, number, _column(ties, "losers", number, size), flow)


def _column(ties: Sequence[Tie], part: str, number: int, size: int) -> list[Tie | None]:
    found: list[Tie | None] = [None] * size
    for tie in ties:
        if tie.slot.bracket == part and tie.slot.round == number:
            found[tie.slot.place - 1] = tie
    return found


def source_text(side: Side) -> str:
    """Where somebody who is not known yet comes from, as in "loser of round 1, tie 3"."""
    if side.nobody or side.source is None:
        return "nobody"
    slot = side.source.slot
    if slot.bracket == "final":
        return f"{side.source.takes} of the grand final"
    whose = "losers' " if slot.bracket == "losers" else ""
    return f"{side.source.takes} of {whose}round {slot.round}, tie {slot.place}"


DECIDED = {
    "points": "by points",
    "seed": "by the better seed",
    "withdrawn": "the other one has left",
}
"""By what a tie was decided, where that was not games won."""
