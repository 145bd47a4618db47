"""What can be asked about tournaments that are played in rounds."""

from __future__ import annotations

from typing import Annotated

import msgspec
from flask import abort
from msgspec import Meta

from arena.pairing import Place, SwissLine, Tie
from arena.store import Reader, StoredTournament
from dashboard.api.operation import operation
from dashboard.api.parameters import OneTournament, Tournament
from dashboard.rounds import (
    RoundPairing,
    bracket_of,
    pairings_met,
    pairings_played,
    table_of,
)

_PAGE = 500


class RoundRow(msgspec.Struct, frozen=True, kw_only=True):
    """One round that has begun."""

    number: int
    pairings: int
    """How many there are so far, byes included."""
    started: str
    finished: str | None
    master_commitment: str | None
    """Of a league, which takes a new secret for every round; null: that of the tournament."""


class RoundPage(msgspec.Struct, frozen=True, kw_only=True):
    """One round, and who met whom in it."""

    round: RoundRow
    pairings: list[RoundPairing]
    older: str | None
    """What to ask for to get the next ones; null: there are none."""


class Rounds(msgspec.Struct, frozen=True, kw_only=True):
    """The rounds of a tournament so far, and the table that they make."""

    last: int
    """The number of the latest round that has begun; 0: none."""
    swiss: list[SwissLine]
    """The table of a Swiss tournament, best first."""
    ties: list[Tie]
    """The bracket of a knockout, played and to come."""
    places: list[Place]
    """The final places of a knockout so far, as ranges for those who went out together."""


@operation("/tournaments/{tournament}/rounds")
def rounds(asked: OneTournament, reader: Reader) -> Rounds:
    """The rounds of a tournament: the table of a Swiss, the bracket and places of a knockout."""
    stored = _stored(reader, asked.tournament)
    is_knockout = stored.kind in ("knockout", "double-knockout")
    return Rounds(
        last=reader.last_round(stored.id),
        swiss=table_of(reader, stored)[1] if stored.kind == "swiss" else [],
        ties=[*bracket_of(reader, stored)[0].ties] if is_knockout else [],
        places=bracket_of(reader, stored)[1] if is_knockout else [],
    )


def _stored(reader: Reader, tournament_id: int) -> StoredTournament:
    return reader.stored(reader.tournament_row(tournament_id).id)


class OneRound(msgspec.Struct, frozen=True):
    """A round of a tournament."""

    tournament: Tournament
    round: Annotated[int, Meta(ge=1, le=2**31, description="The number of a round.")]
    skip: Annotated[int, Meta(ge=0, le=2**31, description="How many pairings to leave out.")] = 0


@operation("/tournaments/{tournament}/rounds/{round}")
def one_round(asked: OneRound, reader: Reader) -> RoundPage:
    """One round: who met whom, and with what result so far."""
    stored = _stored(reader, asked.tournament)
    row = reader.round_row(stored.id, asked.round)
    if row is None:
        last = reader.last_round(stored.id)
        abort(404, f"There are rounds 1 to {last} so far." if last else "There is no round.")
    size = reader.round_size(stored.id, asked.round)
    further = asked.skip + _PAGE
    return RoundPage(
        round=RoundRow(
            number=row.number,
            pairings=size,
            started=row.started,
            finished=row.finished,
            master_commitment=row.master_commitment,
        ),
        pairings=_pairings(reader, stored, asked),
        older=f"?skip={further}" if further < size else None,
    )


def _pairings(reader: Reader, stored: StoredTournament, asked: OneRound) -> list[RoundPairing]:
    if stored.kind == "league":
        played = reader.played_in_round(stored.id, asked.round, _PAGE, asked.skip)
        return pairings_played(played, stored)
    met = table_of(reader, stored)[0] if stored.kind == "swiss" else reader.met(stored.id)
    found = pairings_met(met, asked.round, stored.rotations)
    return found[asked.skip : asked.skip + _PAGE]
