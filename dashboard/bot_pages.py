"""What is known of a bot: what went wrong first, then its versions, entries and opponents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from urllib.parse import urlencode

import msgspec

from arena.standings import Standing
from arena.store import BotRow, EntryRow, GameFilter, GameRow, Reader, VersionRow
from dashboard.commands import at_database
from dashboard.logs import are_public, public_logs
from dashboard.programs import program
from dashboard.ratings import shown_standings
from dashboard.summary import FAULTS_SHOWN, listed_faults, published
from protocol.check import Diagnosis
from protocol.records import Fault, GameRecord

ENTRIES = 50
"""Entries on one page of a bot."""
_VERSIONS = 20
_FAILURES = 10
FAULTS = 20
"""The latest ones of a bot, of which those that are alike are one failure."""
_SEARCHED = 3
"""Tournaments in which failures are looked for, the latest ones where there may be any."""
OPPONENTS = 100
"""On a page of a bot, those it met most often."""
_GAMES = 10


class BotList(msgspec.Struct, frozen=True, kw_only=True):
    """One page of bots, by name."""

    bots: list[BotRow]
    older: str | None
    """What to ask for to get the next ones; null: there are none."""


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """A fault of a bot, the latest of those alike: in one tournament, of one kind, in one way."""

    game: str
    number: int
    """Of the game in lists."""
    tournament_id: int
    tournament: str
    label: str
    """The bot's name in that tournament."""
    started: str
    fault: Fault
    """Without what it says of cards while the decks are in play."""
    position: str | None
    """Where on the page of the game it happened, where that may be shown."""
    diagnosis: Diagnosis | None
    """Why it happened and what mends it; null while the decks are in play."""
    times: int = 1
    """How many of the bot's latest faults are like it, itself among them."""


class Opponent(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot made of its complete matches with one other."""

    label: str
    matches: int
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    """Games won, draws counting one half."""


class BotPage(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known of a bot, with one of its entries in tournaments looked at closely."""

    name: str
    failures: list[Failure]
    """The latest ones, and only so many of them."""
    versions: list[VersionRow]
    """The newest first, and only so many of them."""
    entries: list[EntryRow]
    """One page of them, the latest first."""
    older: str | None
    """What to ask for to get the entries before them; null: there are none."""
    entry: EntryRow | None
    """The one that is looked at: the one asked for, or the latest; null: it never was entered."""
    standing: Standing | None
    """Its line in the standings of that tournament."""
    opponents: list[Opponent]
    """In that tournament; those it met most often first, and only so many of them."""
    games: list[GameRow]
    """The latest ones in that tournament."""


def bot_list(reader: Reader, *, after: str, begins: str, limit: int) -> BotList:
    """Bots by name: so many of those that begin so and come after that one."""
    rows = reader.bots(after=after, begins=begins, limit=limit + 1)
    bots = rows[:limit]
    if len(rows) <= limit:
        return BotList(bots=bots, older=None)
    values = {"after": bots[-1].name, "begins": begins, "limit": str(limit)}
    query = urlencode({name: value for name, value in values.items() if value})
    return BotList(bots=bots, older=f"?{query}")


def bot_page(
    reader: Reader, name: str, chosen: EntryRow | None = None, before: int | None = None
) -> BotPage:
    """A bot by name. Raises `UsageError`.

    `chosen`: the entry to look at; None: the latest, and failures of all. `before`: only entries
    with smaller numbers are listed.
    """
    versions = reader.bot_versions(name, _VERSIONS)
    entries = reader.entries(name, before=before, limit=ENTRIES + 1)
    listed, more = entries[:ENTRIES], len(entries) > ENTRIES
    entry = chosen or next(iter(listed), None)
    return BotPage(
        name=name,
        failures=failures(reader, [chosen] if chosen else listed),
        versions=versions,
        entries=listed,
        older=f"?before={listed[-1].id}" if more else None,
        entry=entry,
        standing=_standing(reader, entry) if entry else None,
        opponents=_opponents(reader, entry) if entry else [],
        games=_games(reader, entry) if entry else [],
    )


def failures(reader: Reader, entries: list[EntryRow]) -> list[Failure]:
    """The latest faults of a bot in some of its entries, which are given latest first."""
    found: dict[_Alike, Failure] = {}
    times: Counter[_Alike] = Counter()
    for label, row in _games_with_faults(reader, entries):
        record = published(reader.game(row.game))
        own = [_alike(row, label, fault) for fault in _faults_of(record, label)]
        own = own[: FAULTS - times.total()]
        # Only what is shown is worth a diagnosis.
        if len(found) < _FAILURES and not found.keys() >= set(own):
            for each in _failures_in(reader, row, record, label):
                found.setdefault(_alike(row, label, each.fault), each)
        times.update(own)
        if times.total() == FAULTS:
            break
    shown = [(key, each) for key, each in found.items() if key in times]
    return [msgspec.structs.replace(each, times=times[key]) for key, each in shown[:_FAILURES]]


_Alike = tuple[int, str, str, str]


def _alike(row: GameRow, label: str, fault: Fault) -> _Alike:
    """The same for faults that are one failure."""
    return row.tournament_id, label, fault.kind, fault.detail


def _faults_of(record: GameRecord, label: str) -> list[Fault]:
    """Those of one bot that `listed_faults` tells."""
    faults = record.faults[:FAULTS_SHOWN]
    return [fault for fault in faults if record.seats[fault.seat].bot == label]


def _games_with_faults(
    reader: Reader, entries: Sequence[EntryRow]
) -> Iterator[tuple[str, GameRow]]:
    """The latest games with faults in the latest entries that may have any, with the label."""
    for entry in list(filter(_may_have_failed, entries))[:_SEARCHED]:
        wanted = GameFilter(tournament_id=entry.tournament_id, bot=entry.label, fault="any")
        games, _ = reader.games_that_fit(wanted, limit=FAULTS)
        yield from ((entry.label, row) for row in games)


def _may_have_failed(entry: EntryRow) -> bool:
    """Whether to look for faults: those of games that do not count are not among its numbers."""
    return bool(entry.faults or entry.departure or not entry.finished)


def _failures_in(reader: Reader, row: GameRow, record: GameRecord, label: str) -> Iterator[Failure]:
    tournament = reader.tournament_row(row.tournament_id)
    logs = public_logs(reader, tournament, row.game) if are_public(tournament) else None
    for fault, position, found in listed_faults(record, logs, program, at_database()):
        if record.seats[fault.seat].bot == label:
            yield Failure(
                game=row.game,
                number=row.id,
                tournament_id=row.tournament_id,
                tournament=row.tournament,
                label=label,
                started=row.started,
                fault=fault,
                position=position if record.seed else None,
                diagnosis=found,
            )


def _standing(reader: Reader, entry: EntryRow) -> Standing | None:
    lines = shown_standings(reader, entry.tournament_id).lines
    return next((line for line in lines if line.label == entry.label), None)


def _opponents(reader: Reader, entry: EntryRow) -> list[Opponent]:
    met = reader.meetings(entry.tournament_id, entry.label)
    met.sort(key=lambda each: (-each.games, each.b))
    return [
        Opponent(
            label=each.b,
            matches=each.matches,
            games=each.games,
            wins=each.wins,
            draws=each.draws,
            losses=each.losses,
            score=each.score,
        )
        for each in met[:OPPONENTS]
    ]


def _games(reader: Reader, entry: EntryRow) -> list[GameRow]:
    wanted = GameFilter(tournament_id=entry.tournament_id, bot=entry.label)
    return reader.games_that_fit(wanted, limit=_GAMES)[0]
