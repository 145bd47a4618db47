"""Who scored how much against whom, and how much more than the ratings let expect."""

from __future__ import annotations

import msgspec

from arena.standings import Standing, Standings, expected_share, residual
from arena.store import Meeting, Reader

_SHADES = 20
_FAR = 3.0
"""Standard deviations that have the strongest colour."""


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """One entrant's games against another, or against all."""

    games: int
    wins: int
    """Games in which it did better; at a table of many sides, ranked better."""
    draws: int
    losses: int
    percent: float
    """Of the games won, draws counting one half."""
    expected: float | None
    """The percentage that both ratings let expect; None where they can't be compared."""
    residual: float | None
    """The score beyond that, in standard deviations of independent games."""

    @property
    def shade(self) -> int:
        """Which of 21 colours the percentage has: 0 all lost, 10 even, 20 all won."""
        return round(_SHADES * self.percent / 100)

    @property
    def residual_shade(self) -> int:
        """Which of 21 colours the residual has: 10 as expected, 20 far above it."""
        part = min(max((self.residual or 0.0) / _FAR, -1), 1)
        return round(_SHADES * (1 + part) / 2)


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One entrant against all."""

    label: str
    place: int
    """Its number in the order of entering, from 1."""
    cells: list[Cell | None]
    """Against the entrants of the columns, in the order of the lines; None against itself, and
    against whom it never met."""
    total: Cell | None
    """Against all of them together."""


def crosstable(
    reader: Reader, found: Standings, tournament_id: int, columns: slice = slice(None)
) -> list[Line]:
    """A line for every entrant, in the order of the standings, over complete matches.

    `columns`: against which of them there are cells; the totals are against all.
    """
    places = {entrant.label: n for n, entrant in enumerate(reader.entrants(tournament_id), 1)}
    met: dict[tuple[str, str], Meeting] = {}
    for row in reader.meetings(tournament_id):
        met[row.a, row.b] = row
        met[row.b, row.a] = row.turned()
    lines = []
    for one in found.lines:
        rows = [met.get((one.label, other.label)) for other in found.lines]
        cells = [
            cell(row, one, other) if row else None
            for row, other in zip(rows[columns], found.lines[columns], strict=True)
        ]
        total = _total([row for row in rows if row])
        lines.append(Line(label=one.label, place=places[one.label], cells=cells, total=total))
    return lines


def cell(row: Meeting, one: Standing, other: Standing) -> Cell:
    """The games of two, beside what their ratings let expect."""
    share = None
    if one.rating is not None and other.rating is not None and one.group == other.group:
        share = expected_share(one.rating, other.rating)
    return Cell(
        games=row.games,
        wins=row.wins,
        draws=row.draws,
        losses=row.losses,
        percent=100 * row.score / row.games,
        expected=None if share is None else 100 * share,
        residual=None if share is None else residual(row.score, row.games, share),
    )


def _total(rows: list[Meeting]) -> Cell | None:
    if not rows:
        return None
    games = sum(row.games for row in rows)
    return Cell(
        games=games,
        wins=sum(row.wins for row in rows),
        draws=sum(row.draws for row in rows),
        losses=sum(row.losses for row in rows),
        percent=100 * sum(row.score for row in rows) / games,
        expected=None,
        residual=None,
    )
