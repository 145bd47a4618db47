"""A tournament from its file to its last game: schedule, executor, store; stop and go on."""

from __future__ import annotations

import hashlib
import secrets
import signal
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

import msgspec
import sqlite_utils
import trio

from arena.bots import BotFiles, prepare
from arena.errors import UsageError
from arena.executor import Executor
from arena.play import FinishedGame, Plan, Report
from arena.schedule import (
    MASTER_BYTES,
    Chunk,
    GameKey,
    VoidMatch,
    chunks,
    limits_of,
    pairing_text,
    pairings,
    rotations_of,
    rules_of,
    table_size,
)
from arena.store import (
    StoredTournament,
    Writer,
    begin_tournament,
    bots_of,
    done_games,
    extend_tournament,
    find_tournament,
    finish_tournament,
    open_for_writing,
    open_writer,
    playing,
    replays,
)
from protocol.rules import RuleSetError
from protocol.tournament import Tournament


@dataclass
class Progress:
    """How far a tournament is; whoever shows it is told of every game."""

    planned: int
    """Games in all."""
    before: int = 0
    """Games that were stored before this run."""
    played: int = 0
    """Games of this run."""
    voided: int = 0
    """Matches of this run that the arena failed."""
    on_game: Callable[[FinishedGame], None] = field(default=lambda game: None)


@dataclass(frozen=True)
class Entry:
    """A tournament that can be run: new, or begun earlier."""

    stored: StoredTournament
    plan: Plan
    pairings: list[tuple[str, ...]]
    planned: int
    """Games in all."""
    done: dict[str, set[GameKey]]
    """Games that are stored, by pairing."""
    voided: dict[str, dict[int, int]]
    """Which replay of a match counts, by pairing and match, where that is not the first."""

    @property
    def games_done(self) -> int:
        """How many games are stored."""
        return sum(map(len, self.done.values()))


def check_tournament(tournament: Tournament, entrants: int) -> None:
    """Refuse what can't be played. Raises `UsageError` with the key that is wrong."""
    try:
        rules = rules_of(tournament)
    except RuleSetError as error:
        raise UsageError(str(error)) from None
    for key, value, known in (
        ("kind", tournament.kind, "round-robin"),
        ("partners", tournament.partners, "self"),
        ("time.clock", tournament.time.clock, "wall"),
        ("time.tick_ms", tournament.time.tick_ms, msgspec.UNSET),
    ):
        if value != known:
            expected = "leave it out" if known is msgspec.UNSET else f"only {known!r}"
            raise UsageError(f"{key}: {value!r} can't be played by this version; {expected}")
    size = table_size(tournament, rules)
    if entrants < size:
        raise UsageError(f"bots: {rules.preset} takes {size} at a table, got {entrants}")
    if (tournament.rotations or 1) > size:
        raise UsageError(f"rotations: at most {size} with these rules")


def refuse_unfit(bots: Mapping[str, BotFiles], tournament: Tournament) -> None:
    """Raise `UsageError` for a bot that says that it does not play these rules."""
    for bot in bots.values():
        manifest = bot.manifest
        if manifest.rules is not None and tournament.rules not in manifest.rules:
            raise UsageError(
                f"bot {manifest.name}: plays {', '.join(manifest.rules)}, not {tournament.rules}"
            )


def enter(
    database: Path,
    tournament: Tournament,
    bots: Mapping[str, BotFiles],
    *,
    kind: str,
    master: bytes | None,
    isolation: str,
) -> Entry:
    """Enter a tournament into the database, or find it there to go on with it.

    `bots` by label. `master` None: a secret of its own is drawn. Raises `UsageError` where the
    database has another tournament of that name or with that secret.
    """
    check_tournament(tournament, len(bots))
    refuse_unfit(bots, tournament)
    db = open_for_writing(database)
    try:
        stored = _find(db, tournament, kind, master)
        planned = _planned(tournament, bots)
        if stored is None:
            tournament_id = begin_tournament(
                db,
                tournament=tournament,
                rules=rules_of(tournament),
                kind=kind,
                bots=bots,
                master=master or secrets.token_bytes(MASTER_BYTES),
                practice=master is not None,
                isolation=isolation,
                games_planned=planned,
                rotations=rotations_of(tournament, rules_of(tournament)),
            )
        else:
            tournament_id = stored.id
            _check_same(database, stored, tournament, bots, list(bots_of(db, stored.id)))
            if stored.games_planned < planned:
                extend_tournament(db, stored.id, tournament, planned)
        found = find_tournament(db, id=tournament_id)
        assert found is not None
        return _entry(
            found,
            bots_of(db, tournament_id),
            done_games(db, tournament_id),
            replays(db, tournament_id),
        )
    finally:
        db.close()


