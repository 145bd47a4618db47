"""Plays a tournament to its end: stage after stage, until it is over or somebody stops it."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import trio

from arena.executor import Executor
from arena.faults import forfeiters
from arena.play import FinishedGame, Report
from arena.schedule import GameKey, VoidMatch, pairing_text
from arena.standings import refresh
from arena.store import (
    Database,
    Reader,
    StoredTournament,
    Writer,
    finish_tournament,
    note_planned,
    open_writer,
    playing,
    unpause,
    writing,
)
from arena.tournament.draw import next_stage
from arena.tournament.ending import Ending
from arena.tournament.entry import Entry
from arena.tournament.settings import games_at_least, sets_aside
from arena.tournament.stage import Stage

_LOOK_SECONDS = 1.0
"""How often it is looked whether somebody has changed or paused the tournament."""
_MOST_FITTING = 0.02
"""The share of the time that may go into standings while games are played."""


@dataclass
class Progress:
    """How far a tournament is; whoever shows it is told of every game."""

    planned: int = 0
    """Games in all, as far as that is known."""
    done: int = 0
    """Games that are stored and count."""
    played: int = 0
    """Games of this run."""
    round: int | None = None
    """Which round is being played, where there are rounds."""
    is_paused: bool = False
    """Whether somebody has paused the tournament."""
    on_game: Callable[[FinishedGame], None] = field(default=lambda game: None)
    on_stage: Callable[[], None] = field(default=lambda: None)
    """Called when what is planned has changed."""
    on_withdrawal: Callable[[str, str], None] = field(default=lambda label, why: None)
    """Called when an entrant had to leave since it can't be read, with why."""


async def run(
    database: Path,
    entry: Entry,
    executor: Executor,
    progress: Progress,
    until: Ending | None = None,
) -> None:
    """Play what is missing of a tournament, store it, and close the tournament at its end.

    It also ends where `until` says that it is enough. When cancelled or paused, the games that
    have ended are stored and the others left for the next run.
    """
    if entry.stored.finished:
        return
    with playing(database, entry.stored.id, entry.stored.name), writing(database, new=False) as db:
        if (stored := _as_it_is(database, entry.stored.id)).finished:
            # By another process, since this one looked: its secret is published.
            progress.done, progress.planned = stored.games_played, stored.games_planned
            if until:
                until.begin(db, stored)
            return
        unpause(db, entry.stored.id)
        while not (stage := _next_stage(database, db, entry, progress, until)).is_over:
            if until and until.is_enough:
                finish_tournament(db, entry.stored.id)
                break
            if stage.stored.paused:
                # A stage of a few fast games may be over before anybody has looked.
                progress.is_paused = True
                return
            if left := entry.make_ready(database, db):
                for label, why in left.items():
                    progress.on_withdrawal(label, why)
                continue
            plan = entry.plan(stage)
            async with (
                open_writer(database, stage.stored.id) as writer,
                _watched(database, stage, progress) as stop,
            ):
                report = _reporter(stage, writer, progress, until, stop)
                await executor.run(plan, stage.remaining(), report)
            refresh(database, stage.stored.id)
            if progress.is_paused:
                return
        # Who was set aside at the very end counts differently from now on.
        refresh(database, entry.stored.id)


def _next_stage(
    database: Path, db: Database, entry: Entry, progress: Progress, until: Ending | None
) -> Stage:
    stage = next_stage(database, db, entry.stored.id)
    if until:
        until.begin(db, stage.stored)
    _tell(stage, progress)
    if progress.planned != stage.stored.games_planned:
        note_planned(db, stage.stored.id, progress.planned)
    return stage


def _tell(stage: Stage, progress: Progress) -> None:
    """Say how much is to be played in this stage, and at least after it."""
    left = sum(len(chunk.games) for chunk in stage.remaining())
    progress.done = stage.done.count
    definition, rotations = stage.stored.definition, stage.stored.rotations
    least = 0
    if stage.round and not stage.is_over:
        least = games_at_least(definition, stage.entrants, rotations)
    progress.planned = max(progress.done + left, least)
    progress.round = stage.round.number if stage.round else None
    progress.on_stage()


@asynccontextmanager
async def _watched(
    database: Path, stage: Stage, progress: Progress
) -> AsyncIterator[Callable[[], None]]:
    """Look every second whether somebody has changed or paused the tournament; gives its end.

    After a change nothing more of the stage is handed out, so that the next one begins by what
    the tournament has become; a pause ends the games that are going on.
    """

    async def look() -> None:
        fitted, took = trio.current_time(), 0.0
        while True:
            await trio.sleep(_LOOK_SECONDS)
            started = trio.current_time()
            if started - fitted > took / _MOST_FITTING:
                await trio.to_thread.run_sync(refresh, database, stage.stored.id)
                fitted = trio.current_time()
                took = fitted - started
            now = await trio.to_thread.run_sync(_as_it_is, database, stage.stored.id)
            if now.paused:
                progress.is_paused = True
                nursery.cancel_scope.cancel()
            stage.is_stopped = stage.is_stopped or now.revision != stage.stored.revision

    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(look)
            yield nursery.cancel_scope.cancel
            nursery.cancel_scope.cancel()
    except BaseExceptionGroup as group:
        # A nursery wraps even the only exception; its name is what callers catch it by.
        raise group if len(group.exceptions) > 1 else group.exceptions[0] from None


def _as_it_is(database: Path, tournament_id: int) -> StoredTournament:
    with Reader(database) as reader:
        return reader.stored(tournament_id)


def _reporter(
    stage: Stage,
    writer: Writer,
    progress: Progress,
    until: Ending | None,
    stop: Callable[[], None],
) -> Report:
    """What takes every event of the executor: counts it once and hands it to the store."""

    def note(event: FinishedGame | VoidMatch) -> None:
        if until is None:
            return
        until.take(event)
        # After a void match too, so that the next stage begins with it: whether it is enough may
        # depend on it.
        stage.is_stopped |= until.is_enough or isinstance(event, VoidMatch)
        if until.is_enough:
            stop()

    async def report(event: FinishedGame | VoidMatch) -> None:
        if isinstance(event, VoidMatch):
            pairing, key = pairing_text(event.pairing), event.key
            progress.done -= stage.done.void(pairing, key.match, key.replay)
            await writer.put(event)
            note(event)
            return
        record = event.record
        pairing = pairing_text(record.pairing)
        key = GameKey(record.match, record.replay, record.rotation)
        if stage.done.add(pairing, key):
            if sets_aside(stage.stored.kind):
                for label in forfeiters(record):
                    stage.forfeits.note(label, pairing, key)
            await writer.put((record, event.logs))
            progress.played += 1
            progress.done += 1
            progress.on_game(event)
            note(event)

    return report


async def until_stopped(work: Callable[[], Awaitable[None]]) -> bool:
    """Run `work` until it ends or Ctrl-C, SIGTERM or SIGHUP stop it; whether it ended."""
    stopped = False

    async def watch() -> None:
        nonlocal stopped
        async for _ in signals:
            stopped = True
            nursery.cancel_scope.cancel()

    numbers = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as by nohup
        numbers.append(signal.SIGHUP)
    # Around the nursery: work that has nothing to do ends before anybody watches.
    with trio.open_signal_receiver(*numbers) as signals:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watch)
            await work()
            nursery.cancel_scope.cancel()
    return not stopped
