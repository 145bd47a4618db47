"""A tournament entered into the database, or found there to go on with it."""

from __future__ import annotations

import hashlib
import secrets
import shlex
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from arena.bots import BotFiles, Unreadable, find_bot, prepare, shipped_names
from arena.errors import UsageError
from arena.play import Bot, Plan
from arena.schedule import MASTER_BYTES, OF_THEIR_OWN, limits_of, rotations_of, rules_of
from arena.store import (
    Database,
    StoredTournament,
    Tested,
    begin_tournament,
    bots_of,
    entrants_of,
    extend_tournament,
    find_tournament,
    hashes_of,
    keep_comparison,
    note_isolation,
    playing,
    undisturbed,
    unfinished_comparisons,
    writing,
)
from arena.tournament.changes import withdraw
from arena.tournament.settings import check_tournament, is_in_rounds, refuse_unfit
from arena.tournament.stage import Stage, load_stage
from protocol.tournament import Tournament


@dataclass(frozen=True)
class Entry:
    """A tournament that can be run: new, or begun earlier."""

    stored: StoredTournament
    isolation: str
    ready: dict[str, Bot]
    """The bots ready to be started, by label, as they were when they were entered."""
    changed: list[str]
    """Bots whose files have changed since; the tournament plays them as they were."""
    withdrawn: dict[str, str] = field(default_factory=dict)
    """Bots that left since their stored files can't be read any more, and why they can't."""

    @property
    def can_go_on(self) -> bool:
        """Whether it is found again: matches of their own are only by their secret."""
        return self.stored.practice or self.stored.kind not in OF_THEIR_OWN

    def make_ready(self, database: Path, db: Database) -> dict[str, str]:
        """Make ready who is in the tournament by now; returns who had to leave, and why.

        That is whoever's stored files can't be read any more: what it has played stands, and the
        others play on. Raises `UsageError` where there would be nothing to play.
        """
        staying = [one.label for one in entrants_of(db, self.stored.id) if not one.departure]
        left: dict[str, str] = {}
        for label, bot in bots_of(db, self.stored.id, {*staying} - self.ready.keys()).items():
            if not isinstance(bot, Unreadable):
                self.ready[label] = prepare(bot, self.isolation)
            elif self.stored.kind in OF_THEIR_OWN:
                raise UsageError(bot.why)
            else:
                left[label] = bot.why
                withdraw(database, self.stored.id, label, bot.why, annuls=False)
        self.withdrawn.update(left)
        return left

    def plan(self, stage: Stage) -> Plan:
        """What the games of a stage have in common."""
        stored, tournament = stage.stored, stage.stored.definition
        return Plan(
            tournament=None if stored.kind in OF_THEIR_OWN else stored.name,
            rules=rules_of(tournament),
            overrides=tournament.overrides,
            limits=limits_of(tournament),
            names_hidden=stored.names_hidden,
            rated=stored.rated,
            practice=stored.practice,
            think_on_opponents_time=tournament.think_on_opponents_time,
            master=stage.master,
            bots=self.ready,
        )


def enter(
    database: Path,
    tournament: Tournament,
    bots: Mapping[str, BotFiles],
    *,
    kind: str,
    master: bytes | None,
    isolation: str,
    tested: Tested | None = None,
) -> Entry:
    """Enter a tournament into the database, or find it there to go on with it.

    `bots` by label. `master` None: a secret of its own is drawn. `tested`: what a test of two bots
    tests; it is found by that, by the bots' files and by its rules, not by its name. Raises
    `UsageError` where the database has another tournament of that name or with that secret,
    `Trouble` where another process plays it.
    """
    check_tournament(tournament, len(bots))
    refuse_unfit(bots, tournament)
    if kind == "league" and master is not None:
        raise UsageError("a league takes a new secret for every round: no seed, no master file")

    def find(db: Database) -> StoredTournament | None:
        if tested:
            return _same_test(db, tournament, bots, isolation, tested)
        where = _where(tournament, kind, master)
        return find_tournament(db, **where) if where else None

    with writing(database) as db:
        if not find(db):
            # First: what can't be built must not stand in the database as an entrant.
            for bot in bots.values():
                prepare(bot, isolation)
        with undisturbed(db):
            if stored := find(db):
                _check_same(database, stored, kind, tournament, bots, hashes_of(db, stored.id))
                _check_isolation(stored, isolation)
                note_isolation(db, stored, isolation)
                _extend(db, database, stored, tournament)
                tournament_id = stored.id
            else:
                tournament_id = _begin(db, tournament, bots, kind, master, isolation)
                if tested:
                    keep_comparison(db, tournament_id, tested)
        return _entry(database, db, tournament_id, bots, isolation)


def bots_added(
    database: Path, tournament: Tournament, kind: str, master: bytes | None, given: Collection[str]
) -> list[BotFiles]:
    """The bots of a tournament that is gone on with beyond those `given`, by label.

    None where it is new.
    """
    where = _where(tournament, kind, master)
    if not where or not database.exists():
        return []
    with writing(database) as db:
        stored = find_tournament(db, **where)
        bots = bots_of(db, stored.id) if stored else {}
    shipped = {find_bot(name).hash for name in shipped_names()} if len(bots) > len(given) else ()
    return [
        replace(bot, is_shipped=bot.hash in shipped)
        for label, bot in bots.items()
        if label not in given
    ]


def _begin(
    db: Database,
    tournament: Tournament,
    bots: Mapping[str, BotFiles],
    kind: str,
    master: bytes | None,
    isolation: str,
) -> int:
    rules = rules_of(tournament)
    tournament_id = begin_tournament(
        db,
        tournament=tournament,
        rules=rules,
        kind=kind,
        bots=bots,
        master=master or secrets.token_bytes(MASTER_BYTES),
        practice=master is not None,
        isolation=isolation,
        rotations=rotations_of(tournament, rules),
    )
    if not is_in_rounds(kind) and not load_stage(db, tournament_id).pairings:
        raise UsageError("bots: every table would have two bots of one author (one_per_owner)")
    return tournament_id


