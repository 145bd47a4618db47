"""Games of a person and bots as the database has them."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from pathlib import Path

from arena.bots import PERSON, BotFiles, prepare
from arena.errors import UsageError
from arena.play import Bot
from arena.schedule import MASTER_BYTES, rules_of
from arena.store import (
    Database,
    StoredTournament,
    begin_tournament,
    find_tournament,
    hashes_of,
    refuse_unwritable,
    undisturbed,
    writing,
)
from arena.tournament import Entry, refuse_unfit
from arena.version import VERSION
from protocol.manifest import Manifest
from protocol.tournament import Tournament

ME = PERSON
"""The reserved name of the person."""
NOBODY: tuple[str, ...] = ()
"""The command of the person, who is not started: no bot's command is empty."""


def person_files() -> BotFiles:
    """What is stored of a person as an entrant: a manifest, the same for everybody.

    So the hash in records is fixed for a version of the arena, and says nothing of who it was.
    """
    text = f'name = "{ME}"\nversion = "{VERSION}"\nrun = ["{ME}"]\n'
    manifest = Manifest(name=ME, version=VERSION, run=[ME])
    return BotFiles(manifest, {"bot.toml": (False, text.encode())}, is_shipped=True)


def is_person(bot: BotFiles) -> bool:
    """Whether an entrant of the database is a person: no bot may be called so."""
    return bot.manifest.name == ME


def sit_down(
    database: Path,
    tournament: Tournament,
    bots: Mapping[str, BotFiles],
    *,
    kind: str = "play",
    master: bytes | None,
    isolation: str,
) -> Entry:
    """Enter games of a person and bots (by label, in the order of seats) into the database.

    A match is one game: a person can't forget its cards for the second. A secret that was given
    is gone on with only by the same games. `kind`: `play`, or `person` for a visitor of the
    dashboard. Raises `UsageError`.
    """
    refuse_unfit(bots, tournament)
    refuse_unwritable(database)
    ready = {label: _ready(bot, isolation) for label, bot in bots.items()}
    with writing(database) as db, undisturbed(db):
        stored = _found(db, database, tournament, bots, master)
        if stored is None:
            stored = _begun(db, tournament, bots, kind, master, isolation)
    return Entry(stored=stored, isolation=isolation, ready=ready, changed=[])


def _ready(bot: BotFiles, isolation: str) -> Bot:
    if not is_person(bot):
        return prepare(bot, isolation)
    return Bot(name=ME, version=bot.manifest.version, hash=bot.hash, folder="", run=NOBODY)


def _found(
    db: Database,
    database: Path,
    tournament: Tournament,
    bots: Mapping[str, BotFiles],
    master: bytes | None,
) -> StoredTournament | None:
    """The same games, begun before with the secret that was given."""
    if master is None:
        return None
    stored = find_tournament(db, master_commitment=hashlib.sha256(master).hexdigest())
    if stored is None:
        return None
    before = hashes_of(db, stored.id)
    if stored.definition != tournament or before != {k: bot.hash for k, bot in bots.items()}:
        raise UsageError(f"{database}: these cards were dealt there before: choose another seed")
    return stored


def _begun(
    db: Database,
    tournament: Tournament,
    bots: Mapping[str, BotFiles],
    kind: str,
    master: bytes | None,
    isolation: str,
) -> StoredTournament:
    tournament_id = begin_tournament(
        db,
        tournament=tournament,
        rules=rules_of(tournament),
        kind=kind,
        bots=bots,
        master=master or secrets.token_bytes(MASTER_BYTES),
        practice=master is not None,
        isolation=isolation,
        rotations=1,
    )
    stored = find_tournament(db, id=tournament_id)
    assert stored is not None
    return stored
