"""Named read-only queries: what commands and pages ask of the database."""

from __future__ import annotations

from arena.store.read_bots import BotQueries
from arena.store.read_events import EventQueries
from arena.store.read_games import GameQueries
from arena.store.read_jobs import JobQueries
from arena.store.read_rounds import RoundQueries
from arena.store.read_sittings import SittingQueries
from arena.store.read_standings import StandingsQueries
from arena.store.read_what_ifs import WhatIfQueries
from arena.store.tokens import TokenQueries


class Reader(
    JobQueries,
    SittingQueries,
    WhatIfQueries,
    TokenQueries,
    EventQueries,
    GameQueries,
    BotQueries,
    RoundQueries,
    StandingsQueries,
):
    """Read-only access to a database; see `Connection`."""
