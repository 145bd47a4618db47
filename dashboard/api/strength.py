"""What can be asked about strength."""

from __future__ import annotations

from arena.standings import Standings, cached_standings
from arena.store import Reader
from dashboard.api.operation import operation
from dashboard.api.parameters import OneTournament


@operation("/tournaments/{tournament}/standings", rows="lines")
def standings(asked: OneTournament, reader: Reader) -> Standings:
    """The standings: ratings with their 95 % intervals, and what they are made of.

    While games are played they may lack the last few; `games_played` says of how many they are.
    """
    return cached_standings(reader, reader.tournament_row(asked.tournament).id, stale=True)
