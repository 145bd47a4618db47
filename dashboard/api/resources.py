"""Everything that can be asked, in the order in which it is explained."""

from dashboard.api import tournaments, strength, rounds, games, tables, bots, rules  # isort: skip
from dashboard.api.operation import OPERATIONS

__all__ = ["OPERATIONS", "bots", "games", "rounds", "rules", "strength", "tables", "tournaments"]
