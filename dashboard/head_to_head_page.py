"""The page of two entrants."""

from __future__ import annotations

from flask import abort, render_template

from arena.standings import Standings
from arena.store import Reader
from dashboard.database import database
from dashboard.head_to_head import MOST_BY_SEAT, head_to_head
from dashboard.ratings import shown_standings
from dashboard.tournament_head import MOST_CROSSED, Head, entrant, head_of


def head_to_head_page(number: int) -> str:
    """Two entrants by their labels, as the address names them; a choice where it does not."""
    with database() as reader:
        head = head_of(reader, number, "head_to_head")
        found = shown_standings(reader, number)
        a, b = entrant("a", found.lines), entrant("b", found.lines)
        return _page(reader, head, found, a, b)


def by_number(number: int, a: int, b: int) -> str:
    """Two entrants by their numbers in the order of entering: short, for crosstables."""
    with database() as reader:
        head = head_of(reader, number, "head_to_head")
        labels = [each.label for each in reader.entrants(number)]
        if not (1 <= a <= len(labels) and 1 <= b <= len(labels)):
            abort(404, f"Entrants have numbers from 1 to {len(labels)} here.")
        found = shown_standings(reader, number)
        return _page(reader, head, found, labels[a - 1], labels[b - 1])


def _page(reader: Reader, head: Head, found: Standings, a: str | None, b: str | None) -> str:
    labels = [line.label for line in found.lines]
    pair = None
    if a and b and a != b:
        pair = head_to_head(reader, found, head.row.id, a, b)
    return render_template(
        "head_to_head.html",
        head=head,
        labels=labels,
        is_short_list=len(labels) <= MOST_CROSSED,
        a=a or "",
        b=b or "",
        pair=pair,
        most_by_seat=MOST_BY_SEAT,
    )
