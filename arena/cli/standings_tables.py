"""Standings on the terminal: the table, the bracket, and what one has to know to read them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from arena.cli.caption import tell_caption
from arena.cli.tables import console
from arena.pairing import Bracket, Place, Side, SwissLine
from arena.standings import (
    Standing,
    cached_standings,
    knockout_bracket,
    knockout_places,
    swiss_table,
)
from arena.store import Reader, StoredTournament


def print_standings(reader: Reader, tournament: StoredTournament) -> None:
    """Print the standings of a tournament, and what one has to know to read them."""
    out = console()
    if tournament.kind == "swiss":
        out.print(swiss_lines(swiss_table(reader, tournament)), "")
    if tournament.kind.endswith("knockout"):
        out.print(bracket_table(knockout_bracket(reader, tournament)))
        out.print(places_text(knockout_places(reader, tournament)))
        out.print()
    found = cached_standings(reader, tournament.id)
    out.print(standings_table(found.lines))
    tell_caption(out, reader, tournament, found)


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
    group = f" ({row.group + 1})" if many_groups and row.group is not None else ""
    return [
        row.rank_text + group,
        row.label,
        row.elo_text,
        _error(row),
        f"{row.wins}-{row.draws}-{row.losses}",
        _points(row),
        f"{row.faults}" + (f" ({row.forfeits} lost)" if row.forfeits else ""),
        "–" if row.ms_a_play is None else f"{row.ms_a_play:.2f}",
    ]


def _points(row: Standing) -> str:
    if row.points is None:
        return "–"
    error = "" if row.points_error is None else f" ± {row.points_error:.2f}"
    return signed(row.points) + error + "!" * row.points_disagree


def signed(points: float) -> str:
    """Points with their sign, as in +1.50."""
    return f"{points + 0.0:+.2f}".replace("-0.00", "+0.00")


def swiss_lines(lines: Sequence[SwissLine]) -> Table:
    """The table of a Swiss."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("Place", "Bot", "Score", "Buchholz", "Sonneborn-Berger", "Points", "Byes"):
        table.add_column(name, justify="left" if name == "Bot" else "right", no_wrap=True)
    for line in lines:
        numbers = (line.score, line.buchholz, line.sonneborn_berger)
        table.add_row(
            str(line.place),
            line.label,
            *(f"{number:g}" for number in numbers),
            f"{line.margin:+g}",
            str(line.byes or ""),
        )
    return table


def bracket_table(bracket: Bracket) -> Table:
    """The ties of a knockout, round by round."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("Round", "Bracket", "Tie", "Score", "Winner", "Decided by"):
        table.add_column(name, justify="right" if name in ("Round", "Score") else "left")
    for tie in bracket.ties:
        one, other = tie.sides
        table.add_row(
            str(tie.slot.round),
            tie.slot.bracket,
            f"{_side_text(one)} v {_side_text(other)}",
            "" if tie.is_bye else f"{one.score:g}-{other.score:g}",
            tie.winner or "",
            tie.decided or "",
        )
    return table


def _side_text(side: Side) -> str:
    if side.nobody:
        return "bye"
    if side.label is not None:
        return side.label
    if side.source is None:
        return "?"
    slot = side.source.slot
    return f"{side.source.takes} of {slot.round}.{slot.place} ({slot.bracket})"


def places_text(places: Sequence[Place]) -> str:
    """The places of a knockout in one line."""
    texts = [
        f"{place.best}. {place.label}"
        if place.best == place.worst
        else f"{place.best}–{place.worst}. {place.label}"
        for place in places
    ]
    return "Places: " + (", ".join(texts) or "none yet")


def _error(row: Standing) -> str:
    if row.error is not None:
        return f"{row.error:.0f}"
    if row.overruns and not row.is_rated:
        return "slow"
    return "prov." if row.provisional else ""
