"""Who meets whom: round robin and gauntlet, Swiss, knockouts, leagues. Pure."""

from arena.pairing.base import Met, Pairing

__all__ = ["Met", "Pairing"]
