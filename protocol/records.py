"""The log of one game: enough to compute everything else of it again."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from protocol.deal_script import Card, RulesRef
from protocol.messages import Count, FaultKind, Limits, Reason, Seat
from protocol.rules import SideScore

RECORD_FORMAT: Literal[1] = 1

Hex = Annotated[str, Meta(pattern=r"^(?:[0-9a-f]{2})*\Z")]
Isolation = Literal["bubblewrap", "landlock", "none"]
"""What kept the bots apart from the machine and from each other."""


class _Record(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    pass


class PlayedRules(RulesRef, frozen=True, kw_only=True):
    """The rule set of a game."""

    version: Annotated[int, Meta(ge=1)]
    """Rises when a rule's or a preset's meaning changes."""


class SeatRecord(_Record, frozen=True, kw_only=True):
    """Who sat there, and what its process used."""

    bot: str
    version: str
    hash: str
    """SHA-256 over the bot's files, in hex."""
    side: Count
    bot_seed: Count
    process: str
    """Which process of its match chunk played it."""
    nth: Annotated[int, Meta(ge=1)]
    """Its how many-th game that was."""
    batch: Annotated[int, Meta(ge=1)] = 1
    """How many games it may play at once, as its `hello` said."""
    boot_us: Count = 0
    """Charged as boot time in this game; 0 for a process that had started before."""
    cpu_us: Count = 0
    """CPU time of the process during this game."""
    overruns: Count = 0
    """Answers that took longer than the pace of the table, `tick_ms`."""
    max_rss_kb: Count = 0
    """Peak memory of the process until the end of this game."""


# Not looked at by the garbage collector: it holds nothing that could refer to it.
class PlayRecord(_Record, frozen=True, kw_only=True, gc=False):
    """One play."""

    seat: Seat
    card: Card
    capture: bool
    """Whether it captured."""
    elapsed_us: Count
    """The time charged for it."""
    forced: bool = False
    """Whether the arena played it for a seat that had forfeited or whose answer was a fault."""
    turns: Annotated[int, Meta(ge=1)] = 1
    """How many turns stood in the line that asked for it; each has the time for a move of all."""


class DealRecord(_Record, frozen=True, kw_only=True):
    """One deal; an unfinished one has no `sides`."""

    number: Annotated[int, Meta(ge=1)]
    attempt: Count
    """How often it was made again before (R5)."""
    dealer: Seat
    plays: list[PlayRecord]
    sides: list[SideScore] | None = None


class Fault(_Record, frozen=True, kw_only=True):
    """What a bot did wrong, and when."""

    seat: Seat
    deal: Annotated[int, Meta(ge=1)]
    turn: Annotated[int, Meta(ge=1)]
    kind: FaultKind
    detail: str
    """What happened and what was expected."""
    got: str = ""
    """The line received, cut at 200 characters; at a time-out one that answered another turn."""
    played: Card | None = None
    """The card that the arena played instead."""
    early: bool = False
    """Whether the line could be read before the turn was written."""
    used_us: Count | None = None
    """How long the turn had lasted, in the time that is charged."""
    limit_us: Count | None = None
    """How long it could have lasted: what was left of boot, move and bank time."""
    exit_status: Count | None = None
    """Of a process that had ended by itself."""
    signal: str = ""
    """The name of the signal that had ended the process, as in SIGSEGV."""
    cpu_us: Count = 0
    """CPU time of the process in this game, until then."""
    max_rss_kb: Count = 0
    """Peak memory of the process until then."""
    unfinished: str = ""
    """What it had written of a line that it had not ended, cut at 200 characters."""
    unread: bool = False
    """Whether it had not read the whole line of its turn."""
    had_read: bool = False
    """Whether a process that had ended had read all that it was sent, its turn too."""
    closed: bool = False
    """Whether it had closed its standard output and went on."""
    runnable: bool = False
    """Whether it was computing, or would have computed if a core had been free."""


class GameRecord(_Record, frozen=True, kw_only=True):
    """One game, from its seed to its last play."""

    format: Literal[1] = RECORD_FORMAT
    game: str
    tournament: str | None
    """The tournament's name; null for a game of its own."""
    pairing: list[str]
    """The entrants that met, in the order of the schedule."""
    round: Annotated[int, Meta(ge=1)] = 1
    """Of a tournament that is played in rounds."""
    match: Annotated[int, Meta(ge=1)]
    rotation: Count
    replay: Count
    """How often the match was played again after a fault of the arena."""
    names_hidden: bool
    rated: bool
    master_commitment: Hex
    """SHA-256 of the tournament's master secret."""
    rules: PlayedRules
    seats: list[SeatRecord]
    seed: Hex = ""
    """Left out until the last game on these decks is over (R29)."""
    salt: Hex = ""
    commitment: Hex
    deals: list[DealRecord]
    scores: list[Count]
    """Of a forfeited game, those before it."""
    winner: Count | None
    ranks: list[Annotated[int, Meta(ge=1)]]
    """Of every side, from 1; equal scores share one."""
    reason: Reason
    faults: list[Fault] = []
    limits: Limits
    isolation: Isolation
    practice: bool
    """Whether the user gave the secret that everything random came from."""
    started: str
    """UTC, as 2026-01-01T12:00:00Z."""
    elapsed_ms: Count
    arena: str
    """The version of the arena."""


class BotLog(_Record, frozen=True, kw_only=True):
    """What a bot wrote beside its plays in one game, for its owner."""

    format: Literal[1] = RECORD_FORMAT
    game: str
    seat: Seat
    stderr: str = ""
    """The last 64 KiB of the game."""
    notes: dict[str, str] = {}
    """By the number of the turn."""
    logs: list[str] = []
