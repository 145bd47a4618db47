"""The dashboard: tournaments, standings and replays of a database, as pages.

It reads through `arena.store`, `arena.standings` and `arena.replay` alone. It starts nothing, and
writes nothing but the bots that are handed in: whoever runs jobs takes them from the database.
"""

from dashboard.app import create_app
from dashboard.server import run_server

__all__ = ["create_app", "run_server"]
