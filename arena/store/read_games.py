"""Queries about games: lists, records, what the bots wrote beside them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec.structs import replace

from arena.errors import UsageError
from arena.replay import ReplayError, with_sides
from arena.store.connection import LARGEST, is_number
from arena.store.game_list import GameFilter, chosen_games
from arena.store.read_tournaments import TournamentQueries
from arena.store.rows import check_winner, played_in, to_record
from arena.store.tournaments import entrants
from arena.store.values import Damaged, Games, Row, only, undamaged, value
from protocol.records import BotLog, GameRecord


class GameRow(msgspec.Struct, frozen=True, kw_only=True):
    """One game in a list of games."""

    id: int
    """Rises in the order of storing; lists are paged by it."""
    game: str
    tournament_id: int
    tournament: str
    pairing: list[str]
    """The entrants."""
    round: int
    match: int
    rotation: int
    replay: int
    seats: list[str]
    """The entrants by seat."""
    scores: list[int]
    """By side."""
    winner: int | None
    reason: str
    faults: int
    started: str
    elapsed_ms: int


_GAMES = """
    SELECT games.id, game, tournament_id, name AS tournament, pairing, round, match, rotation,
           replay, seats, scores, winner, reason, coalesce(json_array_length(faults), 0) AS faults,
           games.started, elapsed_ms
    FROM games JOIN tournaments ON tournaments.id = tournament_id
"""

_IS_PUBLIC = """
    SELECT tournaments.finished IS NOT NULL
        OR (rounds.finished IS NOT NULL AND rounds.master IS NOT NULL)
        OR rotations = (
        SELECT count(*) FROM games AS legs
        WHERE legs.tournament_id = games.tournament_id AND legs.pairing = games.pairing
          AND legs.match = games.match AND legs.replay = games.replay)
        OR EXISTS (
        SELECT 1 FROM voids JOIN entrants USING (tournament_id)
        WHERE voids.tournament_id = games.tournament_id AND voids.pairing = games.pairing
          AND voids.match = games.match AND voids.replay = games.replay AND annulled
          AND departure = 'set aside' AND instr(',' || games.pairing || ',', ',' || label || ','))
    FROM games JOIN tournaments ON tournaments.id = games.tournament_id
    LEFT JOIN rounds ON rounds.tournament_id = games.tournament_id AND number = games.round
    WHERE games.id = ?
"""
"""Whether a game's seed may be known: no other game on its decks is still to end (R29).

