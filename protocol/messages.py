"""What the arena and a bot say to each other, a JSON object a line.

`Hello`, `Turn`, `DealEnd`, `GameEnd` and `Error` go to the bot; `Play`, `Ready` and `Log` come
from it. Within version 1 keys may be added, never removed or changed.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from protocol.deal_script import Card
from protocol.rules import RuleSet, SideScore

PROTOCOL_VERSION = 1
MOST_MS = 1_000_000_000
"""The most that a limit may be: eleven days."""

FAULTS_ALLOWED = (
    "How many faults of a seat a game survives: answers that are not legal, can't be read, come "
    "too late or were not asked for. No start, a crash, too much output or memory forfeits at once."
)

Seat = Annotated[int, Meta(ge=0, le=5, description="A seat, in the order of play.")]
Count = Annotated[int, Meta(ge=0)]
FaultKind = Literal[
    "illegal", "malformed", "unasked", "timeout", "boot", "crash", "flood", "memory"
]
"""What a bot did wrong: an answer that is not legal, a line that cannot be read, an answer that
nobody asked for, no answer in time, no start, an early end, too much output, too much memory."""
Reason = Literal["target", "deals", "max_deals", "forfeit", "void"]
"""Why a game ended."""


class _ToBot(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    pass


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a bot may use."""

    boot_ms: Annotated[int, Meta(ge=1, le=MOST_MS, description="To start, once for a process.")] = (
        10_000
    )
    move_ms: Annotated[int, Meta(ge=1, le=MOST_MS, description="For each answer.")] = 1_000
    bank_ms: Annotated[int, Meta(ge=0, le=MOST_MS, description="Beyond move_ms, for the game.")] = (
        10_000
    )
    clock: Annotated[Literal["wall", "cpu"], Meta(description="Which time is charged.")] = "wall"
    faults_allowed: Annotated[int, Meta(ge=0, le=1000, description=FAULTS_ALLOWED)] = 0
    memory_mb: Annotated[int, Meta(ge=1, description="Memory of the bot's process.")] = 512
    batch: Annotated[int, Meta(ge=1, le=1024, description="Games at once in one process.")] = 1
    tick_ms: Annotated[int, Meta(ge=1, le=60_000)] | UnsetType = UNSET
    """The fixed pace of turns where partners play (rated games only)."""


class Hello(_ToBot, frozen=True, kw_only=True, tag="hello"):
    """A game begins; a process may play many, one after another."""

    game: str
    """The game's id: unguessable and without meaning."""
    protocol: int
    rules: RuleSet
    seat: Seat
    """The bot's own seat."""
    side_of: list[Count]
    """The side of every seat."""
    names: list[str] | None
    """The bots by seat, or null where the tournament hides them."""
    limits: Limits
    commitment: str
    """SHA-256 of salt and seed, in hex (R29)."""
    bot_seed: Annotated[int, Meta(ge=0, lt=2**31)]
    """For the bot's own random choices, so that runs can be repeated."""


class DealInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What stays the same for the whole deal."""

    number: Annotated[int, Meta(ge=1)]
    dealer: Seat
    centre: list[Card]
    """The open centre cards when play began, bottom to top."""
    buried: list[Card]
    """Jacks put back into the stock, in order (R5)."""
    bottom: Card | None
    """The bottom card where it is exposed (R6)."""


class Legal(msgspec.Struct, frozen=True, omit_defaults=True):
    """One legal answer; `capture` stands only where a card may be laid or capture."""

    card: Card
    capture: bool | None = None


class SeenPlay(msgspec.Struct, frozen=True):
    """One play of the running deal, as everybody saw it."""

    seat: Seat
    card: Card
    took: Count
    """How many cards it captured, itself included; 0 if it was laid."""


class ClockState(msgspec.Struct, frozen=True):
    """The bot's time when the turn begins."""

    move_ms: Count
    bank_ms: Count
    """What is left of the bank, rounded down."""
    used_ms: Count
    """Charged for the last answer in this game, rounded up; 0 before the first."""


class Turn(_ToBot, frozen=True, kw_only=True, tag="turn"):
    """The bot must play: all that its seat may know of the running deal (R30)."""

    game: str
    turn: Annotated[int, Meta(ge=1)]
    """The number of this play in the game, over all seats."""
    seat: Seat
    deal: DealInfo
    hand: list[Card]
    """In the order dealt."""
    legal: Annotated[list[Legal], Meta(min_length=1)]
    """Every legal answer; the first is played for a bot whose answer is not accepted."""
    pile: list[Card]
    """Bottom to top."""
    hidden_centre: Count
    """How many centre cards lie face down."""
    taken_centre: list[Card] | None
    """Those cards, for the side that took any."""
    marker: Card | None
    """The card of a kseri just made, where it may be taken (R15)."""
    stock: Count
    hands: list[Count]
    """How many cards each seat holds."""
    captured: list[Count]
    """How many cards each side has captured."""
    bonus: list[Count]
    """Points of R12 to R17 in this deal so far, by side."""
    scores: list[Count]
    """By side, before this deal."""
    plays: list[SeenPlay]
    """All plays of this deal so far."""
    clock: ClockState


class DealEnd(_ToBot, frozen=True, kw_only=True, tag="deal_end"):
    """A deal is over."""

    game: str
    deal: Annotated[int, Meta(ge=1)]
    sides: list[SideScore]
    scores: list[Count]
    plays: list[SeenPlay]
    hidden_centre: list[Card]
    """The centre cards that lay face down, now public."""


class FaultNotice(msgspec.Struct, frozen=True):
    """A fault as everybody is told of it."""

    seat: Seat
    turn: Count
    kind: FaultKind


class GameEnd(_ToBot, frozen=True, kw_only=True, tag="game_end"):
    """The game is over."""

    game: str
    scores: list[Count]
    winner: Count | None
    """A side; null for a draw."""
    reason: Reason
    faults: list[FaultNotice]
    seed: str | None
    """In hex; null while another game on these decks is still to end, and in a void game."""
    salt: str | None


class Error(_ToBot, frozen=True, kw_only=True, tag="error"):
    """The bot's last line was not accepted."""

    game: str
    code: FaultKind
    message: str
    got: str
    """The offending line, cut at 200 characters."""
    expected: str
    fatal: bool
    """Whether the game is forfeited by it."""


ToBot = Hello | Turn | DealEnd | GameEnd | Error


# Not looked at by the garbage collector: they hold nothing that could refer to them.
class _FromBot(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", gc=False):
    pass


class Ready(_FromBot, frozen=True, kw_only=True, tag="ready"):
    """The bot has started; optional, the first answer counts as ready too."""

    name: str | None = None
    version: str | None = None


class Play(_FromBot, frozen=True, kw_only=True, tag="play"):
    """The answer to a `Turn`."""

    card: str
    capture: bool | None = None
    """Nothing said: a card that can capture captures."""
    turn: int | None = None
    """The turn that is answered; required after a time-out in the same game."""
    game: str | None = None
    """The game that is answered, where a process plays several at once."""
    note: str | None = None
    """Kept with the play for the bot's owner, cut at 1,000 characters."""


class Log(_FromBot, frozen=True, kw_only=True, tag="log"):
    """A line for the bot's owner, kept with the game; no answer to anything."""

    text: str
    game: str | None = None
    """The game it is kept with, where a process plays several at once; else the oldest of them."""


FromBot = Ready | Play | Log
