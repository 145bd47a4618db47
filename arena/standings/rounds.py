"""Tables of tournaments in rounds: a Swiss's scores, a knockout's bracket and places."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.pairing import Bracket, Met, Place, SwissLine, knockout, swiss
from arena.store import Reader, StoredTournament


def rounds_met(reader: Reader, stored: StoredTournament) -> list[Met]:
    """What came of all pairings so far; games that a bot left unplayed are lost for it."""
    gone = departures(reader, stored)
    return [_walked_over(met, gone, stored.rotations) for met in reader.met(stored.id)]


def _walked_over(met: Met, gone: Sequence[str], rotations: int) -> Met:
    """`gone`: who has left, in the order of leaving; of two the first to leave loses the rest."""
    missing = met.pairing.matches * rotations - met.games
    leaving = [label for label in gone if label in met.pairing.entrants]
    if met.pairing.is_bye or missing <= 0 or not leaving:
        return met
    won = missing if leaving[0] != met.pairing.entrants[0] else 0
    return msgspec.structs.replace(met, games=met.games + missing, score=met.score + won)


def swiss_table(reader: Reader, stored: StoredTournament) -> list[SwissLine]:
    """The table of a Swiss: score, Buchholz, Sonneborn-Berger, points, seed."""
    games = stored.definition.matches * stored.rotations
    return swiss.table(_labels(reader, stored), rounds_met(reader, stored), games)


def knockout_bracket(reader: Reader, stored: StoredTournament) -> Bracket:
    """All ties of a knockout, played and to come."""
    labels, met = _labels(reader, stored), rounds_met(reader, stored)
    return knockout.bracket(labels, met, _is_double(stored), departures(reader, stored))


def knockout_places(reader: Reader, stored: StoredTournament) -> list[Place]:
    """The final places so far, as ranges for those who went out in the same round."""
    labels, met = _labels(reader, stored), rounds_met(reader, stored)
    return knockout.places(labels, met, _is_double(stored), departures(reader, stored))


def departures(reader: Reader, stored: StoredTournament) -> list[str]:
    """Who has left, in the order of leaving."""
    gone = {entrant.label for entrant in reader.entrants(stored.id) if entrant.departure}
    subjects = dict.fromkeys(decision.subject for decision in reader.audit(stored.id))
    return [label for label in subjects if label in gone]


def _labels(reader: Reader, stored: StoredTournament) -> list[str]:
    return [entrant.label for entrant in reader.entrants(stored.id)]


def _is_double(stored: StoredTournament) -> bool:
    return stored.kind == "double-knockout"
