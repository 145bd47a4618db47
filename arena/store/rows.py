"""Game records as rows of the database, and back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from arena.errors import Trouble
from arena.schedule import OF_THEIR_OWN, pairing_text
from arena.store.plays import plays_to_text, text_to_plays
from protocol.messages import Limits
from protocol.records import Fault, GameRecord, PlayedRules, SeatRecord

Row = dict[str, Any]

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
_DAMAGE = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    msgspec.MsgspecError,
)


@contextmanager
def undamaged(what: str) -> Iterator[None]:
    """Raise `Trouble` where a row that is read in the block is not as it was written."""
    try:
        yield
    except _DAMAGE as error:
        raise Trouble(f"{what} is damaged in the database: {error}") from error


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


def to_record(row: Row, tournament: Row, bots: dict[str, Row]) -> GameRecord:
    """The record of a row of `games`, with its secrets and without the scores of deals.

    `bots` are the entrants' rows by label: name, version, hash. Raises `Trouble` for a row that
    is damaged.
    """
    with undamaged(f"game {row['game']}"):
        return _record(row, tournament, bots)


def _record(row: Row, tournament: Row, bots: dict[str, Row]) -> GameRecord:
    rules = json.loads(tournament["rules"])
    seats = json.loads(row["seats"])
    return GameRecord(
        game=row["game"],
        tournament=tournament["name"] if tournament["kind"] not in OF_THEIR_OWN else None,
        pairing=row["pairing"].split(","),
        round=row["round"],
        match=row["match"],
        rotation=row["rotation"],
        replay=row["replay"],
        names_hidden=bool(tournament["names_hidden"]),
        rated=bool(tournament["rated"]),
        master_commitment=tournament["master_commitment"],
        rules=PlayedRules(
            preset=rules["preset"],
            overrides=rules["overrides"],
            version=tournament["rules_version"],
        ),
        seats=[
            SeatRecord(
                version=bots[seat["bot"]]["version"],
                hash=bots[seat["bot"]]["hash"],
                side=place % tournament["sides"],
                **seat,
            )
            for place, seat in enumerate(seats)
        ],
        seed=row["seed"],
        salt=row["salt"],
        commitment=row["commitment"],
        deals=text_to_plays(row["plays"], len(seats)),
        scores=json.loads(row["scores"]),
        winner=row["winner"],
        ranks=json.loads(row["ranks"]),
        reason=row["reason"],
        faults=msgspec.json.decode(row["faults"] or "[]", type=list[Fault]),
        limits=msgspec.json.decode(row["limits"], type=Limits),
        isolation=row["isolation"],
        practice=bool(tournament["practice"]),
        started=row["started"],
        elapsed_ms=row["elapsed_ms"],
        arena=row["arena"],
    )
