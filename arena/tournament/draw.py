"""The way from one stage of a tournament to the next: who is set aside, who meets whom then."""

from __future__ import annotations

import secrets
from pathlib import Path

from arena.pairing import Member, NoPairing, Pairing, knockout, league, swiss
from arena.schedule import MASTER_BYTES, GameKey, rules_of, table_size
from arena.standings import standings
from arena.store import (
    Database,
    Reader,
    annul,
    begin_round,
    depart,
    departed,
    entrants_of,
    finish_round,
    finish_tournament,
    matches_with,
    met_in,
    note_decision,
    undisturbed,
)
from arena.tournament.forfeits import MOST_IN_A_ROW
from arena.tournament.settings import is_in_rounds, swiss_rounds
from arena.tournament.stage import Stage, load_stage

_NEW_RATING = 1500.0
"""Of a bot that has played nothing yet: the mean."""


def next_stage(database: Path, db: Database, tournament_id: int) -> Stage:
    """What is to be played next; `is_over` where there is nothing more.

    Sets aside who failed too often in a row, closes rounds that are over and makes the pairings
    of the next ones; closes the tournament at its end, but for a league, which has none. Only for
    whoever plays the tournament.
    """
    while True:
        with undisturbed(db):
            stage = load_stage(db, tournament_id)
            if any(True for _ in stage.remaining()):
                return stage
            if not _set_aside(db, stage) and not _draw(database, db, stage):
                stage.is_over = True
                # At once: nobody may be entered into a tournament that has nothing more to play.
                if stage.stored.kind != "league":
                    finish_tournament(db, tournament_id)
                return stage


def _set_aside(db: Database, stage: Stage) -> bool:
    """Set aside who failed too often in a row, now that all that counts is played."""
    failing = [label for label in stage.forfeits.ends if label not in stage.gone]
    for label in failing:
        _set_one_aside(db, stage, label)
    return bool(failing)


def _set_one_aside(db: Database, stage: Stage, label: str) -> None:
    """Annul its later games; in a round that is played on, its opponent wins them."""
    tournament_id = stage.stored.id
    reason = f"forfeited {MOST_IN_A_ROW} games in a row"
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
    found = _next_pairings(database, db, stage)
    if stage.round and not any(pairing.round == stage.round.number for pairing in found):
        finish_round(db, stored.id, stage.round.number)
    if not found:
        return False
    master = secrets.token_bytes(MASTER_BYTES) if stored.kind == "league" else None
    begin_round(db, stored.id, found, master)
    return True


def _next_pairings(database: Path, db: Database, stage: Stage) -> list[Pairing]:
    """Who meets whom next; nobody at the end."""
    stored, tournament = stage.stored, stage.stored.definition
    number = stage.round.number if stage.round else 0
    if stored.kind == "league":
        is_last = tournament.rounds is not None and number >= tournament.rounds
        return [] if is_last else _league_round(database, stage, number + 1)
    labels = [entrant.label for entrant in entrants_of(db, stored.id)]
    met = met_in(db, stored.id, stage.pairings, stored.rotations)
    if stored.kind == "swiss":
        staying = [label for label in labels if label not in stage.gone]
        if number >= swiss_rounds(tournament, len(labels)) or len(staying) < 2:
            return []
        try:
            games = tournament.matches * stored.rotations
            return swiss.next_round(staying, met, tournament.matches, games)
        except NoPairing:
            # Those who are left have all met; the table stands as it is.
            return []
    double, gone = stored.kind == "double-knockout", departed(db, stored.id)
    return knockout.next_round(labels, met, tournament.matches, double, gone)


def _league_round(database: Path, stage: Stage, number: int) -> list[Pairing]:
    tournament = stage.stored.definition
    with Reader(database) as reader:
        lines = {line.label: line for line in standings(reader, stage.stored.id).lines}
        entrants = reader.entrants(stage.stored.id)
    members = [
        Member(
            label=entrant.label,
            rating=lines[entrant.label].rating or _NEW_RATING,
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
