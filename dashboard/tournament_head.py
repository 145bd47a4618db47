"""What all pages of one tournament have at their top: its name, its state, its other pages."""

from __future__ import annotations

from dataclasses import dataclass

from flask import abort

from arena.standings import Standing
from arena.store import Reader, TournamentRow
from dashboard.address import word

MOST_CROSSED = 64
"""A crosstable of more entrants is no table that anybody reads."""
_IN_ROUNDS = ("swiss", "knockout", "double-knockout", "league")


@dataclass(frozen=True)
class Tab:
    """One page of a tournament."""

    endpoint: str
    name: str


@dataclass(frozen=True)
class Head:
    """The top of a page of a tournament."""

    row: TournamentRow
    tabs: list[Tab]
    here: str
    """The endpoint of the page itself."""
    can_cross: bool
    """Whether its entrants fit into a crosstable."""


def head_of(reader: Reader, number: int, here: str) -> Head:
    """The top of that page. Raises `UsageError` where there is no such tournament."""
    row = reader.tournament_row(number)
    tabs = [Tab("tournament", "Standings"), Tab("curves", "Rating curves")]
    can_cross = 2 <= row.entrants <= MOST_CROSSED
    if can_cross:
        tabs.append(Tab("crosstable", "Crosstable"))
    tabs.append(Tab("head_to_head", "Head to head"))
    if row.kind in _IN_ROUNDS:
        tabs.append(Tab("rounds", "Bracket" if row.kind.endswith("knockout") else "Rounds"))
    if not row.finished:
        tabs.append(Tab("live", "Live"))
    return Head(row, tabs, here, can_cross)


def entrant(name: str, lines: list[Standing]) -> str | None:
    """The entrant that the address names; None where it names none, 404 where there is no such."""
    label = word(name)
    if label and label not in {line.label for line in lines}:
        abort(404, f"{name}: nobody of that name is in this tournament.")
    return label or None
