"""Standings kept in the database, so that a page need not fit them again."""

from __future__ import annotations

from pathlib import Path

import msgspec

from arena.standings.compute import standings
from arena.standings.history import further_history
from arena.standings.line import Standings
from arena.store import Reader, keep_snapshots, keep_standings, writing

_MOST_STALE = 0.05
"""The share of games that standings may lack which a page shows while more are played."""


def cached_standings(reader: Reader, tournament_id: int, *, stale: bool = False) -> Standings:
    """The standings as they were kept, if that is how they stand; else computed again.

    `stale`: those that were kept will also do when a few games have been stored since; they say
    of how many games they are. Only whoever plays the tournament keeps new ones.
    """
    stored = reader.stored(tournament_id)
    kept = reader.kept_standings(tournament_id)
    if kept is not None:
        # What another version of the arena has kept may be of another form.
        try:
            found = msgspec.msgpack.decode(kept, type=Standings)
        except msgspec.DecodeError:
            return standings(reader, tournament_id)
        # A match that is void takes its games out of those that are played, and others come in.
        same = found.revision == stored.revision and found.voids == reader.voids(tournament_id)
        missing = stored.games_played - found.games_played
        allowed = _MOST_STALE * stored.games_played if stale else 0
        if same and 0 <= missing <= allowed:
            entered = {entrant.label for entrant in reader.entrants(tournament_id)}
            if entered.issuperset(line.label for line in found.lines):
                return found
    return standings(reader, tournament_id)


def refresh(database: Path, tournament_id: int) -> None:
    """Fit the standings of a tournament as it is now, and keep them for its history too."""
    with Reader(database) as reader:
        found = standings(reader, tournament_id)
        history, afresh = further_history(reader, found, tournament_id)
    with writing(database, new=False) as db:
        keep_standings(db, tournament_id, msgspec.msgpack.encode(found))
        keep_snapshots(db, tournament_id, history, afresh)
