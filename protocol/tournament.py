"""The tournament file."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from protocol.messages import FAULTS_ALLOWED, MOST_MS

Kind = Literal["round-robin", "gauntlet", "swiss", "knockout", "double-knockout", "league"]


class TimeControl(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The time that bots have; see `Limits`."""

    boot_ms: Annotated[int, Meta(ge=1, le=MOST_MS, description="To start, once for a process.")] = (
        10_000
    )
    move_ms: Annotated[int, Meta(ge=1, le=MOST_MS, description="For each answer.")] = 1_000
    bank_ms: Annotated[int, Meta(ge=0, le=MOST_MS, description="Beyond move_ms, for the game.")] = (
        10_000
    )
    clock: Annotated[Literal["wall", "cpu"], Meta(description="Which time is charged.")] = "wall"
    tick_ms: Annotated[int, Meta(ge=1, le=60_000)] | UnsetType = UNSET
    """The fixed pace of turns where partners play."""


class Tournament(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is played, by whom, and how often."""

    name: Annotated[
        str,
        Meta(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]+\Z", description="A title."),
    ]
    kind: Annotated[Kind, Meta(description="Who meets whom.")] = "round-robin"
    bots: Annotated[
        list[Annotated[str, Meta(min_length=1)]],
        Meta(min_length=2, description="Names of shipped bots, or paths beside this file."),
    ]
    rules: Annotated[str, Meta(description="A preset.")] = "kseri"
    overrides: Annotated[dict[str, Any], Meta(description="Fields of the rule set.")] = {}
    matches: Annotated[
        int, Meta(ge=1, le=1_000_000, description="Matches of every pairing, in every round.")
    ] = 10
    challengers: Annotated[
        int,
        Meta(ge=1, description="Of a gauntlet: how many, the first of bots, meet all others."),
    ] = 1
    rounds: Annotated[
        Annotated[int, Meta(ge=1, le=1_000_000)] | None,
        Meta(description="Of a Swiss, default: enough for one winner; of a league: no end."),
    ] = None
    pairings: Annotated[
        Annotated[int, Meta(ge=1, le=1_000_000)] | None,
        Meta(description="Of a league: pairings of a round; default: as many as bots."),
    ] = None
    one_per_owner: Annotated[
        bool,
        Meta(description="Whether an author has one bot at most at a table of more than two."),
    ] = True
    rotations: Annotated[
        Annotated[int, Meta(ge=1, le=6)] | None,
        Meta(description="Games of a match, seats moved on by one each; default: all."),
    ] = None
    chunk_matches: Annotated[
        int, Meta(ge=1, le=10_000, description="Matches that a set of processes plays in a row.")
    ] = 25
    faults_allowed: Annotated[int, Meta(ge=0, le=1000, description=FAULTS_ALLOWED)] = 0
    names_hidden: Annotated[
        bool | None, Meta(description="Whether bots are told their opponents; default: as rated.")
    ] = None
    rated: Annotated[bool, Meta(description="Whether the games count in ratings.")] = True
    partners: Annotated[
        Literal["self", "drawn"],
        Meta(description="Whether a side of several seats is one bot, or a drawn pair."),
    ] = "self"
    workers: Annotated[
        Annotated[int, Meta(ge=1, le=1024)] | None,
        Meta(description="Processes that referee; default: one a core."),
    ] = None
    concurrency: Annotated[
        Annotated[int, Meta(ge=1, le=4096)] | None,
        Meta(description="Games at once in each of them; default: 1."),
    ] = None
    isolation: Annotated[
        Literal["auto", "bubblewrap", "landlock", "none"],
        Meta(description="What keeps bots apart from the machine."),
    ] = "auto"
    think_on_opponents_time: Annotated[
        bool, Meta(description="Whether a bot may go on thinking while another one is asked.")
    ] = False
    time: Annotated[TimeControl, Meta(description="The time that bots have.")] = TimeControl()
