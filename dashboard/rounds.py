"""Rounds of a Swiss tournament or a league: who met whom, and with what result."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.pairing import Bracket, Met, Place, SwissLine, knockout, swiss
from arena.store import PlayedPairing, Reader, StoredTournament
from dashboard.memory import Memory

_TABLES: Memory[tuple[list[Met], list[SwissLine]]] = Memory(4)
_BRACKETS: Memory[tuple[Bracket, list[Place]]] = Memory(4)
"""Those of a thousand bots take a tenth of a second."""


class RoundPairing(msgspec.Struct, frozen=True, kw_only=True):
    """One pairing of a round."""

    entrants: list[str]
    """A single one has a bye."""
    games: int
    """How many count so far; walkovers among them."""
    games_planned: int
    score: float | None
    """Games won by the first of two, draws counting one half; None for a bye and at larger
    tables."""

    @property
    def is_bye(self) -> bool:
        """Whether the only entrant rests in this round."""
        return len(self.entrants) == 1

    @property
    def is_over(self) -> bool:
        """Whether all of it has been played."""
        return self.games >= self.games_planned

    @property
    def winner(self) -> int | None:
        """Which of two has won it; None while it is open, and where it is drawn."""
        if self.score is None or not self.is_over or 2 * self.score == self.games:
            return None
        return int(2 * self.score < self.games)


def pairings_met(met: Sequence[Met], number: int, rotations: int) -> list[RoundPairing]:
    """The pairings of a round of a Swiss tournament, from those of all rounds."""
    return [
        RoundPairing(
            entrants=list(one.pairing.entrants),
            games=one.games,
            games_planned=one.pairing.matches * rotations,
            score=None if one.pairing.is_bye else one.score,
        )
        for one in met
        if one.pairing.round == number
    ]


def pairings_played(
    played: Sequence[PlayedPairing], stored: StoredTournament
) -> list[RoundPairing]:
    """The pairings of a round of a league, with what of them is played."""
    return [
        RoundPairing(
            entrants=list(one.pairing.entrants),
            games=one.matches * stored.rotations,
            games_planned=one.pairing.matches * stored.rotations,
            score=one.score,
        )
        for one in played
    ]


def table_of(reader: Reader, stored: StoredTournament) -> tuple[list[Met], list[SwissLine]]:
    """Who met whom in a Swiss tournament, and the table that this makes."""

    def made() -> tuple[list[Met], list[SwissLine]]:
        labels = [each.label for each in reader.entrants(stored.id)]
        met = reader.met(stored.id)
        return met, swiss.table(labels, met, stored.definition.matches * stored.rotations)

    return _TABLES.get(_state(reader, stored), made)


def bracket_of(reader: Reader, stored: StoredTournament) -> tuple[Bracket, list[Place]]:
    """The bracket of a knockout, played and to come, and the places so far."""

    def drawn() -> tuple[Bracket, list[Place]]:
        labels = [each.label for each in reader.entrants(stored.id)]
        met, gone = reader.met(stored.id), reader.departed(stored.id)
        double = stored.kind == "double-knockout"
        places = knockout.places(labels, met, double, gone)
        return knockout.bracket(labels, met, double, gone), places

    return _BRACKETS.get(_state(reader, stored), drawn)


def _state(reader: Reader, stored: StoredTournament) -> tuple[object, ...]:
    """What tables and brackets are made from: it changes whenever they may."""
    last = reader.last_round(stored.id)
    size = reader.round_size(stored.id, last)
    return stored.master_commitment, stored.games_played, stored.revision, last, size
