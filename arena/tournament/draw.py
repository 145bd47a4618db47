"""The way from one stage of a tournament to the next: who is set aside, who meets whom then."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path

import msgspec

from arena.pairing import Met, Pairing, knockout, swiss
from arena.pairing.swiss import NoPairing
from arena.schedule import MASTER_BYTES, GameKey, rules_of, table_size
from arena.standings import standings
from arena.store import (
    Database,
    Entrant,
    Reader,
    annul,
    audit_of,
    begin_round,
    depart,
    entrants_of,
    finish_round,
    matches_with,
    met_in,
    note_decision,
    undisturbed,
)
from arena.tournament.forfeits import MOST_IN_A_ROW
from arena.tournament.settings import is_in_rounds, swiss_rounds
from arena.tournament.stage import Stage, load_stage


def next_stage(database: Path, db: Database, tournament_id: int) -> Stage:
    """What is to be played next; `is_over` where there is nothing more.

    Sets aside who failed too often in a row, closes rounds that are over and makes the pairings
    of the next ones. Only for whoever plays the tournament.
    """
    while True:
        with undisturbed(db):
            stage = load_stage(db, tournament_id)
            if any(True for _ in stage.remaining()):
                return stage
            if not _set_aside(db, stage) and not _draw(database, db, stage):
                stage.is_over = True
                return stage


def _set_aside(db: Database, stage: Stage) -> bool:
    """Set aside who failed too often in a row, now that all that counts is played."""
    failing = [label for label in stage.forfeits.ends if label not in stage.gone]
    for label in failing:
        _set_one_aside(db, stage, label)
    return bool(failing)


def _set_one_aside(db: Database, stage: Stage, label: str) -> None:
    """Annul its later games; in a knockout or a Swiss the rest of its round is lost instead."""
    tournament_id = stage.stored.id
    reason = f"forfeited {MOST_IN_A_ROW} games in a row"
    annulled = 0
    if stage.stored.kind not in ("swiss", "knockout", "double-knockout"):
        # Also a match that was begun before the end: whether it was finished is chance.
        later = [
            match
            for match in matches_with(db, tournament_id, label)
            if any(
                stage.forfeits.is_beyond(label, match.pairing, GameKey(match.match, 0, rotation))
                for rotation in range(stage.stored.rotations)
            )
        ]
        annulled = annul(db, tournament_id, later, f"{label} was set aside: {reason}")
    depart(db, tournament_id, label, "set aside", reason)
    note_decision(db, tournament_id, "set aside", label, reason, annulled)


def _draw(database: Path, db: Database, stage: Stage) -> bool:
    """Close the round that is over and begin the next, or a further part of it; False: the end."""
    stored = stage.stored
    if not is_in_rounds(stored.kind):
        return False
    entrants = entrants_of(db, stored.id)
    met = _met(db, stage)
    found = _next_pairings(database, db, stage, entrants, met)
    if stage.round and not any(pairing.round == stage.round.number for pairing in found):
        finish_round(db, stored.id, stage.round.number)
    if not found:
        return False
    master = secrets.token_bytes(MASTER_BYTES) if stored.kind == "league" else None
    begin_round(db, stored.id, found, master)
    return True


def _departures(db: Database, stage: Stage) -> list[str]:
    """Who has left, in the order of leaving."""
    subjects = [decision.subject for decision in audit_of(db, stage.stored.id)]
    return [label for label in dict.fromkeys(subjects) if label in stage.gone]


def _next_pairings(
    database: Path, db: Database, stage: Stage, entrants: Sequence[Entrant], met: Sequence[Met]
) -> list[Pairing]:
    stored, tournament = stage.stored, stage.stored.definition
    labels = [entrant.label for entrant in entrants]
    staying = [label for label in labels if label not in stage.gone]
    number = stage.round.number if stage.round else 0
    if stored.kind == "league":
        if number >= (tournament.rounds or number + 1):
            return []
        return _league_round(database, stage, entrants, number + 1)
    if stored.kind == "swiss":
        if number >= swiss_rounds(tournament, len(labels)) or len(staying) < 2:
            return []
        try:
            games = tournament.matches * stored.rotations
            return swiss.next_round(staying, met, tournament.matches, games)
        except NoPairing:
            # Those who are left have all met; the table stands as it is.
            return []
    double = stored.kind == "double-knockout"
    return knockout.next_round(labels, met, tournament.matches, double, _departures(db, stage))


def _league_round(
    database: Path, stage: Stage, entrants: Sequence[Entrant], number: int
) -> list[Pairing]:
    from arena.pairing import league

    tournament = stage.stored.definition
    with Reader(database) as reader:
        lines = {line.label: line for line in standings(reader, stage.stored.id)}
    members = [
        league.Member(
            label=entrant.label,
            rating=lines[entrant.label].rating,
            matches=lines[entrant.label].matches,
            owners=frozenset(entrant.owners if tournament.one_per_owner else ()),
        )
        for entrant in entrants
        if not entrant.departure
    ]
    size = table_size(tournament, rules_of(tournament))
    if len(members) < size:
        return []
    played: dict[tuple[str, ...], int] = {}
    for pairing in stage.pairings:
        before = played.get(pairing.entrants, 0)
        played[pairing.entrants] = before + pairing.matches
    wanted = tournament.pairings or len(members)
    return league.next_batch(members, played, wanted, tournament.matches, number, size)


def _met(db: Database, stage: Stage) -> list[Met]:
    """What came of all pairings so far; games that a bot left unplayed are lost for it."""
    found = met_in(db, stage.stored.id, stage.pairings, stage.stored.rotations)
    return [_walked_over(met, stage) for met in found]


def _walked_over(met: Met, stage: Stage) -> Met:
    gone = [label in stage.gone for label in met.pairing.entrants]
    missing = met.pairing.matches * stage.stored.rotations - met.games
    if met.pairing.is_bye or missing <= 0 or sum(gone) != 1:
        return met
    won = missing if gone[1] else 0
    return msgspec.structs.replace(met, games=met.games + missing, score=met.score + won)
