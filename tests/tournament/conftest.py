"""Commands under test keep their copies of bots apart from the user's; a tournament to disturb."""

from tests.cli.program import cache
from tests.tournament.processes import bots_cache, cup, running, undisturbed

__all__ = ["bots_cache", "cache", "cup", "running", "undisturbed"]
