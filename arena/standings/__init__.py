"""Standings: ratings of all entrants of a tournament beside what they won, scored and broke."""

from arena.standings.cached import cached_standings, refresh
from arena.standings.compute import is_too_slow, standings
from arena.standings.line import Scale, Standing, Standings
from arena.standings.luck import measured, missing_luck, time_signals, win_shares
from arena.standings.rounds import (
    departures,
    knockout_bracket,
    knockout_places,
    rounds_met,
    swiss_table,
)

__all__ = [
    "Scale",
    "Standing",
    "Standings",
    "cached_standings",
    "departures",
    "is_too_slow",
    "knockout_bracket",
    "knockout_places",
    "measured",
    "missing_luck",
    "refresh",
    "rounds_met",
    "standings",
    "swiss_table",
    "time_signals",
    "win_shares",
]
