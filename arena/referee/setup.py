"""What one game begins with: rules, cards, limits, who is told what."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from protocol.messages import Limits
from protocol.rules import RuleSet


class GameSetup(msgspec.Struct, frozen=True, kw_only=True):
    """What a game begins with."""

    game: str
    """Its id."""
    rules: RuleSet
    seed: bytes
    salt: bytes
    bot_seeds: Sequence[int]
    """By seat."""
    names: Sequence[str] | None
    """By seat, or None where bots are not told their opponents."""
    limits: Limits
    batches: Sequence[int] = ()
    """By seat, how many games its process may play at once; empty: one."""
    reveal: bool
    """Whether no other game on these decks is still to end: bots are then told the seed (R29)."""
