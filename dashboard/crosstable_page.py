"""The page of the crosstable: a heat map, of scores or of residuals."""

from __future__ import annotations

from flask import abort, render_template

from dashboard.address import number as number_in_address
from dashboard.address import word
from dashboard.crosstable import crosstable
from dashboard.database import database
from dashboard.ratings import shown_standings
from dashboard.tournament_head import MOST_CROSSED, head_of

COLUMNS = 20
"""Opponents side by side; more of them stand on further pages."""


def crosstable_page(number: int) -> str:
    """The heat map, so many opponents of it at once; 404 where it would be too large."""
    with database() as reader:
        head = head_of(reader, number, "crosstable")
        if head.row.entrants > MOST_CROSSED:
            abort(404, f"A crosstable has {MOST_CROSSED} bots at most; look at two of them.")
        found = shown_standings(reader, number)
        parts = max(1, -(-len(found.lines) // COLUMNS))
        part = min(max(number_in_address("columns", 1), 1), parts)
        first = (part - 1) * COLUMNS
        lines = crosstable(reader, found, number, slice(first, first + COLUMNS))
    return render_template(
        "crosstable.html",
        head=head,
        lines=lines,
        columns=list(enumerate(lines))[first : first + COLUMNS],
        part=part,
        parts=parts,
        part_size=COLUMNS,
        residuals=word("residuals") == "1",
        misfits=[scale for scale in found.scales if scale.non_transitive],
    )
