"""Standings: ratings of all entrants of a tournament beside what they won, scored and broke."""

from arena.standings.cached import cached_standings, refresh
from arena.standings.compute import is_too_slow, standings
from arena.standings.explain import Explanation, Influence, elo_a_game, explain
from arena.standings.line import Scale, Standing, Standings
from arena.standings.luck import (
    keep_shares,
    kept_shares,
    measured,
    missing_luck,
    time_signals,
    win_shares,
)
from arena.standings.pairs import (
    PairPoints,
    PairStrength,
    expected_share,
    pair_points,
    pair_scores,
    pair_strength,
    residual,
)
from arena.standings.rounds import (
    knockout_bracket,
    knockout_places,
    swiss_table,
)

__all__ = [
    "Explanation",
    "Influence",
    "PairPoints",
    "PairStrength",
    "Scale",
    "Standing",
    "Standings",
    "cached_standings",
    "elo_a_game",
    "expected_share",
    "explain",
    "is_too_slow",
    "keep_shares",
    "kept_shares",
    "knockout_bracket",
    "knockout_places",
    "measured",
    "missing_luck",
    "pair_points",
    "pair_scores",
    "pair_strength",
    "refresh",
    "residual",
    "standings",
    "swiss_table",
    "time_signals",
    "win_shares",
]
