"""The luck of stored games, kept once computed: it can be dropped at any time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

import msgspec
import sqlite_utils

from arena.store.events import note_event, of_tournament
from arena.store.values import undamaged


class LuckRow(msgspec.Struct, frozen=True):
    """What the cards of one game of a match that counts were worth to every side."""

    pairing: list[str]
    match: int
    replay: int
    seats: list[str]
    """The entrants by seat."""
    ranks: list[int]
    """By side."""
    luck: list[float]
    """By side, in chances of winning."""


class _Seat(msgspec.Struct, frozen=True):
    """What is asked of a seat of a stored game."""

    bot: str


_SEATS = msgspec.json.Decoder(list[_Seat])


def keep_luck(
    db: sqlite_utils.Database, baseline: int, games: Iterable[tuple[int, Sequence[float]]]
) -> None:
    """Keep the luck of games, by their numbers, as a version of the baseline measured it."""
    with db.atomic():
        db.conn.executemany(
            "INSERT OR REPLACE INTO luck VALUES (?, ?, ?)",
            [(game_id, baseline, json.dumps(list(luck))) for game_id, luck in games],
        )


def keep_win_shares(db: sqlite_utils.Database, tournament_id: int, data: bytes) -> None:
    """Keep shares of wins as they were computed; they can be dropped at any time."""
    with db.atomic():
        db.execute("INSERT OR REPLACE INTO win_shares VALUES (?, ?)", [tournament_id, data])
        note_event(db, of_tournament(tournament_id), "standings")


_COUNTED = """
    FROM games LEFT JOIN voids USING (tournament_id, pairing, match, replay)
    LEFT JOIN luck ON luck.game_id = games.id AND luck.baseline = :baseline
    WHERE tournament_id = :tournament_id AND cause IS NULL
"""


def without_luck(db: sqlite_utils.Database, tournament_id: int, baseline: int) -> list[int]:
    """The numbers of the games that count and whose luck is not known yet."""
    values = {"tournament_id": tournament_id, "baseline": baseline}
    query = f"SELECT games.id {_COUNTED} AND luck IS NULL ORDER BY games.id"
    return [game_id for (game_id,) in db.execute(query, values)]


def luck_rows(db: sqlite_utils.Database, tournament_id: int, baseline: int) -> Iterator[LuckRow]:
    """The games that count and whose luck is known, match by match."""
    values = {"tournament_id": tournament_id, "baseline": baseline}
    query = f"""
        SELECT games.id, pairing, match, replay, seats, ranks, luck {_COUNTED} AND luck IS NOT NULL
        ORDER BY pairing, match, replay, rotation
    """
    for game_id, *columns in db.execute(query, values):
        with undamaged(f"row {game_id} of games or its row of luck"):
            found = _luck_row(*columns)
        yield found


def _luck_row(pairing: str, match: int, replay: int, seats: str, ranks: str, luck: str) -> LuckRow:
    columns = {
        "pairing": pairing.split(","),
        "match": match,
        "replay": replay,
        "seats": [seat.bot for seat in _SEATS.decode(seats)],
        "ranks": msgspec.json.decode(ranks),
        "luck": msgspec.json.decode(luck),
    }
    return msgspec.convert(columns, LuckRow)
