"""What bots write beside their plays, stored within a budget: a bot may write with every game."""

from __future__ import annotations

import functools
import json

import msgspec
import sqlite_utils

from protocol.records import BotLog, GameRecord

BUDGET_BYTES = 64 * 1024 * 1024
"""What is kept of one entrant in one tournament; after that only the end of what explains a fault.

A game may have some 300 KB of it, a hundred times of what the game itself takes.
"""
_EXPLAINS_CHARS = 4_096


class LogBudget:
    """How much of what a tournament's bots wrote is stored, while a transaction adds to it."""

    def __init__(self, db: sqlite_utils.Database, tournament_id: int) -> None:
        self._db, self._tournament_id = db, tournament_id
        self._changed: set[str] = set()

    @functools.cached_property
    def _used(self) -> dict[str, int]:
        """Bytes by label; most transactions have no logs and do without."""
        query = "SELECT label, bytes FROM log_sizes WHERE tournament_id = ?"
        return dict(self._db.execute(query, [self._tournament_id]))

    def store(self, game_id: int, record: GameRecord, log: BotLog) -> None:
        """Store what one seat wrote in a game, as far as there is room for it."""
        label = record.seats[log.seat].bot
        notes, logs = json.dumps(log.notes), json.dumps(log.logs)
        size = len(log.stderr.encode()) + len(notes) + len(logs)
        used = self._used.get(label, 0)
        if used + size > BUDGET_BYTES:
            if not any(fault.seat == log.seat for fault in record.faults):
                return
            log = msgspec.structs.replace(log, stderr=log.stderr[-_EXPLAINS_CHARS:])
            notes, logs = "{}", "[]"
            size = len(log.stderr.encode())
        row = {"game_id": game_id, "seat": log.seat, "stderr": log.stderr}
        self._db.table("bot_logs").insert({**row, "notes": notes, "logs": logs})
        self._used[label] = used + size
        self._changed.add(label)

    def note(self) -> None:
        """Write down how much is stored now."""
        for label in self._changed:
            self._db.execute(
                "INSERT OR REPLACE INTO log_sizes VALUES (?, ?, ?)",
                [self._tournament_id, label, self._used[label]],
            )