def _extend(db: Database, database: Path, stored: StoredTournament, tournament: Tournament) -> None:
    """Plan more games where more are wanted."""
    before = stored.definition
    if all(getattr(tournament, key) == getattr(before, key) for key in _MAY_GROW):
        return
    if stored.finished and not stored.practice:
        raise UsageError(
            f"{stored.name!r} is over and its secret published: anybody could know the cards of "
            "further games; choose another name"
        )
    # Whoever plays it would end it, and publish its secret, before these games.
    with playing(database, stored.id, stored.name):
        extend_tournament(db, stored.id, tournament)


def _where(tournament: Tournament, kind: str, master: bytes | None) -> dict[str, Any] | None:
    """What tells a tournament that is to be gone on with; None: never one from before."""
    if master is not None:
        return {"master_commitment": hashlib.sha256(master).hexdigest()}
    if kind == "play":
        return None
    return {"name": tournament.name, "kind": kind, "practice": False}


def _same_test(
    db: Database,
    tournament: Tournament,
    bots: Mapping[str, BotFiles],
    isolation: str,
    tested: Tested,
) -> StoredTournament | None:
    """The test to go on with: the same, not planned for longer, and not over; the longest.

    One that is over has its answer; the next is another.
    """
    same = [
        stored
        for stored in unfinished_comparisons(db, tested, [bot.hash for bot in bots.values()])
        if not _changed_keys(stored.definition, tournament)
        and stored.definition.matches <= tournament.matches
        and not _mixes_isolation(stored, isolation)
    ]
    return max(same, key=lambda stored: stored.definition.matches, default=None)


def _check_same(
    database: Path,
    stored: StoredTournament,
    kind: str,
    tournament: Tournament,
    bots: Mapping[str, BotFiles],
    before: Mapping[str, str],
) -> None:
    """Refuse to go on with a tournament that was begun with other settings."""
    changed = _changed_keys(stored.definition, tournament)
    if stored.kind != kind:
        changed.append("kind")
    # A tournament keeps its bots as they were, and those that were added; whoever plays a few
    # matches means the files given.
    if list(before)[: len(bots)] != list(bots) or (kind == "play" and _changed(bots, before)):
        _refuse_other_bots(database, stored, list(bots), list(before))
        changed.append("bots")
    # In a Swiss or a knockout later rounds would weigh more than earlier ones.
    is_fixed = kind == "swiss" or kind.endswith("knockout")
    if stored.definition.matches > tournament.matches or (
        is_fixed and stored.definition.matches != tournament.matches
    ):
        changed.append("matches")
    if changed:
        raise UsageError(
            f"{database}: {stored.name!r} was begun there with another value of {changed[0]}; its "
            "cards would be dealt twice: choose another name, seed or database"
        )


def _refuse_other_bots(
    database: Path, stored: StoredTournament, labels: list[str], before: list[str]
) -> None:
    """Say which command does what somebody has tried by changing the file."""
    if stored.kind in OF_THEIR_OWN or stored.kind.endswith("knockout"):
        return
    command = f"kseri tournament {{}} {shlex.quote(stored.name)}"
    new = [label for label in labels if label not in before]
    if new:
        raise UsageError(
            f"{database}: {stored.name!r} was begun there without {new[0]}: leave the file's "
            f"bots as they were; {command.format('add')} BOT enters another"
        )
    if not stored.definition.bots[len(labels) :]:
        return
    left_out = [label for label in before if label not in labels]
    raise UsageError(
        f"{database}: {stored.name!r} was begun there with {left_out[0]}, too: leave the file's "
        f"bots as they were; {command.format('withdraw')} {left_out[0]} takes it out"
    )


def _check_isolation(stored: StoredTournament, isolation: str) -> None:
    """Refuse to mix games of isolated and of free bots in one rating."""
    if _mixes_isolation(stored, isolation):
        raise UsageError(
            f"{stored.name!r} is rated and was begun with isolation {stored.isolation}: it can't "
            f"go on with {isolation}"
        )


def _mixes_isolation(stored: StoredTournament, isolation: str) -> bool:
    before = stored.isolation.split(", ")
    return stored.rated and isolation not in before and "none" in (isolation, *before)


def _changed_keys(before: Tournament, now: Tournament) -> list[str]:
    """The keys that make another tournament."""
    old, new = msgspec.structs.asdict(before), msgspec.structs.asdict(now)
    may_change = (*_MAY_CHANGE, *_MAY_GROW)
    return [key for key in new if key not in may_change and new[key] != old[key]]


def _changed(bots: Mapping[str, BotFiles], before: Mapping[str, str]) -> list[str]:
    """Who has other files than before, by its hash then."""
    return [label for label, bot in bots.items() if bot.hash != before[label]]


_MAY_CHANGE = ("name", "bots", "workers", "concurrency", "isolation", "chunk_matches")
_MAY_GROW = ("matches", "rounds")
"""More of them is more of the same tournament; all else makes another."""


def _entry(
    database: Path,
    db: Database,
    tournament_id: int,
    given: Mapping[str, BotFiles],
    isolation: str,
) -> Entry:
    stored = find_tournament(db, id=tournament_id)
    assert stored is not None
    changed = _changed(given, hashes_of(db, tournament_id))
    entry = Entry(stored=stored, isolation=isolation, ready={}, changed=changed)
    if stored.finished:
        return entry
    entry.make_ready(database, db)
    return entry
