"""The one writer: a thread of its own with its own connection, fed by a bounded queue.

A database write on the thread that referees would cost other games' bots their time.
"""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path

import sqlite_utils
import trio

from arena.errors import Trouble
from arena.schedule import VoidMatch, pairing_text
from arena.store.rows import Row, to_record, to_row
from arena.store.schema import writing
from arena.store.summary import outcome_of, outcome_text, totals_of
from arena.store.tournaments import entrants, void_match
from protocol.records import BotLog, GameRecord

BATCH_GAMES = 1_000
"""The most games of one transaction."""
BATCH_SECONDS = 0.5
"""How long the first game of a transaction waits for others."""

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
            with writing(self._path) as db:
                file = _file_id(self._path)
                while batch := self._next_batch():
                    if _file_id(self._path) != file:
                        raise Trouble(f"{self._path}: was moved or deleted while games were played")
                    store_games(db, self._tournament_id, batch)
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


def store_games(db: sqlite_utils.Database, tournament_id: int, batch: Sequence[Item]) -> None:
    """Store games and void matches with their part of the summaries, all or nothing.

    A game that is known already is ignored.
    """
    with db.atomic():
        matches: dict[tuple[str, int, int], None] = {}
        for item in batch:
            if isinstance(item, VoidMatch):
                void_match(db, tournament_id, pairing_text(item.pairing), item.key, item.cause)
                continue
            record, logs = item
            if _insert(db, to_row(record, tournament_id), logs):
                matches[pairing_text(record.pairing), record.match, record.replay] = None
        tournament = next(db.query("SELECT * FROM tournaments WHERE id = ?", [tournament_id]))
        bots = entrants(db, tournament_id)
        for match in matches:
            rows = _games_of(db, tournament_id, match)
            if len(rows) == tournament["rotations"]:
                games = [to_record(row, tournament, bots) for row in rows]
                _summarize(db, tournament_id, games)


def _insert(db: sqlite_utils.Database, row: Row, logs: Sequence[BotLog]) -> bool:
    """Insert one game; False where it is there already."""
    names = ", ".join(f'"{name}"' for name in row)
    marks = ", ".join(f":{name}" for name in row)
    cursor = db.execute(f"INSERT OR IGNORE INTO games ({names}) VALUES ({marks})", row)
    if not cursor.rowcount:
        return False
    for log in logs:
        db.table("bot_logs").insert(
            {
                "game_id": cursor.lastrowid,
                "seat": log.seat,
                "stderr": log.stderr,
                "notes": json.dumps(log.notes),
                "logs": json.dumps(log.logs),
            }
        )
    return True


def _games_of(
    db: sqlite_utils.Database, tournament_id: int, match: tuple[str, int, int]
) -> list[Row]:
    query = (
        "SELECT * FROM games WHERE tournament_id = ? AND pairing = ? AND match = ? "
        "AND replay = ? ORDER BY rotation"
    )
    return list(db.query(query, [tournament_id, *match]))


def _summarize(db: sqlite_utils.Database, tournament_id: int, games: Sequence[GameRecord]) -> None:
    """Count a complete match in the summaries."""
    pairing = games[0].pairing
    db.execute(
        "INSERT INTO results VALUES (?, ?, ?, 1) ON CONFLICT DO UPDATE SET matches = matches + 1",
        [tournament_id, pairing_text(pairing), outcome_text(outcome_of(games, pairing))],
    )
    for label, totals in totals_of(games).items():
        _add_totals(db, tournament_id, label, asdict(totals))


def _add_totals(
    db: sqlite_utils.Database, tournament_id: int, label: str, totals: dict[str, float]
) -> None:
    names = ", ".join(totals)
    marks = ", ".join("?" for _ in totals)
    added = ", ".join(f"{name} = {name} + excluded.{name}" for name in totals)
    db.execute(
        f"INSERT INTO totals (tournament_id, label, {names}) VALUES (?, ?, {marks}) "
        f"ON CONFLICT DO UPDATE SET {added}",
        [tournament_id, label, *totals.values()],
    )
