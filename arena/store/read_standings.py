"""Queries about strength: who did what against whom, and how ratings came to be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

import msgspec

from arena.store.history import RatingPoint, Snapshot, history_of, last_snapshot
from arena.store.read_tournaments import (
    PointsRow,
    ResultRow,
    TournamentQueries,
    points_rows,
    result_rows,
)
from arena.store.values import Damaged, blob, only, tuples, undamaged


class Meeting(msgspec.Struct, frozen=True):
    """All that two entrants made of their complete matches with each other."""

    a: str
    b: str
    matches: int
    games: int
    wins: int
    """Games in which the first one did better."""
    draws: int

    @property
    def losses(self) -> int:
        """Games in which the second one did better."""
        return self.games - self.wins - self.draws

    @property
    def score(self) -> float:
        """Games won by the first one, draws counting one half."""
        return self.wins + self.draws / 2

    def turned(self) -> Meeting:
        """The same from the other one's side."""
        return Meeting(self.b, self.a, self.matches, self.games, self.losses, self.draws)


class PlayedGame(msgspec.Struct, frozen=True):
    """A game in the order of storing, as far as ratings need it."""

    id: int
    pairing: str
    match: int
    replay: int
    game: str
    seats: list[str]
    """The entrants by seat."""
    scores: list[int]
    """By side."""
    ranks: list[int]
    """By side."""


class Pace(msgspec.Struct, frozen=True):
    """How fast a tournament was played lately."""

    games: int
    first: str | None
    """When the first of these games began."""
    last: str | None
    """When the last of them began."""

    @property
    def seconds_a_game(self) -> float | None:
        """From one game's beginning to the next one's; None where that can't be told."""
        if self.first is None or self.last is None or self.games < 2:
            return None
        with undamaged("a row of games"):
            took = datetime.fromisoformat(self.last) - datetime.fromisoformat(self.first)
        return took.total_seconds() / (self.games - 1)


class _Seat(msgspec.Struct):
    bot: str


_seats = msgspec.json.Decoder(list[_Seat]).decode
_numbers = msgspec.json.Decoder(list[int]).decode
_PLAYED = "SELECT games.id, pairing, match, replay, game, seats, scores, ranks FROM games"


