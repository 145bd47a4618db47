"""Matches in the summary tables: what counts, how it is added and taken away again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence, Sized

import msgspec
import sqlite_utils

from arena.schedule import pairing_text
from arena.store.rows import played_in, to_record
from arena.store.summary import (
    Moments,
    fault_kinds_of,
    meetings_of,
    moments_of,
    outcome_of,
    outcome_text,
    totals_of,
)
from arena.store.tournaments import entrants
from arena.store.values import Row, undamaged
from protocol.records import GameRecord


class MatchKey(msgspec.Struct, frozen=True, order=True):
    """Which match of a tournament, and which replay of it."""

    pairing: str
    """As it stands in the database."""
    match: int
    replay: int


_ADD_MEETING = """
    INSERT INTO meetings (tournament_id, a, b, matches, games, wins, draws)
    VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
    matches = matches + excluded.matches, games = games + excluded.games,
    wins = wins + excluded.wins, draws = draws + excluded.draws
"""
_ADD_FAULTS = """
    INSERT INTO fault_kinds (tournament_id, label, kind, count) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET count = count + excluded.count
"""
SUMMARIES = ("results", "totals", "points", "meetings", "fault_kinds")
"""The tables that are made of the games that count, and can be made again from them."""


class Counter:
    """Counts matches of one tournament, inside a transaction of the caller's."""

    def __init__(
        self,
        db: sqlite_utils.Database,
        tournament_id: int,
        waiting: dict[str, GameRecord] | None = None,
    ) -> None:
        """`waiting`: where stored games wait for the others of their matches, by their ids.

        What is not among them is read from the database, which takes longer.
        """
        self._db = db
        self._id = tournament_id
        self._waiting = waiting
        self._played = played_in(db, tournament_id)
        self._bots = entrants(db, tournament_id)

    def stored(self, match: MatchKey, games: Sequence[GameRecord]) -> None:
        """Note that more games of a match are stored: these. Counts it once it is complete."""
        if self._is_void(match):
            return
        self._note_games(len(games))
        annulled = self._annulled(match)
        if annulled:
            # They were being played when all its games were annulled.
            cause = f"the games of {annulled} are annulled"
            self._void(match, cause, self._rows(match), annulled=True)
        elif self._is_complete(games):
            # All of them came together: what was stored need not be read again.
            self._count(sorted(games, key=lambda game: game.rotation), 1)
        else:
            if self._waiting is not None:
                self._waiting |= {game.game: game for game in games}
            if self._is_complete(rows := self._rows(match)):
                self._count(self._records(rows), 1)

    def again(self, match: MatchKey) -> None:
        """Count a match whose games are stored, as if they had just been."""
        self.stored(match, self._records(self._rows(match)))

    def annul(self, match: MatchKey, cause: str) -> bool:
        """Let a match count no longer; it is not played again. Whether it counted before."""
        rows = self._rows(match)
        counted = self._take_away(match, rows)
        self._void(match, cause, rows, annulled=True)
        return counted

    def void(self, match: MatchKey, cause: str) -> None:
        """Note that the arena failed a match, so that this replay of it does not count."""
        rows = self._rows(match)
        self._take_away(match, rows)
        self._void(match, cause, rows, annulled=False)

    def _take_away(self, match: MatchKey, rows: list[Row]) -> bool:
        """Let a match that counts do so no longer; whether it did."""
        counts = not self._is_void(match) and self._is_complete(rows)
        if counts:
            self._count(self._records(rows), -1)
        return counts

    def _void(self, match: MatchKey, cause: str, rows: list[Row], *, annulled: bool) -> None:
        added = self._db.execute(
            "INSERT OR IGNORE INTO voids (tournament_id, pairing, match, replay, cause, annulled) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            [self._id, match.pairing, match.match, match.replay, cause, annulled],
        )
        if added.rowcount:
            self._note_games(-len(rows))

    def _note_games(self, games: int) -> None:
        self._db.execute(
            "UPDATE tournaments SET games_played = games_played + ? WHERE id = ?",
            [games, self._id],
        )

    def _is_void(self, match: MatchKey) -> bool:
        query = (
            "SELECT 1 FROM voids WHERE tournament_id = ? AND pairing = ? AND match = ? "
            "AND replay = ?"
        )
        values = [self._id, match.pairing, match.match, match.replay]
        return self._db.execute(query, values).fetchone() is not None

    def _rows(self, match: MatchKey) -> list[Row]:
        query = (
            "SELECT * FROM games WHERE tournament_id = ? AND pairing = ? AND match = ? "
            "AND replay = ? ORDER BY rotation"
        )
        values = [self._id, match.pairing, match.match, match.replay]
        return list(self._db.query(query, values))

    def _is_complete(self, games: Sized) -> bool:
        return len(games) == self._played.rotations

    def _records(self, rows: Sequence[Row]) -> list[GameRecord]:
        return [self._record(row) for row in rows]

    def _record(self, row: Row) -> GameRecord:
        if self._waiting and row["game"] in self._waiting:
            return self._waiting.pop(row["game"])
        return to_record(row, self._played, self._bots)

    def _annulled(self, match: MatchKey) -> str | None:
        """Who of its entrants has left so that no game of it counts."""
        labels = match.pairing.split(",")
        gone = (label for label in labels if self._bots[label]["departure"] == "annulled")
        return next(gone, None)

    def _count(self, games: Sequence[GameRecord], sign: int) -> None:
        with undamaged(f"the match of game {games[0].game}"):
            self._add(games, sign)

    def _add(self, games: Sequence[GameRecord], sign: int) -> None:
        self._add_result(games, sign)
        for label, totals in totals_of(games).items():
            self._add_totals(label, {name: sign * n for name, n in vars(totals).items()})
        self._add_meetings(games, sign)
        for (label, kind), count in fault_kinds_of(games).items():
            self._db.execute(_ADD_FAULTS, [self._id, label, kind, sign * count])
        moments = moments_of(games)
        if moments.deals:
            self._add_points(games[0], moments, sign)

    def _add_result(self, games: Sequence[GameRecord], sign: int) -> None:
        first = games[0]
        outcome = outcome_text(outcome_of(games, first.pairing))
        self._db.execute(
            "INSERT INTO results VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT DO UPDATE SET matches = matches + excluded.matches",
            [*self._pairing(first), outcome, sign],
        )

    def _add_meetings(self, games: Sequence[GameRecord], sign: int) -> None:
        for a, b, won, drawn in meetings_of(games):
            counts = [sign * count for count in (1, len(games), won, drawn)]
            self._db.execute(_ADD_MEETING, [self._id, a, b, *counts])

    def _pairing(self, game: GameRecord) -> tuple[int, str, int]:
        """Of which pairing a game is: the same entrants may have several, in one round too."""
        text = pairing_text(game.pairing)
        query = (
            "SELECT coalesce(max(first), 1) FROM pairings WHERE tournament_id = ? "
            "AND pairing = ? AND first <= ?"
        )
        (first,) = self._db.execute(query, [self._id, text, game.match]).fetchone()
        return self._id, text, first

    def _add_totals(self, label: str, totals: Mapping[str, float]) -> None:
        names = ", ".join(totals)
        marks = ", ".join("?" for _ in totals)
        added = ", ".join(f"{name} = {name} + excluded.{name}" for name in totals)
        self._db.execute(
            f"INSERT INTO totals (tournament_id, label, {names}) VALUES (?, ?, {marks}) "
            f"ON CONFLICT DO UPDATE SET {added}",
            [self._id, label, *totals.values()],
        )

    def _add_points(self, game: GameRecord, moments: Moments, sign: int) -> None:
        """Add to the pairing's sums, which are read first: SQLite can't add lists."""
        where = self._pairing(game)
        query = (
            "SELECT matches, sums, products FROM points "
            "WHERE tournament_id = ? AND pairing = ? AND first = ?"
        )
        before = self._db.execute(query, where).fetchone()
        if before:
            moments = _added(moments, sign, json.loads(before[1]), json.loads(before[2]))
        self._db.execute(
            "INSERT OR REPLACE INTO points VALUES (?, ?, ?, ?, ?, ?)",
            [
                *where,
                (before[0] if before else 0) + sign,
                json.dumps(moments.sums),
                json.dumps(moments.products),
            ],
        )


def _added(moments: Moments, sign: int, sums: list[int], products: list[int]) -> Moments:
    return Moments(
        [old + sign * new for old, new in zip(sums, moments.sums, strict=True)],
        [old + sign * new for old, new in zip(products, moments.products, strict=True)],
    )


def recount(db: sqlite_utils.Database, tournament_id: int) -> None:
    """Make a tournament's summary tables again from its games."""
    for table in SUMMARIES:
        db.execute(f"DELETE FROM {table} WHERE tournament_id = ?", [tournament_id])
    db.execute("UPDATE tournaments SET games_played = 0 WHERE id = ?", [tournament_id])
    counter = Counter(db, tournament_id)
    query = "SELECT DISTINCT pairing, match, replay FROM games WHERE tournament_id = ?"
    for pairing, match, replay in db.execute(query, [tournament_id]).fetchall():
        counter.again(MatchKey(pairing, match, replay))
