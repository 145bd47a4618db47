"""Tables on the terminal, 80 columns wide or whatever the terminal has."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from arena.standings import Standing, standings
from arena.store import GameRow, Reader, StoredTournament
from arena.text import one_line


def console() -> Console:
    """Standard output; 80 columns where it is no terminal."""
    width = None if sys.stdout.isatty() else 80
    return Console(width=width, highlight=False, markup=False, emoji=False)


def print_standings(reader: Reader, tournament: StoredTournament) -> None:
    """Print the standings of a tournament, and what one has to know to read them."""
    out = console()
    out.print(standings_table(standings(reader, tournament.id)))
    out.print(caption(reader, tournament))


def standings_table(rows: Sequence[Standing]) -> Table:
    """The standings as a table."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("Rank", "Bot", "Elo", "±", "W-D-L", "Points/deal", "Faults", "ms/play"):
        table.add_column(name, justify="left" if name == "Bot" else "right", no_wrap=True)
    many_groups = len({row.group for row in rows if row.is_rated}) > 1
    for row in rows:
        style = "dim" if row.provisional else None
        table.add_row(*_standing_cells(row, many_groups), style=style)
    return table


def _standing_cells(row: Standing, many_groups: bool) -> list[str]:
    group = f" ({row.group + 1})" if many_groups and row.is_rated else ""
    return [
        row.rank_text + group,
        row.label,
        row.elo_text,
        _error(row),
        f"{row.wins}-{row.draws}-{row.losses}",
        "–"
        if row.points_a_deal is None
        else f"{row.points_a_deal + 0.0:+.2f}".replace("-0.00", "+0.00"),
        f"{row.faults}" + (f" ({row.forfeits} lost)" if row.forfeits else ""),
        "–" if row.ms_a_play is None else f"{row.ms_a_play:.2f}",
    ]


def _points(points: float | None) -> str:
    return "–" if points is None else f"{points:+.2f}".replace("-0.00", "+0.00")


def _error(row: Standing) -> str:
    if row.error is not None:
        return f"{row.error:.0f}"
    if row.overruns and not row.is_rated:
        return "slow"
    return "prov." if row.provisional else ""


def caption(reader: Reader, tournament: StoredTournament) -> str:
    """What kind of games the standings count, in a few lines."""
    row = reader.tournament_row(tournament.id)
    kind = "rated" if tournament.rated else "unrated"
    if tournament.practice:
        kind = "practice"
    played = f"{row.games_played} of {row.games_planned} games"
    lines = [
        f"{one_line(tournament.name)}: {row.rules}, {played}, {kind}, "
        f"isolation: {tournament.isolation}",
    ]
    if row.games_played:
        lines.append(
            "± is a 95 % interval, clustered by match; ranks are ranges that it allows; "
            "prov. = fewer than 10 matches."
        )
    faulty = reader.games(tournament_id=tournament.id, faulty=True, limit=1)
    if faulty:
        lines.append(
            f"Faults: kseri log {faulty[0].game} explains the latest; kseri games --faults lists "
            "them."
        )
    unplayed = reader.unplayed(tournament.id)
    if unplayed:
        lines.append(f"{unplayed} match(es) failed for the arena's fault and stay unplayed.")
    return "\n".join(lines)


def games_table(rows: Sequence[GameRow]) -> Table:
    """A list of games as a table."""
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
            str(row.faults or ""),
        )
    return table
