"""The page that explains a rating: by opponent, and by what it would be without some of them."""

from __future__ import annotations

from flask import render_template, request

from arena.standings import explain
from dashboard.database import database
from dashboard.ratings import shown_standings
from dashboard.tournament_head import MOST_CROSSED, entrant, head_of


def explain_page(number: int) -> str:
    """One entrant's rating explained; a choice where the address names nobody."""
    with database() as reader:
        head = head_of(reader, number, "explain")
        found = shown_standings(reader, number)
        label = entrant("bot", found.lines)
        without = {one for text in request.args.getlist("without") for one in text.split(",")}
        line = next((each for each in found.lines if each.label == label), None)
        explained = explain(reader, found, number, label, without) if label else None
    most = max((abs(one.moved) for one in explained.influences), default=0) if explained else 0
    return render_template(
        "explain.html",
        head=head,
        labels=[each.label for each in found.lines],
        is_short_list=len(found.lines) <= MOST_CROSSED,
        line=line,
        explained=explained,
        most_moved=most or 1,
    )
