"""Other bots on the seats of a recorded game: who may be chosen, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from statistics import fmean, stdev

import msgspec

from arena.bots import PERSON, BotFiles, find_bot, shipped_names, split_reference
from arena.store import Chosen, Reader
from protocol.records import Fault, GameRecord, SeatRecord
from protocol.rules import SideScore
from protocol.what_if import Continued

MOST_LISTED = 60
"""Bots in a list to choose from; of more their names are typed in."""


class NotPlayable(ValueError):
    """A choice that can't be played; the text is a sentence."""


class SideChange(msgspec.Struct, frozen=True, kw_only=True):
    """What a deal was worth to one side, and what it would have been."""

    side: int
    really: int | None
    """None where the deal was not played to its end."""
    mean: float | None
    """Of the times that were played to their end; None where none was."""
    low: int | None
    high: int | None
    spread: float | None
    """The standard deviation of the points; None for fewer than two times."""
    change: float | None
    """Of the lead over the best other side, against what it really was."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What came of all times together."""

    times: int
    whole: int
    """Times that were played to the end of the deal."""
    sides: list[SideChange]
    is_same: bool
    """Whether every card fell in the same way every time."""
    faults: list[tuple[int, Fault]]
    """The number of the time, from 1, and a fault in it."""


def shipped_for(preset: str) -> list[str]:
    """The bots that come with the arena and play these rules."""
    return [name for name in shipped_names() if plays(_shipped(name), preset)]


@lru_cache
def _shipped(name: str) -> BotFiles:
    return find_bot(name)


def plays(bot: BotFiles, preset: str) -> bool:
    """Whether a bot says that it plays these rules."""
    return bot.manifest.rules is None or preset in bot.manifest.rules


def may_be_chosen(reader: Reader, preset: str) -> list[str]:
    """The names of all bots that play these rules: the arena's own, then those handed in."""
    shipped = shipped_for(preset)
    return shipped + [name for name in reader.submitted_for(preset) if name not in shipped]


def was_person(reader: Reader, seat: SeatRecord) -> bool:
    """Whether a person sat there, whom nobody can start; a visitor's label is not its name."""
    return reader.bot_name(seat.hash) == PERSON


def chosen(reader: Reader, record: GameRecord, names: Sequence[str]) -> list[Chosen]:
    """Who is to sit where: a name by seat, empty for who sat there. Raises `NotPlayable`."""
    return [
        _named(reader, record.rules.preset, name) if name else _as_played(reader, seat)
        for seat, name in zip(record.seats, names, strict=True)
    ]


def _as_played(reader: Reader, seat: SeatRecord) -> Chosen:
    if was_person(reader, seat):
        raise NotPlayable("A person sat there: choose a bot for that seat.")
    return Chosen(name=seat.bot, version=seat.version, hash=seat.hash)


def _named(reader: Reader, preset: str, name: str) -> Chosen:
    reference = split_reference(name)
    if reference is None:
        raise NotPlayable(f"{name[:80]!r} is no bot's name.")
    is_shipped = name in shipped_names()
    bot = _shipped(name) if is_shipped else reader.entered(*reference, None)
    if bot is None:
        raise NotPlayable(f"No bot {name!r} comes with this arena or was submitted to it.")
    if not plays(bot, preset):
        raise NotPlayable(f"{name} does not play {preset}.")
    manifest = bot.manifest
    return Chosen(
        name=manifest.name, version=manifest.version, hash=bot.hash, is_shipped=is_shipped
    )


def outcome(record: GameRecord, deal: int, ways: Sequence[Continued]) -> Outcome:
    """What came of it, beside what the deal really came to."""
    whole = [[side.total for side in way.deal.sides] for way in ways if way.deal.sides]
    sides = record.deals[deal - 1].sides
    really = [side.total for side in sides] if sides else None
    cards = [[(play.card, play.capture) for play in way.deal.plays] for way in ways]
    return Outcome(
        times=len(ways),
        whole=len(whole),
        sides=[_change(side, whole, really) for side in range(len(record.scores))],
        is_same=len(cards) > 1 and all(each == cards[0] for each in cards),
        faults=[(number, fault) for number, way in enumerate(ways, 1) for fault in way.faults],
    )


def _change(side: int, whole: list[list[int]], really: list[int] | None) -> SideChange:
    points = [each[side] for each in whole]
    leads = [_lead(each, side) for each in whole]
    return SideChange(
        side=side,
        really=really[side] if really else None,
        mean=fmean(points) if points else None,
        low=min(points, default=None),
        high=max(points, default=None),
        spread=stdev(points) if len(points) > 1 else None,
        change=fmean(leads) - _lead(really, side) if really and leads else None,
    )


def _lead(points: Sequence[int], side: int) -> int:
    return points[side] - max(other for each, other in enumerate(points) if each != side)


def all_scores(ways: Sequence[Continued], really: list[SideScore] | None) -> list[SideScore]:
    """The scores of all times and of the game, for the headings of a table of them."""
    return [side for way in ways for side in way.deal.sides or []] + (really or [])