An annulled match is never played on. But while it is annulled by an organiser, games of it may be
going on; somebody is set aside only when all games have ended.
"""


_LATEST = 400
"""Games among which matches are looked for that are in play."""


class GameQueries(TournamentQueries):
    """What is known of games."""

    def games(
        self,
        *,
        tournament_id: int | None = None,
        bot: str | None = None,
        faulty: bool = False,
        before: int | None = None,
        limit: int = 50,
    ) -> list[GameRow]:
        """Games, the latest first: those with an id below `before`, at most `limit` of them."""
        index, conditions, values = "", ["1"], dict[str, Any](limit=limit)
        if tournament_id is not None:
            conditions.append("tournament_id = :tournament_id")
            values["tournament_id"] = tournament_id
        if bot is not None:
            conditions.append("instr(',' || pairing || ',', ',' || :bot || ',')")
            values["bot"] = bot
            index = "INDEXED BY games_by_entrants"
        if faulty:
            conditions.append("faults IS NOT NULL")
            index = "INDEXED BY faulty_games"
        if before is not None:
            conditions.append("id < :before")
            values["before"] = min(before, LARGEST)
        # Chosen by an index alone, where there is one: a row of games is a hundred times as large.
        chosen = (
            f"SELECT id FROM games {index} WHERE {' AND '.join(conditions)} "
            "ORDER BY id DESC LIMIT :limit"
        )
        query = f"{_GAMES} WHERE games.id IN ({chosen}) ORDER BY games.id DESC"
        return [_game_row(row) for row in self._db.query(query, values)]

    def seats_at_fault(self, games: Sequence[int]) -> dict[int, list[int]]:
        """The seats with faults of the games with these numbers; only games that have any."""
        numbers = ",".join(map(str, games))
        query = (
            "SELECT DISTINCT games.id, json_extract(value, '$.seat') AS seat "
            f"FROM games, json_each(faults) WHERE games.id IN ({numbers}) ORDER BY games.id, seat"
        )
        found: dict[int, list[int]] = {}
        for game, seat in self._db.execute(query):
            found.setdefault(game, []).append(seat)
        return found

    def games_that_fit(
        self, wanted: GameFilter, before: int | None = None, limit: int = 50
    ) -> tuple[list[GameRow], int | None]:
        """Games, the latest first, and the number below which to go on; see `chosen_games`."""
        chosen = chosen_games(self._db, wanted, before, limit)
        numbers = ",".join(map(str, chosen.ids))
        query = f"{_GAMES} WHERE games.id IN ({numbers}) ORDER BY games.id DESC"
        return [_game_row(row) for row in self._db.query(query)], chosen.older

    def on_its_decks(self, game: str) -> tuple[int, int]:
        """How many games on the decks of a game are over, itself among them, of how many."""
        row = self._find_game(game)
        query = (
            "SELECT count(*), rotations FROM games JOIN tournaments "
            "ON tournaments.id = tournament_id WHERE tournament_id = :tournament_id "
            "AND pairing = :pairing AND match = :match AND replay = :replay"
        )
        over = self._db.execute(query, row).fetchone()
        return only(tuple[int, Games], over, "games or its row of tournaments")

    def matches_in_play(self, tournament_id: int, limit: int) -> list[list[GameRow]]:
        """The matches some of whose games are over and others not, the latest first.

        Of each the games that are over; looked for among the latest games, and only so many.
        """
        query = """
            SELECT latest.pairing, latest.match, latest.replay, max(latest.id) AS last,
                   (SELECT count(*) FROM games AS legs WHERE legs.tournament_id = :tournament_id
                    AND legs.pairing = latest.pairing AND legs.match = latest.match
                    AND legs.replay = latest.replay) AS over
            FROM (SELECT id, tournament_id, pairing, match, replay FROM games
                  WHERE tournament_id = :tournament_id ORDER BY id DESC LIMIT :latest) AS latest
            LEFT JOIN voids USING (tournament_id, pairing, match, replay)
            WHERE cause IS NULL GROUP BY latest.pairing, latest.match, latest.replay
            HAVING over < (SELECT rotations FROM tournaments WHERE id = :tournament_id)
            ORDER BY last DESC LIMIT :limit
        """
        values = {"tournament_id": tournament_id, "latest": _LATEST, "limit": limit}
        found = list(self._db.query(query, values))
        return [self._legs(row | {"tournament_id": tournament_id}) for row in found]

    def games_on_its_decks(self, game: str) -> list[GameRow]:
        """The games on the decks of a game that are over, itself among them, in their order."""
        return self._legs(self._find_game(game))

    def _legs(self, match: Row) -> list[GameRow]:
        query = (
            f"{_GAMES} WHERE tournament_id = :tournament_id AND pairing = :pairing "
            "AND match = :match AND replay = :replay ORDER BY rotation"
        )
        return [_game_row(row) for row in self._db.query(query, match)]

    def game(self, game: str) -> GameRecord:
        """The record of a game, by its id, the beginning of its id, or its number.

        Seed and salt are left out while they may not be known. Raises `UsageError`.
        """
        row = self._find_game(game)
        return self._records(row["tournament_id"], _labels(row))(row)

    def game_row(self, game: str) -> GameRow:
        """One game's line of the list, named as for `game`. Raises `UsageError`."""
        row = self._find_game(game)
        for found in self._db.query(f"{_GAMES} WHERE games.id = ?", [row["id"]]):
            return _game_row(found)
        raise Damaged(f"row {row['tournament_id']} of tournaments is missing in the database")

    def _find_game(self, game: str) -> Row:
        rows: list[Row] = []
        if is_number(game):
            rows = list(self._db.query("SELECT * FROM games WHERE id = ?", [int(game)]))
        if not rows and game.isalnum():
            # A range, for the index: ids are letters and digits, all of them below `~`.
            query = "SELECT * FROM games WHERE game >= :id AND game < :id || '~' LIMIT 2"
            rows = list(self._db.query(query, {"id": game.lower()}))
        if not rows:
            raise UsageError(f"{self.path}: no game {game!r} in it")
        if len(rows) > 1:
            raise UsageError(f"{self.path}: several games begin with {game!r}; give more of it")
        return rows[0]

    def _records(
        self, tournament_id: int, labels: Sequence[str] | None = None
    ) -> Callable[[Row], GameRecord]:
        """What makes rows of a tournament's games records, as they may be shown.

        `labels`: of whom they all are, where that is known.
        """
        played = played_in(self._db, tournament_id)
        bots = entrants(self._db, tournament_id, labels)
        own = {
            each.number: replace(played, master_commitment=each.master_commitment)
            for each in self.rounds(tournament_id)
            if each.master_commitment
        }

        def to_show(row: Row) -> GameRecord:
            return self._shown(row, to_record(row, own.get(row["round"], played), bots))

        return to_show

    def _shown(self, row: Row, record: GameRecord) -> GameRecord:
        # A record that does not follow from its seed is left as it is: verify says what is wrong.
        with suppress(ReplayError):
            record = with_sides(record)
        is_public = bool(self._db.execute(_IS_PUBLIC, [row["id"]]).fetchone()[0])
        if is_public:
            return record
        # The plays of one game tell the cards of the others on its decks.
        return replace(record, seed="", salt="", deals=[])

    def records(self, tournament_id: int, canonical: bool = False) -> Iterator[GameRecord]:
        """Every game of a tournament, one at a time: as stored, or by pairing, match and rotation.

        The latter leaves out games of matches that do not count: which of them were played is
        chance. That order is an index's: nothing has to be sorted. Raises `Damaged`.
        """
        for found in self.records_or_damage(tournament_id, canonical):
            if isinstance(found, Damaged):
                raise found
            yield found

    def records_or_damage(
        self, tournament_id: int, canonical: bool = False
    ) -> Iterator[GameRecord | Damaged]:
        """The same, with what is wrong in place of a game whose row is damaged."""
        query = "SELECT * FROM games WHERE tournament_id = ? ORDER BY id"
        if canonical:
            query = (
                "SELECT games.* FROM games LEFT JOIN voids USING "
                "(tournament_id, pairing, match, replay) WHERE tournament_id = ? "
                "AND cause IS NULL ORDER BY pairing, match, replay, rotation"
            )
        to_show = self._records(tournament_id)
        for row in self._db.query(query, [tournament_id]):
            try:
                yield to_show(row)
            except Damaged as error:
                yield error.of(self.path)

    def logs(self, game: str) -> list[BotLog]:
        """What the bots of a game wrote beside their plays."""
        row = self._find_game(game)
        query = "SELECT * FROM bot_logs WHERE game_id = ? ORDER BY seat"
        return [
            value(BotLog, log | {"game": row["game"]}, "bot_logs", "notes", "logs", key="game_id")
            for log in self._db.query(query, [row["id"]])
        ]


def _labels(row: Row) -> list[str]:
    with undamaged(f"row {row['id']} of games"):
        return str.split(row["pairing"], ",")


def _game_row(row: Row) -> GameRow:
    with undamaged(f"row {row['id']} of games"):
        changed = {
            "pairing": _labels(row),
            "seats": [seat["bot"] for seat in json.loads(row["seats"])],
        }
        found = value(GameRow, row | changed, "games", "scores")
        check_winner(found.winner, len(found.scores), len(found.seats))
        return found
