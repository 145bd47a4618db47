"""Game records as rows of the database, and back."""

from __future__ import annotations

import json
from typing import Annotated, Any

import msgspec
import sqlite_utils

from arena.schedule import OF_THEIR_OWN, pairing_text
from arena.store.plays import plays_to_text, text_to_plays
from arena.store.values import Damaged, Row, undamaged
from protocol.records import GameRecord, PlayedRules, SeatRecord

_KEPT_OF_A_SEAT = (
    "bot_seed",
    "process",
    "nth",
    "batch",
    "boot_us",
    "cpu_us",
    "overruns",
    "max_rss_kb",
)


def to_row(record: GameRecord, tournament_id: int) -> Row:
    """The row of the table `games`; what its tournament has already is left out."""
    return {
        "tournament_id": tournament_id,
        "pairing": pairing_text(record.pairing),
        "round": record.round,
        "match": record.match,
        "replay": record.replay,
        "rotation": record.rotation,
        "game": record.game,
        "seed": record.seed,
        "salt": record.salt,
        "commitment": record.commitment,
        "plays": plays_to_text(record.deals),
        "scores": _text(record.scores),
        "winner": record.winner,
        "ranks": _text(record.ranks),
        "reason": record.reason,
        "faults": _text(record.faults) if record.faults else None,
        "seats": _text([_kept(seat) for seat in record.seats]),
        "limits": _text(record.limits),
        "isolation": record.isolation,
        "started": record.started,
        "elapsed_ms": record.elapsed_ms,
        "arena": record.arena,
    }


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _kept(seat: SeatRecord) -> Row:
    return {"bot": seat.bot} | {name: getattr(seat, name) for name in _KEPT_OF_A_SEAT}


def tournament_row(db: sqlite_utils.Database, tournament_id: int) -> Row:
    """The row of a tournament that has to be there. Raises `Damaged`."""
    for row in db.query("SELECT * FROM tournaments WHERE id = ?", [tournament_id]):
        return row
    raise Damaged(f"row {tournament_id} of tournaments is missing in the database")


def to_record(row: Row, tournament: Row, bots: dict[str, Row]) -> GameRecord:
    """The record of a row of `games`, with its secrets and without the scores of deals.

    `bots` are the entrants' rows by label: name, version, hash. Raises `Damaged`.
    """
    with undamaged(f"row {row.get('id')} of games"):
        found = _record(row, _played(tournament), bots)
        check_winner(found.winner, len(found.scores), len(found.seats))
        return found


def check_winner(winner: int | None, sides: int, seats: int) -> None:
    """Whether a game can have ended so. Raises `ValueError`."""
    if not sides or not seats or (winner is not None and not 0 <= winner < sides):
        raise ValueError(f"won by side {winner} of {sides}, {seats} seats")


class _Played(msgspec.Struct):
    """What all games of a tournament have in common."""

    name: str
    kind: str
    names_hidden: bool
    rated: bool
    practice: bool
    master_commitment: str
    rules: PlayedRules
    sides: Annotated[int, msgspec.Meta(ge=1)]


def _played(row: Row) -> _Played:
    with undamaged(f"row {row.get('id')} of tournaments"):
        rules = json.loads(row["rules"]) | {"version": row["rules_version"]}
        return msgspec.convert(row | {"rules": rules}, _Played, strict=False)


def _record(row: Row, tournament: _Played, bots: dict[str, Row]) -> GameRecord:
    seats = json.loads(row["seats"])
    columns = {
        "game": row["game"],
        "tournament": tournament.name if tournament.kind not in OF_THEIR_OWN else None,
        "pairing": row["pairing"].split(","),
        "round": row["round"],
        "match": row["match"],
        "rotation": row["rotation"],
        "replay": row["replay"],
        "names_hidden": tournament.names_hidden,
        "rated": tournament.rated,
        "master_commitment": tournament.master_commitment,
        "rules": tournament.rules,
        "seats": [
            {
                "version": bots[seat["bot"]]["version"],
                "hash": bots[seat["bot"]]["hash"],
                "side": place % tournament.sides,
            }
            | seat
            for place, seat in enumerate(seats)
        ],
        "seed": row["seed"],
        "salt": row["salt"],
        "commitment": row["commitment"],
        "deals": text_to_plays(row["plays"], len(seats)),
        "scores": json.loads(row["scores"]),
        "winner": row["winner"],
        "ranks": json.loads(row["ranks"]),
        "reason": row["reason"],
        "faults": json.loads(row["faults"] or "[]"),
        "limits": json.loads(row["limits"]),
        "isolation": row["isolation"],
        "practice": tournament.practice,
        "started": row["started"],
        "elapsed_ms": row["elapsed_ms"],
        "arena": row["arena"],
    }
    # All of it is held to its types, but for the plays, which were just made of their text.
    return msgspec.convert(columns, GameRecord)
