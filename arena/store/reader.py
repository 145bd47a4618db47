"""Named read-only queries: what commands and pages ask of the database."""

from __future__ import annotations

from arena.store.read_bots import BotQueries
from arena.store.read_games import GameQueries


class Reader(GameQueries, BotQueries):
    """Read-only access to a database; see `Connection`."""
