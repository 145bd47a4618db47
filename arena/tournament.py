"""A tournament from its file to its last game: schedule, executor, store; stop and go on."""

from __future__ import annotations

import hashlib
import secrets
import signal
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec
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
    Database,
    StoredTournament,
    Writer,
    begin_tournament,
    bots_of,
    done_games,
    extend_tournament,
    find_tournament,
    finish_tournament,
    note_isolation,
    open_writer,
    playing,
    replays,
    undisturbed,
    writing,
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
    lost: int = 0
    """Of both, those that do not count because the arena failed another game of their match."""
    on_game: Callable[[FinishedGame], None] = field(default=lambda game: None)

    @property
    def done(self) -> int:
        """How many games are stored and count."""
        return self.before + self.played - self.lost


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
    changed: list[str]
    """Bots whose files have changed since it began; it plays them as they were."""

    @property
    def can_go_on(self) -> bool:
        """Whether it is found again: matches of their own are only by their secret."""
        return self.stored.practice or self.stored.kind != "play"

    @property
    def games_done(self) -> int:
        """How many games are stored and count."""
        return sum(
            key.replay == self.voided.get(pairing, {}).get(key.match, 0)
            for pairing, keys in self.done.items()
            for key in keys
        )


class WrongSetting(UsageError):
    """A tournament that can't be played, because of the value of one key."""

    def __init__(self, key: str, message: str) -> None:
        self.key = key
        """As in the tournament file: `time.clock`."""
        super().__init__(f"{key}: {message}")


def check_tournament(tournament: Tournament, entrants: int) -> None:
    """Refuse what can't be played. Raises `WrongSetting` with the key that is wrong."""
    try:
        rules = rules_of(tournament)
    except RuleSetError as error:
        key = "rules" if error.field == "preset" else f"overrides.{error.field}"
        raise WrongSetting(key, error.args[0].partition(": ")[2]) from None
    for key, value, known in (
        ("kind", tournament.kind, "round-robin"),
        ("partners", tournament.partners, "self"),
    ):
        if value != known:
            raise WrongSetting(key, f"{value!r} can't be played by this version; only {known!r}")
    size = table_size(tournament, rules)
    if entrants < size:
        raise WrongSetting("bots", f"{rules.preset} takes {size} at a table, got {entrants}")
    if (tournament.rotations or 1) > size:
        raise WrongSetting("rotations", f"at most {size} with these rules")


