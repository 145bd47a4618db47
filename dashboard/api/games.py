"""What can be asked about games."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from flask import abort
from msgspec import Meta

from arena.store import GameFilter, Reader, Result
from dashboard.api.operation import operation
from dashboard.api.parameters import Before, Limit, OneGame, TournamentId
from dashboard.game_list import GameList, listed
from dashboard.summary import published
from protocol.messages import FaultKind
from protocol.records import GameRecord
from protocol.rules import PRESETS


class Games(msgspec.Struct, frozen=True):
    """A page of the list of games, and what they have in common."""

    tournament: Annotated[TournamentId | None, Meta(description="The number of a tournament.")] = (
        None
    )
    rules: Annotated[str, Meta(max_length=100, description="The name of a preset.")] = ""
    pairing: Annotated[
        str, Meta(max_length=500, description="Labels of entrants that met, commas between.")
    ] = ""
    bot: Annotated[
        str, Meta(max_length=100, description="A label; `result` and `fault` are then its own.")
    ] = ""
    result: Annotated[Result | None, Meta(description="`won` and `lost` are those of `bot`.")] = (
        None
    )
    fault: Annotated[
        FaultKind | Literal["any"] | None, Meta(description="Games with a fault of that kind.")
    ] = None
    before: Before = None
    limit: Limit = 50


@operation("/games")
def games(asked: Games, reader: Reader) -> GameList:
    """Games, the latest first, all or those that have something in common.

    A page may have fewer than `limit` where more would take too long to find; `older` goes on.
    """
    if asked.rules and asked.rules not in PRESETS:
        abort(400, f"rules: expected one of {', '.join(PRESETS)}.")
    if asked.result in ("won", "lost") and not asked.bot:
        abort(400, f"result: {asked.result} by whom? Give a bot too.")
    if asked.tournament is not None:
        reader.tournament_row(asked.tournament)
    return listed(reader, _filter(asked), asked.before, asked.limit)


def _filter(asked: Games) -> GameFilter:
    return GameFilter(
        tournament_id=asked.tournament,
        rules=asked.rules or None,
        pairing=tuple(dict.fromkeys(filter(None, asked.pairing.split(",")))),
        bot=asked.bot or None,
        result=asked.result,
        fault=asked.fault,
    )


@operation("/games/{game}")
def game(asked: OneGame, reader: Reader) -> GameRecord:
    """The record of a game: everything from its seed to its last play, as files have it.

    While other games on the same decks are still to end it has neither seed nor plays.
    """
    return published(reader.game(asked.game))
