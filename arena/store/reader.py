"""Named read-only queries: what commands and pages ask of the database."""

from __future__ import annotations

from arena.store.read_bots import BotQueries
from arena.store.read_games import GameQueries
from arena.store.read_standings import StandingsQueries


class Reader(GameQueries, BotQueries, StandingsQueries):
    """Read-only access to a database; see `Connection`."""
