"""Deal scripts: a deal without randomness, and what comes of it, for tests and other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta

from protocol.rules import SideScore

CARDS = tuple(rank + suit for rank in "A23456789TJQK" for suit in "CDHS")
if TYPE_CHECKING:
    Card = str
else:
    # A choice: a pattern would make reading a play six times as slow.
    Card = Annotated[Literal[CARDS], Meta(description="Rank, then suit.")]


class _Strict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class RulesRef(_Strict, frozen=True, kw_only=True):
    """A rule set by its preset and what is changed of it."""

    preset: Annotated[str, Meta(description="The preset's name.")] = "kseri"
    overrides: Annotated[dict[str, Any], Meta(description="Fields of the rule set.")] = {}


class ScriptPlay(_Strict, frozen=True, kw_only=True, omit_defaults=True):
    """One play of a script."""

    card: str
    capture: bool | None = None
    """Nothing said: a card that can capture captures."""


class DealScript(_Strict, frozen=True, kw_only=True):
    """One deal to be played through."""

    rules: RulesRef
    dealer: int
    deck: list[str]
    """The order dealt from, after all cuts."""
    bury: list[int] = []
    """The insertion indices of R28, one for each buried jack."""
    plays: list[ScriptPlay] = []
    """They may stop before the end of the deal."""


class PlayOutcome(_Strict, frozen=True, kw_only=True):
    """What one play of a script did."""

    seat: int
    card: Card
    captured: list[Card]
    """The hidden centre if taken, the pile bottom to top, the played card; [] if it was laid."""
    bonus: dict[str, int]
    """Points by kind of bonus, those worth 0 left out."""


class DealOutcome(_Strict, frozen=True, kw_only=True):
    """What a script came to."""

    plays: list[PlayOutcome]
    sides: list[SideScore]
    ownerless: list[Card]
    """Cards that belong to nobody at the end (R19)."""
    complete: bool


class ScriptFault(_Strict, frozen=True, kw_only=True):
    """Why a script is impossible."""

    play: int | None
    """The number of the play, from 0; null where the setup is wrong."""
    rule: str | None
    """The rule that forbids it; null for bad JSON or a bad rule set."""
    message: str


class ScriptRefusal(_Strict, frozen=True, kw_only=True):
    """The answer to an impossible script."""

    error: ScriptFault
