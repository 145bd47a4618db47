"""Tables on the terminal, 80 columns wide or whatever the terminal has."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table

from arena.store import GameRow


def console() -> Console:
    """Standard output; 80 columns where it is no terminal."""
    width = None if sys.stdout.isatty() else 80
    return Console(width=width, highlight=False, markup=False, emoji=False)


def games_table(rows: Sequence[GameRow], at_fault: Mapping[int, Sequence[int]]) -> Table:
    """A list of games as a table; `at_fault`: the seats with faults, by the game's number."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("No", "Game", "Seats", "Scores", "Won by", "Ended by", "Faults"):
        table.add_column(name, justify="right" if name in ("No", "Scores") else "left")
    for row in rows:
        sides = len(row.scores)
        winners = [] if row.winner is None else row.seats[row.winner :: sides]
        table.add_row(
            str(row.id),
            row.game,
            " ".join(row.seats),
            "-".join(map(str, row.scores)),
            " ".join(dict.fromkeys(winners)) or "drawn",
            row.reason,
            _faults(row.faults, at_fault.get(row.id, ())),
        )
    return table


def _faults(count: int, seats: Sequence[int]) -> str:
    if not count:
        return ""
    return f"{count}, seat{'s' if len(seats) > 1 else ''} {' '.join(map(str, seats))}"
