"""Commands under test keep their copies of bots apart from the user's."""

from tests.cli.program import cache

__all__ = ["cache"]