def concurrency_of(tournament: Tournament) -> int:
    """How many chunks a worker plays at once: many where turns only wait for a pace."""
    paced = limits_of(tournament).tick_ms is not msgspec.UNSET
    return tournament.concurrency or (_PACED_CONCURRENCY if paced else 1)


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
    database has another tournament of that name or with that secret, `Trouble` where another
    process plays it.
    """
    check_tournament(tournament, len(bots))
    refuse_unfit(bots, tournament)
    where = _where(tournament, kind, master)
    with writing(database) as db:
        if not (where and find_tournament(db, **where)):
            # First: what can't be built must not stand in the database as an entrant.
            for bot in bots.values():
                prepare(bot, isolation)
        with undisturbed(db):
            stored = find_tournament(db, **where) if where else None
            if stored:
                _check_same(database, stored, kind, tournament, bots, bots_of(db, stored.id))
                _check_isolation(stored, isolation)
                note_isolation(db, stored, isolation)
                _extend(db, database, stored, tournament, _planned(tournament, bots))
                tournament_id = stored.id
            else:
                tournament_id = _begin(db, tournament, bots, kind, master, isolation)
        return _entry(db, tournament_id, bots, isolation)


def _begin(
    db: Database,
    tournament: Tournament,
    bots: Mapping[str, BotFiles],
    kind: str,
    master: bytes | None,
    isolation: str,
) -> int:
    rules = rules_of(tournament)
    return begin_tournament(
        db,
        tournament=tournament,
        rules=rules,
        kind=kind,
        bots=bots,
        master=master or secrets.token_bytes(MASTER_BYTES),
        practice=master is not None,
        isolation=isolation,
        games_planned=_planned(tournament, bots),
        rotations=rotations_of(tournament, rules),
    )


def _extend(
    db: Database, database: Path, stored: StoredTournament, tournament: Tournament, planned: int
) -> None:
    """Plan more games where more are wanted."""
    if planned <= stored.games_planned:
        return
    if stored.finished and not stored.practice:
        raise UsageError(
            f"{stored.name!r} is over and its secret published: anybody could know the cards of "
            "further games; choose another name"
        )
    # Whoever plays it would end it, and publish its secret, before these games.
    with playing(database, stored.id, stored.name):
        extend_tournament(db, stored.id, tournament, planned)


def _where(tournament: Tournament, kind: str, master: bytes | None) -> dict[str, Any] | None:
    """What tells a tournament that is to be gone on with; None: never one from before."""
    if master is not None:
        return {"master_commitment": hashlib.sha256(master).hexdigest()}
    if kind == "play":
        return None
    return {"name": tournament.name, "kind": kind, "practice": False}


def _planned(tournament: Tournament, bots: Mapping[str, BotFiles]) -> int:
    games = tournament.matches * rotations_of(tournament, rules_of(tournament))
    return len(pairings(list(bots), tournament)) * games


def _check_same(
    database: Path,
    stored: StoredTournament,
    kind: str,
    tournament: Tournament,
    bots: Mapping[str, BotFiles],
    before: Mapping[str, BotFiles],
) -> None:
    """Refuse to go on with a tournament that was begun with other settings."""
    old = msgspec.structs.asdict(stored.definition)
    new = msgspec.structs.asdict(tournament)
    changed = [key for key in new if key not in _MAY_CHANGE and new[key] != old[key]]
    if stored.kind != kind:
        changed.append("kind")
    # A tournament keeps its bots as they were; whoever plays a few matches means the files given.
    if list(before) != list(bots) or (kind == "play" and _changed(bots, before)):
        changed.append("bots")
    if stored.definition.matches > tournament.matches:
        changed.append("matches")
    if changed:
        raise UsageError(
            f"{database}: {stored.name!r} was begun there with another value of {changed[0]}; its "
            "cards would be dealt twice: choose another name, seed or database"
        )


def _check_isolation(stored: StoredTournament, isolation: str) -> None:
    """Refuse to mix games of isolated and of free bots in one rating."""
    before = stored.isolation.split(", ")
    if stored.rated and isolation not in before and "none" in (isolation, *before):
        raise UsageError(
            f"{stored.name!r} is rated and was begun with isolation {stored.isolation}: it can't "
            f"go on with {isolation}"
        )


def _changed(bots: Mapping[str, BotFiles], before: Mapping[str, BotFiles]) -> list[str]:
    return [label for label, bot in bots.items() if bot.hash != before[label].hash]


_PACED_CONCURRENCY = 32
_MAY_CHANGE = ("name", "bots", "matches", "workers", "concurrency", "isolation", "chunk_matches")


def _entry(
    db: Database, tournament_id: int, given: Mapping[str, BotFiles], isolation: str
) -> Entry:
    stored = find_tournament(db, id=tournament_id)
    assert stored is not None
    tournament, bots = stored.definition, bots_of(db, tournament_id)
    plan = Plan(
        tournament=None if stored.kind == "play" else stored.name,
        rules=rules_of(tournament),
        overrides=tournament.overrides,
        limits=limits_of(tournament),
        names_hidden=stored.names_hidden,
        rated=stored.rated,
        practice=stored.practice,
        think_on_opponents_time=tournament.think_on_opponents_time,
        master=bytes.fromhex(stored.master),
        bots={label: prepare(bot, isolation) for label, bot in bots.items()},
    )
    return Entry(
        stored=stored,
        plan=plan,
        pairings=pairings(list(bots), tournament),
        planned=stored.games_planned,
        done=done_games(db, tournament_id),
        voided=replays(db, tournament_id),
        changed=_changed(given, bots),
    )


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
    if entry.stored.finished:
        return
    with playing(database, entry.stored.id, entry.stored.name):
        entry = _as_it_is_now(database, entry)
        progress.planned, progress.before = entry.planned, entry.games_done
        async with open_writer(database, entry.stored.id) as writer:
            report = _reporter(entry, writer, progress)
            while any(True for _ in remaining(entry)):
                await executor.run(entry.plan, remaining(entry), report)
        with writing(database) as db:
            finish_tournament(db, entry.stored.id)


def _as_it_is_now(database: Path, entry: Entry) -> Entry:
    """The entry with what another process may have played or planned before this one's turn."""
    with writing(database) as db:
        stored = find_tournament(db, id=entry.stored.id)
        assert stored is not None
        return replace(
            entry,
            stored=stored,
            planned=stored.games_planned,
            done=done_games(db, stored.id),
            voided=replays(db, stored.id),
        )


def _reporter(entry: Entry, writer: Writer, progress: Progress) -> Report:
    """What takes every event of the executor: counts it once and hands it to the store."""

    async def report(event: FinishedGame | VoidMatch) -> None:
        if isinstance(event, VoidMatch):
            progress.lost += _void(entry, event)
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


def _void(entry: Entry, event: VoidMatch) -> int:
    """Note that a match is to be played again; returns how many of its games were stored."""
    pairing, match, replay = pairing_text(event.pairing), event.key.match, event.key.replay
    entry.voided.setdefault(pairing, {})[match] = replay + 1
    done = entry.done.get(pairing, set())
    return sum(GameKey(match, replay, r) in done for r in range(entry.stored.rotations))


async def until_stopped(work: Callable[[], Awaitable[None]]) -> bool:
    """Run `work` until it ends or Ctrl-C, SIGTERM or SIGHUP stop it; whether it ended."""
    stopped = False
    async with trio.open_nursery() as nursery:

        async def watch() -> None:
            nonlocal stopped
            async for _ in signals:
                stopped = True
                nursery.cancel_scope.cancel()

        numbers = [signal.SIGINT, signal.SIGTERM]
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as by nohup
            numbers.append(signal.SIGHUP)
        with trio.open_signal_receiver(*numbers) as signals:
            nursery.start_soon(watch)
            await work()
            nursery.cancel_scope.cancel()
    return not stopped
