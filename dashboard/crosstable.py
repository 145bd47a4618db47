"""Who scored how much against whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from arena.store import ResultRow

MOST_BOTS = 24
"""More columns than these are no table that anybody reads."""

_SHADES = 20


@dataclass(frozen=True)
class Cell:
    """One bot's score against another."""

    score: float
    """Games won, a draw as half a win; at a table of many sides, ranked better."""
    games: int

    @property
    def percent(self) -> float:
        """The score in percent of the games."""
        return 100 * self.score / self.games

    @property
    def shade(self) -> int:
        """Which of 21 colours it has: 0 all lost, 10 even, 20 all won."""
        return round(_SHADES * self.score / self.games)


@dataclass(frozen=True)
class Line:
    """One bot against all."""

    label: str
    cells: list[Cell | None]
    """In the order of the lines; None against itself, and against whom it never met."""
    total: Cell | None


def crosstable(labels: Sequence[str], rows: Sequence[ResultRow], rotations: int) -> list[Line]:
    """A line for every label, over complete matches of `rotations` games."""
    scores: dict[tuple[str, str], float] = defaultdict(float)
    games: dict[tuple[str, str], int] = defaultdict(int)
    for row in rows:
        for (a, b), score in zip(combinations(row.pairing, 2), row.outcome, strict=True):
            if score is not None:
                scores[a, b] += score * row.matches
                scores[b, a] += (rotations - score) * row.matches
                games[a, b] += rotations * row.matches
                games[b, a] += rotations * row.matches
    return [_line(label, labels, scores, games) for label in labels]


def _line(
    label: str,
    labels: Sequence[str],
    scores: dict[tuple[str, str], float],
    games: dict[tuple[str, str], int],
) -> Line:
    cells = [
        Cell(scores[label, other], games[label, other]) if games.get((label, other)) else None
        for other in labels
    ]
    met = [cell for cell in cells if cell]
    total = Cell(sum(cell.score for cell in met), sum(cell.games for cell in met)) if met else None
    return Line(label, cells, total)
