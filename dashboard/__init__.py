"""The dashboard: tournaments, standings and replays of a database, as pages.

It reads through `arena.store`, `arena.standings` and `arena.replay` alone. It starts nothing, and
writes nothing but what visitors hand in, ask for and play: other processes take it from there.
"""

from dashboard.app import create_app
from dashboard.server import run_server

__all__ = ["create_app", "run_server"]
