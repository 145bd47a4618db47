"""The page of rounds: a Swiss tournament with its table, a league, the bracket of a knockout."""

from __future__ import annotations

from typing import Any

from flask import abort, render_template

from arena.pairing import Bracket, Met, Place, SwissLine, knockout, swiss
from arena.store import Reader, StoredTournament
from dashboard.address import number as number_in_address
from dashboard.brackets import parts_of
from dashboard.database import database
from dashboard.memory import Memory
from dashboard.rounds import pairings_met, pairings_played
from dashboard.tournament_head import Head, head_of

PAGE = 100
"""Lines of a table, and pairings, at once."""
_TABLES: Memory[tuple[list[Met], list[SwissLine]]] = Memory(4)
_BRACKETS: Memory[tuple[Bracket, list[Place]]] = Memory(4)
"""Those of a thousand bots take a tenth of a second."""


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


def _state(reader: Reader, stored: StoredTournament, last: int) -> tuple[object, ...]:
    """What tables and brackets are made from: it changes whenever they may."""
    size = reader.round_size(stored.id, last)
    voids = reader.voids(stored.id)
    return stored.master_commitment, stored.games_played, voids, stored.revision, last, size


def _page(size: int) -> tuple[int, int]:
    """Which page of so many lines the address asks for, and how many there are."""
    pages = max(1, -(-size // PAGE))
    return min(max(number_in_address("page", 1), 1), pages), pages


def _swiss(
    reader: Reader, stored: StoredTournament, wanted: int | None, last: int
) -> dict[str, Any]:
    shown = wanted or last
    entrants = {each.label: each.departure for each in reader.entrants(stored.id)}

    def table() -> tuple[list[Met], list[SwissLine]]:
        met, games = reader.met(stored.id), stored.definition.matches * stored.rotations
        return met, swiss.table(list(entrants), met, games)

    met, lines = _TABLES.get(_state(reader, stored, last), table)
    pairings = pairings_met(met, shown, stored.rotations)
    page, pages = _page(max(len(lines), len(pairings)))
    part = slice((page - 1) * PAGE, page * PAGE)
    return {
        "number": shown,
        "lines": lines[part],
        "pairings": pairings[part],
        "page": page,
        "pages": pages,
        "departures": entrants,
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
    double = stored.kind == "double-knockout"
    labels = [each.label for each in reader.entrants(stored.id)]

    def drawn() -> tuple[Bracket, list[Place]]:
        met, gone = reader.met(stored.id), reader.departed(stored.id)
        places = knockout.places(labels, met, double, gone)
        return knockout.bracket(labels, met, double, gone), places

    bracket, places = _BRACKETS.get(_state(reader, stored, last), drawn)
    ties = [tie for tie in bracket.ties if tie.slot.round == wanted]
    page, pages = _page(len(ties) if wanted else len(places))
    part = slice((page - 1) * PAGE, page * PAGE)
    return {
        "number": wanted,
        "parts": [] if wanted else parts_of(bracket, len(labels), double),
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
