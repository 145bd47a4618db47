"""Tables of tournaments in rounds: a Swiss's scores, a knockout's bracket and places."""

from __future__ import annotations

from arena.pairing import Bracket, Place, SwissLine, knockout, swiss
from arena.store import Reader, StoredTournament


def swiss_table(reader: Reader, stored: StoredTournament) -> list[SwissLine]:
    """The table of a Swiss: score, Buchholz, Sonneborn-Berger, points, seed."""
    games = stored.definition.matches * stored.rotations
    return swiss.table(_labels(reader, stored), reader.met(stored.id), games)


def knockout_bracket(reader: Reader, stored: StoredTournament) -> Bracket:
    """All ties of a knockout, played and to come."""
    labels, met = _labels(reader, stored), reader.met(stored.id)
    return knockout.bracket(labels, met, _is_double(stored), reader.departed(stored.id))


def knockout_places(reader: Reader, stored: StoredTournament) -> list[Place]:
    """The final places so far, as ranges for those who went out in the same round."""
    labels, met = _labels(reader, stored), reader.met(stored.id)
    return knockout.places(labels, met, _is_double(stored), reader.departed(stored.id))


def _labels(reader: Reader, stored: StoredTournament) -> list[str]:
    return [entrant.label for entrant in reader.entrants(stored.id)]


def _is_double(stored: StoredTournament) -> bool:
    return stored.kind == "double-knockout"
