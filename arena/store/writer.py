"""The one writer: a thread of its own with its own connection, fed by a bounded queue.

A database write on the thread that referees would cost other games' bots their time.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import sqlite_utils
import trio

from arena.errors import Trouble
from arena.schedule import VoidMatch, pairing_text
from arena.store.bot_logs import LogBudget
from arena.store.counting import Counter, MatchKey
from arena.store.events import note_event, of_tournament
from arena.store.rows import to_row
from arena.store.schema import undisturbed, writing
from arena.store.values import Row
from protocol.records import BotLog, GameRecord

BATCH_GAMES = 250
"""The most games of one transaction: more would not be stored faster, and all are in memory."""
BATCH_SECONDS = 0.5
"""How long the first game of a transaction waits for others."""

_MOST_WAITING = 250
"""How many games wait, between transactions, for the others of their matches: 50 KB each."""

Finished = tuple[GameRecord, Sequence[BotLog]]
Item = Finished | VoidMatch


class Writer:
    """Takes finished games of one tournament and stores them, whole transactions at a time."""

    def __init__(self, path: Path, tournament_id: int) -> None:
        self._path = path
        self._tournament_id = tournament_id
        self._queue: queue.Queue[Item | None] = queue.Queue(2 * BATCH_GAMES)
        self._room = trio.Event()
        self._token = trio.lowlevel.current_trio_token()
        self.error: Exception | None = None
        """Why nothing more can be stored."""
        self.stored = 0
        """How many games have been stored for good."""

    async def put(self, item: Item) -> None:
        """Hand over a game or a void match; waits while the queue is full.

        Raises what stopped the writer.
        """
        while True:
            if self.error:
                raise self.error
            try:
                self._queue.put_nowait(item)
            except queue.Full:
                if self._room.is_set():
                    self._room = trio.Event()
                await self._room.wait()
            else:
                return

    def run(self) -> None:
        """Store what comes until None comes; the body of the thread."""
        try:
            with writing(self._path, new=False) as db:
                file = _file_id(self._path)
                waiting: dict[str, GameRecord] = {}
                while batch := self._next_batch():
                    if _file_id(self._path) != file:
                        raise Trouble(f"{self._path}: was moved or deleted while games were played")
                    store_games(db, self._tournament_id, batch, waiting)
                    for game in [*waiting][:-_MOST_WAITING]:
                        del waiting[game]
                    self.stored += len(batch)
                    self._token.run_sync_soon(self._make_room)
        except Exception as error:
            self.error = error
            self._token.run_sync_soon(self._make_room)
            # Whoever still hands over something must not wait for room for ever.
            while self._queue.get() is not None:
                pass

    def _make_room(self) -> None:
        self._room.set()

    def _next_batch(self) -> list[Item]:
        """The games of the next transaction; empty when no more will come."""
        first = self._queue.get()
        if first is None:
            # Left for `run`, which waits for it where closing the database fails.
            self._queue.put(None)
            return []
        batch = [first]
        until = time.monotonic() + BATCH_SECONDS
        while len(batch) < BATCH_GAMES:
            try:
                item = self._queue.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                break
            if item is None:
                self._queue.put(None)
                break
            batch.append(item)
        return batch

    def finish(self) -> None:
        """Say that no more will come."""
        self._queue.put(None)


def _file_id(path: Path) -> tuple[int, int] | None:
    """What tells the file from another of its name; None where there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


@asynccontextmanager
async def open_writer(path: Path, tournament_id: int) -> AsyncIterator[Writer]:
    """A writer for as long as the block runs; at its end all that was put is stored.

    Raises what stopped the writer, if anything did.
    """
    writer = Writer(path, tournament_id)
    thread = threading.Thread(target=writer.run, name="store writer", daemon=True)
    thread.start()
    try:
        yield writer
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(writer.finish)
            await trio.to_thread.run_sync(thread.join)
    if writer.error:
        raise writer.error


def store_games(
    db: sqlite_utils.Database,
    tournament_id: int,
    batch: Sequence[Item],
    waiting: dict[str, GameRecord] | None = None,
) -> None:
    """Store games and void matches with their part of the summaries, all or nothing.

    A game that is known already is ignored. `waiting`: see `Counter`.
    """
    # Whatever it reads first must still hold when it writes: others write too.
    with undisturbed(db):
        counter, budget = Counter(db, tournament_id, waiting), LogBudget(db, tournament_id)
        stored: dict[MatchKey, list[GameRecord]] = {}
        for item in batch:
            if isinstance(item, VoidMatch):
                key = item.key
                match = MatchKey(pairing_text(item.pairing), key.match, key.replay)
                # Before it is void: its games of this batch count among those it takes away.
                if match in stored:
                    counter.stored(match, stored.pop(match))
                counter.void(match, item.cause)
                continue
            record, logs = item
            game_id = _insert(db, to_row(record, tournament_id))
            if game_id is not None:
                for log in logs:
                    budget.store(game_id, record, log)
                match = MatchKey(pairing_text(record.pairing), record.match, record.replay)
                stored.setdefault(match, []).append(record)
        for match, games in stored.items():
            counter.stored(match, games)
        budget.note()
        note_event(db, of_tournament(tournament_id), "games", len(batch))


def _insert(db: sqlite_utils.Database, row: Row) -> int | None:
    """Insert one game; its row's number, None where it is there already."""
    names = ", ".join(f'"{name}"' for name in row)
    marks = ", ".join(f":{name}" for name in row)
    cursor = db.execute(f"INSERT OR IGNORE INTO games ({names}) VALUES ({marks})", row)
    return cursor.lastrowid if cursor.rowcount else None
