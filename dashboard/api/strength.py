"""What can be asked about strength: standings, crosstable, curves, two entrants, one rating."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from flask import abort
from msgspec import Meta

from arena.standings import Explanation, Scale, Standings, explain
from arena.store import Reader
from dashboard.api.operation import operation
from dashboard.api.parameters import Label, OneTournament, Tournament
from dashboard.crosstable import Line, crosstable
from dashboard.curves import Curve, curves
from dashboard.curves_page import MOST_CURVES
from dashboard.head_to_head import HeadToHead, head_to_head
from dashboard.ratings import shown_standings
from dashboard.standing_rows import StandingRow, standing_rows
from dashboard.tournament_head import MOST_CROSSED


class StandingRows(msgspec.Struct, frozen=True, kw_only=True):
    """The standings of a tournament over its matches that count."""

    games_played: int
    """When so many games were stored."""
    revision: int
    """After so many decisions about the tournament."""
    lines: list[StandingRow]
    """Best first; those that are not rated last."""
    scales: list[Scale]


@operation("/tournaments/{tournament}/standings", rows="lines")
def standings(asked: OneTournament, reader: Reader) -> StandingRows:
    """The standings: ratings with their 95 % intervals, and what they are made of.

    While games are played they may lack the last few; `games_played` says of how many they are.
    """
    found = _standings(reader, asked.tournament)
    return StandingRows(
        games_played=found.games_played,
        revision=found.revision,
        lines=standing_rows(reader, found, asked.tournament),
        scales=found.scales,
    )


def _standings(reader: Reader, tournament_id: int) -> Standings:
    return shown_standings(reader, reader.tournament_row(tournament_id).id)


@operation("/tournaments/{tournament}/crosstable")
def crosstable_of(asked: OneTournament, reader: Reader) -> list[Line]:
    """Who scored how much against whom, and how much more than the ratings let expect.

    Only of tournaments with few entrants; of others ask for two of them.
    """
    entrants = reader.tournament_row(asked.tournament).entrants
    if entrants > MOST_CROSSED:
        abort(404, f"A crosstable has {MOST_CROSSED} entrants at most, here are {entrants}.")
    return crosstable(reader, _standings(reader, asked.tournament), asked.tournament)


class CurvesOf(msgspec.Struct, frozen=True):
    """Some entrants of a tournament."""

    tournament: Tournament
    bots: Annotated[
        str,
        Meta(
            max_length=4000,
            description=f"Labels with commas between, {MOST_CURVES} at most; else the best ones.",
        ),
    ] = ""


@operation("/tournaments/{tournament}/curves")
def curves_of(asked: CurvesOf, reader: Reader) -> list[Curve]:
    """Rating curves: how the ratings of some entrants came to be, with their 95 % intervals."""
    lines = _standings(reader, asked.tournament).lines
    wanted = list(dict.fromkeys(filter(None, asked.bots.split(","))))
    if len(wanted) > MOST_CURVES:
        abort(400, f"bots: expected {MOST_CURVES} labels at most, got {len(wanted)}.")
    for label in wanted:
        _known(label, [line.label for line in lines])
    return curves(reader, asked.tournament, wanted or [line.label for line in lines[:MOST_CURVES]])


def _known(label: str, labels: Sequence[str]) -> str:
    if label not in labels:
        abort(404, f"Nobody is called {label[:80]!r} in this tournament.")
    return label


class TwoEntrants(msgspec.Struct, frozen=True):
    """Two entrants of a tournament."""

    tournament: Tournament
    a: Label
    b: Label


@operation("/tournaments/{tournament}/head-to-head")
def two_entrants(asked: TwoEntrants, reader: Reader) -> HeadToHead:
    """Two entrants: result, interval, likelihood of superiority, by seat, the latest games."""
    if asked.a == asked.b:
        abort(400, "b: expected another entrant than a.")
    found = _standings(reader, asked.tournament)
    labels = [line.label for line in found.lines]
    a, b = _known(asked.a, labels), _known(asked.b, labels)
    return head_to_head(reader, found, asked.tournament, a, b)


class OneRating(msgspec.Struct, frozen=True):
    """The rating of an entrant."""

    tournament: Tournament
    label: Label


@operation("/tournaments/{tournament}/ratings/{label}")
def rating(asked: OneRating, reader: Reader) -> Explanation:
    """Where a rating comes from: what the games with every opponent have added to it."""
    found = _standings(reader, asked.tournament)
    label = _known(asked.label, [line.label for line in found.lines])
    explained = explain(reader, found, asked.tournament, label)
    if explained is None:
        abort(404, f"{label[:80]!r} has no rating of its own there.")
    return explained
