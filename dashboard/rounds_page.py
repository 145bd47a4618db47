"""The page of rounds: a Swiss tournament with its table, a league, the bracket of a knockout."""

from __future__ import annotations

from typing import Any

from flask import abort, render_template

from arena.store import Reader, StoredTournament
from dashboard.address import number as number_in_address
from dashboard.brackets import parts_of
from dashboard.database import database
from dashboard.rounds import bracket_of, pairings_met, pairings_played, table_of
from dashboard.tournament_head import Head, head_of

PAGE = 100
"""Lines of a table, and pairings, at once."""


def rounds_page(number: int) -> str:
    """One round, the latest unless the address says which; of a knockout its bracket first."""
    with database() as reader:
        head = head_of(reader, number, "rounds")
        if head.row.kind not in _PAGES:
            abort(404, "This tournament is not played in rounds: everybody meets everybody.")
        stored = reader.stored(number)
        last = reader.last_round(number)
        wanted = number_in_address("round", None)
        if wanted is not None and not 1 <= wanted <= last:
            abort(404, f"round: there are rounds 1 to {last} so far." if last else "No round yet.")
        common = {"head": head, "kind": head.row.kind, "last": last, "begun": _begun(reader, head)}
        found = _PAGES[head.row.kind](reader, stored, wanted, last)
    return render_template("rounds.html", **common, **found)


def _begun(reader: Reader, head: Head) -> Any:
    number = number_in_address("round", None) or reader.last_round(head.row.id)
    return reader.round_row(head.row.id, number)


def _page(size: int) -> tuple[int, int]:
    """Which page of so many lines the address asks for, and how many there are."""
    pages = max(1, -(-size // PAGE))
    return min(max(number_in_address("page", 1), 1), pages), pages


def _swiss(
    reader: Reader, stored: StoredTournament, wanted: int | None, last: int
) -> dict[str, Any]:
    shown = wanted or last
    met, lines = table_of(reader, stored)
    pairings = pairings_met(met, shown, stored.rotations)
    page, pages = _page(max(len(lines), len(pairings)))
    part = slice((page - 1) * PAGE, page * PAGE)
    return {
        "number": shown,
        "lines": lines[part],
        "pairings": pairings[part],
        "page": page,
        "pages": pages,
        "departures": {each.label: each.departure for each in reader.entrants(stored.id)},
    }


def _league(
    reader: Reader, stored: StoredTournament, wanted: int | None, last: int
) -> dict[str, Any]:
    shown = wanted or last
    page, pages = _page(reader.round_size(stored.id, shown))
    played = reader.played_in_round(stored.id, shown, PAGE, (page - 1) * PAGE)
    return {
        "number": shown,
        "lines": [],
        "pairings": pairings_played(played, stored),
        "page": page,
        "pages": pages,
    }


def _knockout(
    reader: Reader, stored: StoredTournament, wanted: int | None, last: int
) -> dict[str, Any]:
    bracket, places = bracket_of(reader, stored)
    double, entrants = stored.kind == "double-knockout", len(reader.entrants(stored.id))
    ties = [tie for tie in bracket.ties if tie.slot.round == wanted]
    page, pages = _page(len(ties) if wanted else len(places))
    part = slice((page - 1) * PAGE, page * PAGE)
    return {
        "number": wanted,
        "parts": [] if wanted else parts_of(bracket, entrants, double),
        "ties": ties[part],
        "places": places[part],
        "winner": bracket.winner,
        "page": page,
        "pages": pages,
    }


_PAGES = {
    "swiss": _swiss,
    "league": _league,
    "knockout": _knockout,
    "double-knockout": _knockout,
}