def _find(
    db: sqlite_utils.Database, tournament: Tournament, kind: str, master: bytes | None
) -> StoredTournament | None:
    if master is not None:
        return find_tournament(db, master_commitment=hashlib.sha256(master).hexdigest())
    if kind == "play":
        return None
    return find_tournament(db, name=tournament.name, kind=kind)


def _planned(tournament: Tournament, bots: Mapping[str, BotFiles]) -> int:
    games = tournament.matches * rotations_of(tournament, rules_of(tournament))
    return len(pairings(list(bots), tournament)) * games


def _check_same(
    database: Path,
    stored: StoredTournament,
    tournament: Tournament,
    bots: Mapping[str, BotFiles],
    labels: list[str],
) -> None:
    """Refuse to go on with a tournament that was begun with other settings."""
    before = msgspec.structs.asdict(stored.definition)
    now = msgspec.structs.asdict(tournament)
    changed = [key for key in now if key not in _MAY_CHANGE and now[key] != before[key]]
    if labels != list(bots):
        changed.append("bots")
    if changed or stored.definition.matches > tournament.matches:
        key = changed[0] if changed else "matches"
        raise UsageError(
            f"{database}: {stored.name!r} was begun there with another value of {key}; its cards "
            "would be dealt twice: choose another name, seed or database"
        )


_MAY_CHANGE = ("name", "bots", "matches", "workers", "concurrency", "isolation", "chunk_matches")


def _entry(
    stored: StoredTournament,
    bots: Mapping[str, BotFiles],
    done: dict[str, set[GameKey]],
    voided: dict[str, dict[int, int]],
) -> Entry:
    tournament = stored.definition
    rules = rules_of(tournament)
    plan = Plan(
        tournament=None if stored.kind == "play" else stored.name,
        rules=rules,
        overrides=tournament.overrides,
        limits=limits_of(tournament),
        names_hidden=stored.names_hidden,
        rated=stored.rated,
        practice=stored.practice,
        master=bytes.fromhex(stored.master),
        bots={label: prepare(bot) for label, bot in bots.items()},
    )
    meetings = pairings(list(bots), tournament)
    return Entry(stored, plan, meetings, stored.games_planned, done, voided)


def remaining(entry: Entry) -> Iterator[Chunk]:
    """The chunks that are still to be played, every pairing's first before any one's second."""
    lines = [
        chunks(
            entry.stored.definition,
            pairing,
            entry.done.get(pairing_text(pairing), ()),
            entry.voided.get(pairing_text(pairing)),
        )
        for pairing in entry.pairings
    ]
    for row in zip_longest(*lines):
        yield from filter(None, row)


async def run(database: Path, entry: Entry, executor: Executor, progress: Progress) -> None:
    """Play what is missing of a tournament, store it, and close the tournament at its end.

    When cancelled, the games that have ended are stored and the others left for the next run.
    """
    with playing(database, entry.stored.id, entry.stored.name):
        async with open_writer(database, entry.stored.id) as writer:
            report = _reporter(entry, writer, progress)
            while any(True for _ in remaining(entry)):
                await executor.run(entry.plan, remaining(entry), report)
        db = open_for_writing(database)
        try:
            finish_tournament(db, entry.stored.id)
        finally:
            db.close()


def _reporter(entry: Entry, writer: Writer, progress: Progress) -> Report:
    """What takes every event of the executor: counts it once and hands it to the store."""

    async def report(event: FinishedGame | VoidMatch) -> None:
        if isinstance(event, VoidMatch):
            matches = entry.voided.setdefault(pairing_text(event.pairing), {})
            matches[event.key.match] = event.key.replay + 1
            progress.voided += 1
            await writer.put(event)
            return
        record = event.record
        key = GameKey(record.match, record.replay, record.rotation)
        done = entry.done.setdefault(pairing_text(record.pairing), set())
        if key not in done:
            done.add(key)
            await writer.put((record, event.logs))
            progress.played += 1
            progress.on_game(event)

    return report


async def until_stopped(work: Callable[[], Awaitable[None]]) -> bool:
    """Run `work` until it ends or Ctrl-C, SIGTERM or SIGHUP stop it; whether it ended."""
    stopped = False
    async with trio.open_nursery() as nursery:

        async def watch() -> None:
            nonlocal stopped
            async for _ in signals:
                stopped = True
                nursery.cancel_scope.cancel()

        numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        with trio.open_signal_receiver(*numbers) as signals:
            nursery.start_soon(watch)
            await work()
            nursery.cancel_scope.cancel()
    return not stopped
