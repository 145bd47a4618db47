"""What an organiser decides about a tournament while it goes on: who comes, who goes, what counts.

Whoever plays the tournament meanwhile sees it within a second or two. Every decision is written
to the tournament's audit log in the transaction that carries it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from arena.bots import BotFiles, prepare, split_reference
from arena.errors import UsageError
from arena.schedule import pairing_text
from arena.standings import refresh
from arena.store import (
    Database,
    Entrant,
    GameRow,
    MatchKey,
    Reader,
    StoredTournament,
    add_entrant,
    annul,
    depart,
    entrants_of,
    find_tournament,
    matches_with,
    note_decision,
    note_planned,
    pause,
    rounds_of,
    undisturbed,
    writing,
)
from arena.tournament.settings import is_in_rounds, refuse_unfit
from arena.tournament.stage import load_stage


def add_bot(
    database: Path,
    tournament_id: int,
    bot: BotFiles,
    *,
    trusted: bool = False,
    replaces: Sequence[str] = (),
) -> str:
    """Enter another bot; returns its label. Raises `UsageError`.

    In a round robin or a gauntlet it meets everybody it should have met, in a Swiss or a league
    it is paired from the next round on; the bracket of a knockout is closed. `trusted`: whether a
    stranger's program may play where the tournament is played without isolation. `replaces`:
    entrants that play no more from then on.
    """
    with writing(database) as db:
        stored = _going_on(db, database, tournament_id)
        refuse_unfit({"": bot}, stored.definition)
        isolation = stored.isolation.split(", ")[-1]
        if isolation == "none" and not (bot.is_shipped or trusted):
            raise UsageError(
                f"{stored.name!r} is played without isolation: a bot could read and change all "
                "that you can; add only a program that you trust, with --trusted"
            )
        prepare(bot, isolation)
        with undisturbed(db):
            # Building it may have taken minutes.
            stored = _going_on(db, database, tournament_id)
            rounds = rounds_of(db, tournament_id)
            if stored.kind.endswith("knockout") and rounds:
                raise UsageError(f"{stored.name!r}: nobody can enter a knockout that has begun")
            entrants = entrants_of(db, tournament_id)
            label = free_label(bot, [entrant.label for entrant in entrants])
            joined = rounds[-1].number + 1 if rounds else 1
            add_entrant(db, tournament_id, label, bot, joined)
            note_decision(db, tournament_id, "add", label, f"version {bot.manifest.version}")
            for other in replaces:
                depart(db, tournament_id, other, "replaced", f"{label} plays in its place")
                note_decision(db, tournament_id, "replace", other, f"by {label}")
    return label


def enter_version(
    database: Path, tournament_id: int, bot: BotFiles, *, trusted: bool = False
) -> tuple[str, str | None]:
    """Enter a new version of a bot into a league, where it takes the place of the one before.

    Returns its label, and that of the version that it replaces, if there is one: that one plays
    no more, what it has played stands. `trusted` as for `add_bot`. Raises `UsageError`.
    """
    name = bot.manifest.name
    with Reader(database) as reader:
        stored = reader.stored(tournament_id)
        before = [
            entrant
            for entrant in reader.entrants(tournament_id)
            if entrant.name == name and not entrant.departure
        ]
    if stored.kind != "league":
        raise UsageError(f"{stored.name!r} is no league, but a {stored.kind}")
    if any(entrant.hash == bot.hash for entrant in before):
        raise UsageError(f"{name} plays in {stored.name!r} already with these files")
    replaced = [entrant.label for entrant in before]
    label = add_bot(database, tournament_id, bot, trusted=trusted, replaces=replaced)
    return label, before[-1].label if before else None


def free_label(bot: BotFiles, taken: Iterable[str]) -> str:
    """A label that nobody has: the name, with its version where that is not enough."""
    taken = set(taken)
    name = bot.manifest.name
    with_version = f"{name}@{bot.manifest.version}"
    choices = [name]
    if split_reference(with_version):
        choices.append(with_version)
    number = 2
    while choices[0] in taken and choices[-1] in taken:
        choices.append(f"{name}-{number}")
        number += 1
    return next(label for label in choices if label not in taken)


def withdraw(
    database: Path, tournament_id: int, label: str, reason: str, *, annuls: bool = True
) -> str:
    """Let an entrant play no more; returns how that counts. Raises `UsageError`.

    In a round robin or a gauntlet all its games are annulled where it has played less than half
    of them, else the rest is forfeited: won by the opponents, and not rated, since it was not
    played. In other kinds what it has played stands; so it does everywhere without `annuls`.
    """
    with writing(database) as db, undisturbed(db):
        stored = _going_on(db, database, tournament_id)
        _entrant(db, database, stored, label)
        played, left = load_stage(db, tournament_id).games_of(label)
        early = annuls and not is_in_rounds(stored.kind) and played < left
        annulled = 0
        if early:
            matches = matches_with(db, tournament_id, label)
            annulled = annul(db, tournament_id, matches, f"{label} withdrew: {reason}")
        depart(db, tournament_id, label, "annulled" if early else "forfeited", reason)
        note_decision(db, tournament_id, "withdraw", label, reason, annulled)
    refresh(database, tournament_id)
    if early:
        return f"{label} withdrew before half of its games: all of them are annulled"
    return f"{label} withdrew: what it has played stands" + (
        ", the rest is forfeited" if stored.kind != "league" else ""
    )


def annul_game(database: Path, tournament_id: int, what: str, reason: str) -> str:
    """Let the match of a game, or all matches of an entrant, count no longer.

    The games stay stored and marked; nothing of them is played again. Returns what was done.
    Raises `UsageError`.
    """
    with Reader(database) as reader:
        stored = reader.stored(tournament_id)
        labels = [entrant.label for entrant in reader.entrants(tournament_id)]
        game = None if what in labels else _game(reader, stored, what)
    if game and game.tournament_id != tournament_id:
        raise UsageError(f"{database}: game {game.game} is not of {stored.name!r}")
    with writing(database) as db, undisturbed(db):
        # Only now: it may have ended since.
        stored = _stored(db, tournament_id)
        if stored.finished and stored.kind.endswith("knockout"):
            raise UsageError(
                f"{stored.name!r} is over: without these games its bracket would be open"
            )
        if game:
            subject = game.game
            matches = [MatchKey(pairing_text(game.pairing), game.match, game.replay)]
        else:
            subject, matches = what, matches_with(db, tournament_id, what)
        annulled = annul(db, tournament_id, matches, f"annulled: {reason}")
        if stored.finished:
            # Nothing of it is played again: what is planned is what has been played.
            note_planned(db, tournament_id, _stored(db, tournament_id).games_played)
        elif not game:
            depart(db, tournament_id, what, "annulled", reason)
        note_decision(db, tournament_id, "annul", subject, reason, annulled)
    refresh(database, tournament_id)
    if game and not annulled:
        return f"{subject}: its match is annulled; it did not count before"
    return f"{subject}: {annulled} match(es) that counted are annulled"


def _game(reader: Reader, stored: StoredTournament, what: str) -> GameRow:
    try:
        return reader.game_row(what)
    except UsageError as error:
        raise UsageError(f"{error}, and {stored.name!r} has no entrant of that name") from None


def pause_tournament(database: Path, tournament_id: int) -> None:
    """Stop whoever plays a tournament; the next run goes on with it. Raises `UsageError`."""
    with writing(database) as db, undisturbed(db):
        stored = _going_on(db, database, tournament_id)
        if stored.paused:
            return
        pause(db, tournament_id)
        note_decision(db, tournament_id, "pause", stored.name, "until it is run again")
    refresh(database, tournament_id)


def _going_on(db: Database, database: Path, tournament_id: int) -> StoredTournament:
    """A tournament that is not over. Raises `UsageError`."""
    stored = _stored(db, tournament_id)
    if stored.finished:
        raise UsageError(f"{database}: {stored.name!r} is over; its result stands")
    return stored


def _stored(db: Database, tournament_id: int) -> StoredTournament:
    stored = find_tournament(db, id=tournament_id)
    assert stored is not None
    return stored


def _entrant(db: Database, database: Path, stored: StoredTournament, label: str) -> Entrant:
    """An entrant that has not left. Raises `UsageError`."""
    entrants = {entrant.label: entrant for entrant in entrants_of(db, stored.id)}
    found = entrants.get(label)
    if found is None:
        known = ", ".join(entrants)
        raise UsageError(f"{database}: no entrant {label!r} in {stored.name!r}; it has {known}")
    if found.departure:
        raise UsageError(f"{database}: {label} has left already ({found.departure})")
    return found