class StandingsQueries(TournamentQueries):
    """What is known of the strength of entrants."""

    def meetings(self, tournament_id: int, label: str | None = None) -> list[Meeting]:
        """Every two entrants that met, the first in the alphabet first; or those of one, its own
        side first."""
        columns = "SELECT a, b, matches, games, wins, draws FROM meetings"
        where = "WHERE tournament_id = ? AND games"
        if label is None:
            rows = self._db.execute(f"{columns} {where}", [tournament_id])
            return _meetings(rows)
        first = self._db.execute(f"{columns} {where} AND a = ?", [tournament_id, label])
        # Left to itself SQLite reads all meetings of the tournament.
        index = "INDEXED BY meetings_of_second"
        second = self._db.execute(f"{columns} {index} {where} AND b = ?", [tournament_id, label])
        return [*_meetings(first), *(meeting.turned() for meeting in _meetings(second))]

    def meeting(self, tournament_id: int, a: str, b: str) -> Meeting | None:
        """What the first of two made of their matches; None where they never met."""
        first, second = sorted((a, b))
        query = (
            "SELECT a, b, matches, games, wins, draws FROM meetings "
            "WHERE tournament_id = ? AND a = ? AND b = ? AND games"
        )
        found = _meetings(self._db.execute(query, [tournament_id, first, second]))
        if not found:
            return None
        return found[0] if a == first else found[0].turned()

    def fault_kinds(self, tournament_id: int) -> dict[str, dict[str, int]]:
        """How many faults of which kind, by label, in complete matches."""
        query = (
            "SELECT label, kind, count FROM fault_kinds WHERE tournament_id = ? AND count "
            "ORDER BY label, count DESC, kind"
        )
        found: dict[str, dict[str, int]] = {}
        rows = self._db.execute(query, [tournament_id])
        for label, kind, count in tuples(tuple[str, str, int], rows, "fault_kinds"):
            found.setdefault(label, {})[kind] = count
        return found

    def kseris(self, tournament_id: int) -> dict[str, float]:
        """Kseris a deal by label, in deals of games that nobody forfeited."""
        query = (
            "SELECT label, kseris * 1.0 / deals FROM totals WHERE tournament_id = ? AND deals > 0"
        )
        rows = self._db.execute(query, [tournament_id])
        return dict(tuples(tuple[str, float], rows, "totals"))

    def last_snapshot(self, tournament_id: int) -> tuple[int, Snapshot | None]:
        """See the function of that name."""
        return last_snapshot(self._db, tournament_id)

    def rating_history(
        self, tournament_id: int, places: Sequence[int]
    ) -> list[tuple[int, list[RatingPoint | None]]]:
        """See `history_of`."""
        return history_of(self._db, tournament_id, places)

    def kept_win_shares(self, tournament_id: int) -> bytes | None:
        """Shares of wins that were kept when luck was measured; None where it never was."""
        query = "SELECT data FROM win_shares WHERE tournament_id = ?"
        row = self._db.execute(query, [tournament_id]).fetchone()
        return None if row is None else blob(row[0], f"row {tournament_id} of win_shares")

    def last_game(self, tournament_id: int) -> int:
        """The number of the last game that was stored of a tournament; 0 for none."""
        query = "SELECT max(id) FROM games WHERE tournament_id = ?"
        return int(self._db.execute(query, [tournament_id]).fetchone()[0] or 0)

    def played_since(self, tournament_id: int, after: int) -> Iterator[list[PlayedGame]]:
        """The matches that became complete after a game, in that order, without void ones."""
        query = f"""
            {_PLAYED} LEFT JOIN voids USING (tournament_id, pairing, match, replay)
            WHERE tournament_id = ? AND games.id > ? AND cause IS NULL ORDER BY games.id
        """
        rotations = self.rotations(tournament_id)
        begun: dict[tuple[str, int, int], list[PlayedGame]] = {}
        for row in self._db.execute(query, [tournament_id, after]):
            key = row[1:4]
            if key not in begun:
                begun[key] = self._before(tournament_id, key, after) if after else []
            begun[key].append(_played(row))
            if len(begun[key]) == rotations:
                yield begun.pop(key)

    def _before(self, tournament_id: int, key: tuple[str, int, int], last: int) -> list[PlayedGame]:
        """The games of a match up to that one."""
        # The plus keeps SQLite from going through all games up to that one to find the match.
        query = (
            f"{_PLAYED} WHERE tournament_id = ? AND pairing = ? AND match = ? AND replay = ? "
            "AND +id <= ?"
        )
        return [_played(row) for row in self._db.execute(query, [tournament_id, *key, last])]

    def played_between(self, tournament_id: int, a: str, b: str, limit: int) -> list[PlayedGame]:
        """The games of two that count or are to be completed, their latest matches first."""
        found: list[PlayedGame] = []
        for pairing in self._pairings_with(tournament_id, a, b):
            query = f"""
                {_PLAYED} LEFT JOIN voids USING (tournament_id, pairing, match, replay)
                WHERE tournament_id = ? AND pairing = ? AND cause IS NULL
                ORDER BY match DESC, replay DESC, rotation DESC LIMIT ?
            """
            found += map(_played, self._db.execute(query, [tournament_id, pairing, limit]))
        return sorted(found, key=lambda game: (game.match, game.id), reverse=True)[:limit]

    def results_between(self, tournament_id: int, a: str, b: str) -> list[ResultRow]:
        """The outcomes of the complete matches that both were in."""
        query = (
            "SELECT pairing, outcome, sum(matches) FROM results WHERE tournament_id = ? "
            "AND pairing = ? GROUP BY outcome HAVING sum(matches)"
        )
        return [
            result
            for pairing in self._pairings_with(tournament_id, a, b)
            for result in result_rows(self._db.execute(query, [tournament_id, pairing]))
        ]

    def points_between(self, tournament_id: int, a: str, b: str) -> list[PointsRow]:
        """What the matches that both were in add up to for points a deal."""
        query = (
            "SELECT pairing, matches, sums, products FROM points WHERE tournament_id = ? "
            "AND pairing = ? AND matches"
        )
        return [
            points
            for pairing in self._pairings_with(tournament_id, a, b)
            for points in points_rows(self._db.execute(query, [tournament_id, pairing]))
        ]

    def _pairings_with(self, tournament_id: int, a: str, b: str) -> list[str]:
        """The pairings that both are in; of two at a table there is one."""
        query = "SELECT pairing FROM results WHERE tournament_id = ? LIMIT 1"
        some = self._db.execute(query, [tournament_id]).fetchone()
        if some is None or str(some[0]).count(",") == 1:
            return [",".join(sorted((a, b)))]
        query = (
            "SELECT DISTINCT pairing FROM results WHERE tournament_id = ? "
            "AND instr(',' || pairing || ',', ',' || ? || ',') "
            "AND instr(',' || pairing || ',', ',' || ? || ',')"
        )
        return [str(pairing) for (pairing,) in self._db.execute(query, [tournament_id, a, b])]

    def pace(self, tournament_id: int, games: int = 500) -> Pace:
        """When the latest so many games of a tournament began."""
        query = (
            "SELECT count(*), min(started), max(started) FROM (SELECT started FROM games "
            "WHERE tournament_id = ? ORDER BY id DESC LIMIT ?)"
        )
        row = self._db.execute(query, [tournament_id, games]).fetchone()
        return Pace(*only(tuple[int, str | None, str | None], row, "games"))


_Game = tuple[int, str, int, int, str, str, str, str]


def _meetings(rows: Iterable[tuple[Any, ...]]) -> list[Meeting]:
    found = tuples(tuple[str, str, int, int, int, int], rows, "meetings")
    meetings = [Meeting(*row) for row in found]
    for each in meetings:
        if not 0 <= each.wins + each.draws <= each.games:
            raise Damaged(f"the row of meetings of {each.a} and {each.b} contradicts itself")
    return meetings


def _played(row: tuple[Any, ...]) -> PlayedGame:
    with undamaged(f"row {row[0]} of games"):
        number, pairing, match, replay, game, seats, scores, ranks = msgspec.convert(row, _Game)
        labels = [seat.bot for seat in _seats(seats)]
        return PlayedGame(
            number, pairing, match, replay, game, labels, _numbers(scores), _numbers(ranks)
        )
