"""What can be asked about tournaments."""

from __future__ import annotations

import msgspec

from arena.store import Entrant, Reader, TournamentRow
from dashboard.api.operation import operation
from dashboard.api.parameters import OneTournament, Tournaments


class TournamentList(msgspec.Struct, frozen=True, kw_only=True):
    """One page of tournaments, the latest first."""

    tournaments: list[TournamentRow]
    older: str | None
    """What to ask for to get those before them; null: there are none."""


@operation("/tournaments")
def tournaments(asked: Tournaments, reader: Reader) -> TournamentList:
    """Tournaments, the latest first."""
    rows = reader.tournaments(before=asked.before, limit=asked.limit + 1)
    page, more = rows[: asked.limit], len(rows) > asked.limit
    older = f"?before={page[-1].id}&limit={asked.limit}" if more else None
    return TournamentList(tournaments=page, older=older)


class EntrantRow(msgspec.Struct, frozen=True, kw_only=True):
    """One entrant of a tournament."""

    label: str
    """Its name in this tournament, which no other entrant has."""
    name: str
    """Of the bot."""
    version: str
    hash: str
    """SHA-256 over its files, in hex."""
    joined: int
    """The round from which on it plays."""
    departure: str | None
    """How it left the tournament, if it did."""


class TournamentPage(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament, and who is in it."""

    tournament: TournamentRow
    entrants: list[EntrantRow]
    """In the order of entering."""
    unplayed: int
    """Matches that the arena failed too often to be played again."""


@operation("/tournaments/{tournament}")
def tournament(asked: OneTournament, reader: Reader) -> TournamentPage:
    """A tournament and its entrants."""
    row = reader.tournament_row(asked.tournament)
    return TournamentPage(
        tournament=row,
        entrants=[_entrant(entrant) for entrant in reader.entrants(row.id)],
        unplayed=reader.unplayed(row.id),
    )


def _entrant(entrant: Entrant) -> EntrantRow:
    """Without its authors and the organiser's words about it."""
    return EntrantRow(**{name: getattr(entrant, name) for name in EntrantRow.__struct_fields__})
