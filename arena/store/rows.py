"""Game records as rows of the database, and back."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import sqlite_utils

from arena.schedule import OF_THEIR_OWN, pairing_text
from arena.store.plays import plays_to_text, text_to_plays
from arena.store.values import Damaged, Games, Row, undamaged
from protocol.messages import Limits
from protocol.records import Fault, GameRecord, PlayedRules, SeatRecord

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
_FAULTS = msgspec.json.Decoder(list[Fault])
"""Made once: looking through a type that is no class takes longer than decoding does."""


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


class Played(msgspec.Struct, frozen=True):
    """What all games of a tournament have in common."""

    name: str
    kind: str
    names_hidden: bool
    rated: bool
    practice: bool
    master_commitment: str
    """Where its rounds have secrets of their own, theirs go instead."""
    rules: PlayedRules
    sides: Annotated[int, msgspec.Meta(ge=1)]
    rotations: Games
    """Games of a match."""

    @classmethod
    def of(cls, row: Row) -> Played:
        """Of a row of `tournaments`; made once for all its games. Raises `Damaged`."""
        with undamaged(f"row {row.get('id')} of tournaments"):
            rules = msgspec.json.decode(row["rules"]) | {"version": row["rules_version"]}
            return msgspec.convert(row | {"rules": rules}, cls, strict=False)


def played_in(db: sqlite_utils.Database, tournament_id: int) -> Played:
    """The same of a tournament that has to be there. Raises `Damaged`."""
    for row in db.query("SELECT * FROM tournaments WHERE id = ?", [tournament_id]):
        return Played.of(row)
    raise Damaged(f"row {tournament_id} of tournaments is missing in the database")


def to_record(row: Row, played: Played, bots: dict[str, Row]) -> GameRecord:
    """The record of a row of `games`, with its secrets and without the scores of deals.

    `bots` are the entrants' rows by label: name, version, hash. Raises `Damaged`.
    """
    with undamaged(f"row {row.get('id')} of games"):
        found = _record(row, played, bots)
        check_winner(found.winner, len(found.scores), len(found.seats))
        return found


def check_winner(winner: int | None, sides: int, seats: int) -> None:
    """Whether a game can have ended so. Raises `ValueError`."""
    if not sides or not seats or (winner is not None and not 0 <= winner < sides):
        raise ValueError(f"won by side {winner} of {sides}, {seats} seats")


def _record(row: Row, played: Played, bots: dict[str, Row]) -> GameRecord:
    seats = msgspec.json.decode(row["seats"])
    columns = {
        "game": row["game"],
        "tournament": played.name if played.kind not in OF_THEIR_OWN else None,
        "pairing": row["pairing"].split(","),
        "round": row["round"],
        "match": row["match"],
        "rotation": row["rotation"],
        "replay": row["replay"],
        "names_hidden": played.names_hidden,
        "rated": played.rated,
        "master_commitment": played.master_commitment,
        "rules": played.rules,
        "seats": [
            {
                "version": bots[seat["bot"]]["version"],
                "hash": bots[seat["bot"]]["hash"],
                "side": place % played.sides,
            }
            | seat
            for place, seat in enumerate(seats)
        ],
        "seed": row["seed"],
        "salt": row["salt"],
        "commitment": row["commitment"],
        "deals": text_to_plays(row["plays"], len(seats)),
        "scores": msgspec.json.decode(row["scores"]),
        "winner": row["winner"],
        "ranks": msgspec.json.decode(row["ranks"]),
        "reason": row["reason"],
        "faults": _FAULTS.decode(row["faults"] or "[]"),
        "limits": msgspec.json.decode(row["limits"], type=Limits),
        "isolation": row["isolation"],
        "practice": played.practice,
        "started": row["started"],
        "elapsed_ms": row["elapsed_ms"],
        "arena": row["arena"],
    }
    # All of it is held to its types, but for what was just made of its text.
    return msgspec.convert(columns, GameRecord)
