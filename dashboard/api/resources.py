"""What can be asked, and what is answered: the rows of the pages."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from flask import abort

from arena.standings import Standings, cached_standings
from arena.store import Entrant, Reader, TournamentRow
from dashboard.api.operation import OPERATIONS, operation
from dashboard.api.parameters import (
    Bots,
    Nothing,
    OneBot,
    OneEntrant,
    OneGame,
    OneTournament,
    Preset,
    Schema,
    Tournaments,
)
from dashboard.bot_pages import BotList, BotPage, bot_list, bot_page
from dashboard.summary import published
from protocol.records import GameRecord
from protocol.rules import PRESETS, RuleSet, make_rules
from protocol.schema import SCHEMAS, schema_text

__all__ = ["OPERATIONS"]


class TournamentList(msgspec.Struct, frozen=True, kw_only=True):
    """One page of tournaments, the latest first."""

    tournaments: list[TournamentRow]
    older: str | None
    """What to ask for to get those before them; null: there are none."""


@operation("/tournaments")
def tournaments(asked: Tournaments, reader: Reader) -> TournamentList:
    """Tournaments, the latest first."""
    rows = reader.tournaments(before=asked.before, limit=asked.limit + 1)
    page, more = rows[: asked.limit], len(rows) > asked.limit
    older = f"?before={page[-1].id}&limit={asked.limit}" if more else None
    return TournamentList(tournaments=page, older=older)


class EntrantRow(msgspec.Struct, frozen=True, kw_only=True):
    """One entrant of a tournament."""

    label: str
    """Its name in this tournament, which no other entrant has."""
    name: str
    """Of the bot."""
    version: str
    hash: str
    """SHA-256 over its files, in hex."""
    joined: int
    """The round from which on it plays."""
    departure: str | None
    """How it left the tournament, if it did."""


class TournamentPage(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament, and who is in it."""

    tournament: TournamentRow
    entrants: list[EntrantRow]
    """In the order of entering."""
    unplayed: int
    """Matches that the arena failed too often to be played again."""


@operation("/tournaments/{tournament}")
def tournament(asked: OneTournament, reader: Reader) -> TournamentPage:
    """A tournament and its entrants."""
    row = reader.tournament_row(asked.tournament)
    return TournamentPage(
        tournament=row,
        entrants=[_entrant(entrant) for entrant in reader.entrants(row.id)],
        unplayed=reader.unplayed(row.id),
    )


def _entrant(entrant: Entrant) -> EntrantRow:
    """Without its authors and the organiser's words about it."""
    return EntrantRow(**{name: getattr(entrant, name) for name in EntrantRow.__struct_fields__})


@operation("/tournaments/{tournament}/standings", rows="lines")
def standings(asked: OneTournament, reader: Reader) -> Standings:
    """The standings: ratings with their 95 % intervals, and what they are made of.

    While games are played they may lack the last few; `games_played` says of how many they are.
    """
    row = reader.tournament_row(asked.tournament)
    return cached_standings(reader, row.id, stale=True)


@operation("/games/{game}")
def game(asked: OneGame, reader: Reader) -> GameRecord:
    """The record of a game: everything from its seed to its last play, as files have it.

    While other games on the same decks are still to end it has neither seed nor plays.
    """
    return published(reader.game(asked.game))


@operation("/bots")
def bots(asked: Bots, reader: Reader) -> BotList:
    """Bots by name: all versions of each together, over all tournaments."""
    return bot_list(reader, after=asked.after, begins=asked.begins, limit=asked.limit)


@operation("/bots/{bot}")
def bot(asked: OneBot, reader: Reader) -> BotPage:
    """A bot: its latest failures with their likely causes, versions, entries and opponents.

    `before` is for its entries in tournaments, which come in pages.
    """
    return bot_page(reader, asked.bot, before=asked.before)


@operation("/tournaments/{tournament}/bots/{label}")
def entrant(asked: OneEntrant, reader: Reader) -> BotPage:
    """The same of an entrant of one tournament: its failures, opponents and games there."""
    name, entry = reader.entry(asked.tournament, asked.label)
    return bot_page(reader, name, entry, asked.before)


@operation("/rules")
def rules(asked: Nothing) -> list[RuleSet]:
    """All presets, each with every field of its rule set."""
    return [make_rules(preset) for preset in PRESETS]


@operation("/rules/{preset}")
def rule_set(asked: Preset) -> RuleSet:
    """The rule set of a preset."""
    if asked.preset not in PRESETS:
        abort(404, f"No preset of that name; there are {', '.join(PRESETS)}.")
    return make_rules(asked.preset)


class SchemaRow(msgspec.Struct, frozen=True):
    """One JSON Schema."""

    name: str
    title: str
    """What it describes."""


@operation("/schemas")
def schemas(asked: Nothing) -> list[SchemaRow]:
    """The JSON Schemas of messages, records and files."""
    return [SchemaRow(name, title) for name, (title, _) in SCHEMAS.items()]


@operation("/schemas/{schema}")
def schema(asked: Schema) -> dict[str, Any]:
    """A JSON Schema (draft 2020-12)."""
    if asked.schema not in SCHEMAS:
        abort(404, f"No schema of that name; there are {', '.join(SCHEMAS)}.")
    found: dict[str, Any] = json.loads(schema_text(asked.schema))
    return found
