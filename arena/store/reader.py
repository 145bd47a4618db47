"""Named read-only queries: what commands and pages ask of the database."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from arena.bots import BotFiles
from arena.errors import UsageError
from arena.pairing import Met, Pairing
from arena.replay import ReplayError, with_sides
from arena.schedule import MOST_REPLAYS
from arena.store.entrants import AuditRow, Entrant, audit_of, entrants_of
from arena.store.luck import LuckRow, luck_rows, without_luck
from arena.store.rounds import Round, met_in, pairings_of, rounds_of
from arena.store.rows import Row, to_record, undamaged
from arena.store.schema import open_for_reading, translated
from arena.store.submissions import (
    Submission,
    files_of,
    known_submission,
    submissions,
    versions,
)
from arena.store.tournaments import (
    StoredTournament,
    entrants,
    find_tournament,
    latest_tournament,
)
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


class TournamentRow(msgspec.Struct, frozen=True, kw_only=True):
    """One tournament in a list of tournaments."""

    id: int
    name: str
    kind: str
    rules: str
    rated: bool
    practice: bool
    isolation: str
    entrants: int
    games_planned: int
    games_played: int
    started: str
    finished: str | None


class TotalsRow(msgspec.Struct, frozen=True, kw_only=True):
    """What one entrant made of its complete matches."""

    label: str
    name: str
    version: str
    hash: str
    matches: int = 0
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0
    faults: int = 0
    deals: int = 0
    points_for: float = 0.0
    points_against: float = 0.0
    plays: int = 0
    overruns: int = 0
    elapsed_us: int = 0


class ResultRow(msgspec.Struct, frozen=True):
    """How often the matches of a pairing ended in one way."""

    pairing: list[str]
    outcome: list[float | None]
    """The score of every pair of entrants, of the first: (0, 1), (0, 2) …; None for partners."""
    matches: int


class PointsRow(msgspec.Struct, frozen=True):
    """What the matches of a pairing add up to for points a deal; see `Moments`."""

    pairing: list[str]
    matches: int
    sums: list[int]
    products: list[int]


class AppearanceRow(msgspec.Struct, frozen=True, kw_only=True):
    """One tournament that a bot is entered in, and what it made of its complete matches."""

    tournament_id: int
    tournament: str
    kind: str
    label: str
    games: int
    wins: int
    draws: int
    losses: int
    faults: int
    forfeits: int


_GAMES = """
    SELECT games.id, game, tournament_id, name AS tournament, pairing, round, match, rotation,
           replay, seats, scores, winner, reason, coalesce(json_array_length(faults), 0) AS faults,
           games.started, elapsed_ms
    FROM games JOIN tournaments ON tournaments.id = tournament_id
"""

_TOURNAMENTS = """
    SELECT id, name, kind, json_extract(rules, '$.preset') AS rules, rated, practice,
           isolation, games_planned, games_played, started, finished,
           (SELECT count(*) FROM entrants WHERE tournament_id = t.id) AS entrants
    FROM tournaments AS t
"""

_LARGEST = 2**63 - 1
"""The largest integer that SQLite takes."""

_IS_PUBLIC = """
    SELECT finished IS NOT NULL OR rotations = (
        SELECT count(*) FROM games AS legs
        WHERE legs.tournament_id = games.tournament_id AND legs.pairing = games.pairing
          AND legs.match = games.match AND legs.replay = games.replay)
    FROM games JOIN tournaments ON tournaments.id = tournament_id WHERE games.id = ?
"""
"""Whether a game's seed may be known: no other game on its decks is still to end (R29)."""


class Reader:
    """Read-only access to a database; raises like `open_for_reading`.

    As a context manager it turns SQLite's errors inside the block into ours.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db = open_for_reading(path)

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        self.close()
        if isinstance(error, sqlite3.Error):
            raise translated(error, self.path) from error

    # Tournaments

    def tournaments(self) -> list[TournamentRow]:
        """All tournaments, the latest first."""
        query = f"{_TOURNAMENTS} ORDER BY id DESC"
        return [_tournament_row(row) for row in self._db.query(query)]

    def tournament_row(self, tournament_id: int) -> TournamentRow:
        """One tournament's line of the list, by its number. Raises `UsageError`."""
        query = f"{_TOURNAMENTS} WHERE id = ?"
        for row in self._db.query(query, [min(tournament_id, _LARGEST)]):
            return _tournament_row(row)
        raise UsageError(f"{self.path}: no tournament {tournament_id} in it")

    def rotations(self, tournament_id: int) -> int:
        """How many games a match of this tournament has."""
        query = "SELECT rotations FROM tournaments WHERE id = ?"
        return int(self._db.execute(query, [tournament_id]).fetchone()[0])

    def tournament(self, name: str | None = None) -> StoredTournament:
        """The tournament of that name or number; None or `latest`: the latest one from a file.

        Where there is none from a file, the latest games of any kind. Raises `UsageError`.
        """
        found = None
        if name is not None:
            found = find_tournament(self._db, name=name)
            if found is None and _is_number(name):
                found = find_tournament(self._db, id=int(name))
        if found is None and name in (None, "latest"):
            found = latest_tournament(self._db)
        if found is None:
            known = ", ".join(f"{row.id} {row.name!r}" for row in self.tournaments()[:10])
            what = f"no tournament {name!r}" if name else "no tournament"
            raise UsageError(f"{self.path}: {what} in it; it has {known or 'none'}")
        return found

    def stored(self, tournament_id: int) -> StoredTournament:
        """The tournament of that number, which is there."""
        found = find_tournament(self._db, id=tournament_id)
        assert found is not None
        return found

    def entrants(self, tournament_id: int) -> list[Entrant]:
        """Everybody who is or was in a tournament, in the order of entering."""
        return entrants_of(self._db, tournament_id)

    def rounds(self, tournament_id: int) -> list[Round]:
        """The rounds that have begun; none for kinds that don't play in rounds."""
        return rounds_of(self._db, tournament_id)

    def pairings(self, tournament_id: int) -> list[Pairing]:
        """The pairings of all rounds that have begun."""
        return pairings_of(self._db, tournament_id)

    def met(self, tournament_id: int) -> list[Met]:
        """What came of the pairings of two of all rounds that have begun."""
        rotations = self.rotations(tournament_id)
        return met_in(self._db, tournament_id, self.pairings(tournament_id), rotations)

    def audit(self, tournament_id: int) -> list[AuditRow]:
        """What was decided about a tournament, the oldest first."""
        return audit_of(self._db, tournament_id)

    def totals(self, tournament_id: int) -> list[TotalsRow]:
        """Every entrant of a tournament with what it made of its complete matches."""
        query = """
            SELECT entrants.label, bots.name, bots.version, bots.hash, totals.*
            FROM entrants JOIN bots ON bots.hash = bot_hash
            LEFT JOIN totals ON totals.tournament_id = entrants.tournament_id
                            AND totals.label = entrants.label
            WHERE entrants.tournament_id = ? ORDER BY place
        """
        columns = TotalsRow.__struct_fields__
        found = []
        for row in self._db.execute(query, [tournament_id]):
            label, name, version, digest, _, _, *rest = row
            counts = {n: v for n, v in zip(columns[4:], rest, strict=True) if v is not None}
            found.append(TotalsRow(label=label, name=name, version=version, hash=digest, **counts))
        return found

    def results(self, tournament_id: int) -> list[ResultRow]:
        """The outcomes of all complete matches that count, for ratings."""
        query = (
            "SELECT pairing, outcome, sum(matches) FROM results WHERE tournament_id = ? "
            "GROUP BY pairing, outcome HAVING sum(matches)"
        )
        return [
            ResultRow(pairing.split(","), json.loads(outcome), matches)
            for pairing, outcome, matches in self._db.execute(query, [tournament_id])
        ]

    def points(self, tournament_id: int) -> list[PointsRow]:
        """What all matches that count add up to for points a deal, by pairing and round."""
        query = (
            "SELECT pairing, matches, sums, products FROM points WHERE tournament_id = ? "
            "AND matches"
        )
        return [
            PointsRow(pairing.split(","), matches, json.loads(sums), json.loads(products))
            for pairing, matches, sums, products in self._db.execute(query, [tournament_id])
        ]

    def kept_standings(self, tournament_id: int) -> bytes | None:
        """Standings that were kept, of now or of earlier; None where there are none."""
        query = "SELECT data FROM standings WHERE tournament_id = ?"
        row = self._db.execute(query, [tournament_id]).fetchone()
        return None if row is None else bytes(row[0])

    def unplayed(self, tournament_id: int) -> int:
        """How many matches the arena failed too often to be played again."""
        query = (
            "SELECT count(*) FROM voids WHERE tournament_id = ? AND replay >= ? AND NOT annulled"
        )
        return int(self._db.execute(query, [tournament_id, MOST_REPLAYS]).fetchone()[0])

    def without_luck(self, tournament_id: int, baseline: int) -> list[int]:
        """See the function of that name."""
        return without_luck(self._db, tournament_id, baseline)

    def luck(self, tournament_id: int, baseline: int) -> Iterator[LuckRow]:
        """The games that count and whose luck is known, match by match."""
        return luck_rows(self._db, tournament_id, baseline)

    # Bots

    def submissions(self) -> list[Submission]:
        """All versions of all submitted bots, by name, the newest first."""
        return submissions(self._db)

    def submission(self, name: str, version: str | None = None) -> Submission:
        """That version of a submitted bot, retired or not; None: the newest not retired, if any.

        Raises `UsageError`.
        """
        found = versions(self._db, name, version)
        if not found:
            known = dict.fromkeys(row.name for row in submissions(self._db))
            asked = f"{name}@{version}" if version else name
            raise UsageError(
                f"{self.path}: no submitted bot {asked!r} in it; it has "
                f"{', '.join(known) or 'none'}"
            )
        return next((row for row in found if not row.retired), found[0])

    def known_submission(self, bot: BotFiles) -> Submission | None:
        """See the function of that name."""
        return known_submission(self._db, bot)

    def entered(self, name: str, version: str | None, tournament: str | None) -> BotFiles | None:
        """The files of the newest version that may be entered by name; None if there is none.

        A retired one may in a tournament of that name that it is in already, to go on with it.
        """
        for row in versions(self._db, name, version):
            if not row.retired or self._plays_in(row.hash, tournament):
                return files_of(self._db, row.hash)
        return None

    def _plays_in(self, digest: str, tournament: str | None) -> bool:
        return any(row.tournament == tournament for row in self.appearances(digest))

    def bot_files(self, digest: str) -> BotFiles:
        """The files of a bot that the database has, by their hash."""
        return files_of(self._db, digest)

    def appearances(self, digest: str) -> list[AppearanceRow]:
        """The tournaments that a bot of this hash is entered in, the latest first."""
        query = """
            SELECT tournaments.id AS tournament_id, tournaments.name AS tournament, kind,
                   entrants.label, coalesce(games, 0) AS games, coalesce(wins, 0) AS wins,
                   coalesce(draws, 0) AS draws, coalesce(losses, 0) AS losses,
                   coalesce(faults, 0) AS faults, coalesce(forfeits, 0) AS forfeits
            FROM entrants JOIN tournaments ON tournaments.id = entrants.tournament_id
            LEFT JOIN totals ON totals.tournament_id = entrants.tournament_id
                            AND totals.label = entrants.label
            WHERE bot_hash = ? ORDER BY tournaments.id DESC, place
        """
        return [AppearanceRow(**row) for row in self._db.query(query, [digest])]

    def thinking_us(self, digest: str) -> float | None:
        """The mean time of a play of a bot of this hash, in all tournaments; None: no plays."""
        query = (
            "SELECT sum(elapsed_us) * 1.0 / sum(plays) FROM totals JOIN entrants "
            "USING (tournament_id, label) WHERE bot_hash = ?"
        )
        (mean,) = self._db.execute(query, [digest]).fetchone()
        return None if mean is None else float(mean)

    # Games

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
        conditions, values = ["1"], dict[str, Any](limit=limit)
        if tournament_id is not None:
            conditions.append("tournament_id = :tournament_id")
            values["tournament_id"] = tournament_id
        if bot is not None:
            conditions.append("instr(',' || pairing || ',', ',' || :bot || ',')")
            values["bot"] = bot
        if faulty:
            conditions.append("faults IS NOT NULL")
        if before is not None:
            conditions.append("games.id < :before")
            values["before"] = min(before, _LARGEST)
        query = f"{_GAMES} WHERE {' AND '.join(conditions)} ORDER BY games.id DESC LIMIT :limit"
        return [_game_row(row) for row in self._db.query(query, values)]

    def games_since(self, tournament_id: int, seconds: int) -> int:
        """How many games of a tournament began in the last so many seconds; at most 10,000."""
        query = (
            "SELECT count(*) FROM (SELECT started FROM games WHERE tournament_id = ? "
            "ORDER BY id DESC LIMIT 10000) "
            "WHERE started >= strftime('%Y-%m-%dT%H:%M:%SZ', 'now', ?)"
        )
        values = [tournament_id, f"-{seconds} seconds"]
        return int(self._db.execute(query, values).fetchone()[0])

    def game(self, game: str) -> GameRecord:
        """The record of a game, by its id, the beginning of its id, or its number.

        Seed and salt are left out while they may not be known. Raises `UsageError`.
        """
        row = self._find_game(game)
        return self._records(row["tournament_id"])(row)

    def game_row(self, game: str) -> GameRow:
        """One game's line of the list, named as for `game`. Raises `UsageError`."""
        row = self._find_game(game)
        return _game_row(next(self._db.query(f"{_GAMES} WHERE games.id = ?", [row["id"]])))

    def _find_game(self, game: str) -> Row:
        rows: list[Row] = []
        if _is_number(game):
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

    def _records(self, tournament_id: int) -> Callable[[Row], GameRecord]:
        """What makes rows of a tournament's games records, as they may be shown."""
        query = "SELECT * FROM tournaments WHERE id = ?"
        tournament = next(self._db.query(query, [tournament_id]))
        bots = entrants(self._db, tournament_id)
        own = {
            each.number: {"master_commitment": each.master_commitment}
            for each in self.rounds(tournament_id)
            if each.master_commitment
        }

        def to_show(row: Row) -> GameRecord:
            its = tournament | own.get(row["round"], {})
            return self._shown(row, to_record(row, its, bots))

        return to_show

    def _shown(self, row: Row, record: GameRecord) -> GameRecord:
        # A record that does not follow from its seed is left as it is: verify says what is wrong.
        with suppress(ReplayError):
            record = with_sides(record)
        is_public = bool(self._db.execute(_IS_PUBLIC, [row["id"]]).fetchone()[0])
        if is_public:
            return record
        # The plays of one game tell the cards of the others on its decks.
        return msgspec.structs.replace(record, seed="", salt="", deals=[])

    def records(self, tournament_id: int, canonical: bool = False) -> Iterator[GameRecord]:
        """Every game of a tournament, one at a time: as stored, or in the schedule's order.

        The latter leaves out games of matches that do not count: which of them were played is
        chance.
        """
        query = "SELECT * FROM games WHERE tournament_id = ? ORDER BY id"
        if canonical:
            query = (
                "SELECT games.* FROM games LEFT JOIN voids USING "
                "(tournament_id, pairing, match, replay) WHERE tournament_id = ? "
                "AND cause IS NULL ORDER BY round, pairing, match, replay, rotation"
            )
        to_show = self._records(tournament_id)
        for row in self._db.query(query, [tournament_id]):
            yield to_show(row)

    def logs(self, game: str) -> list[BotLog]:
        """What the bots of a game wrote beside their plays."""
        row = self._find_game(game)
        query = "SELECT * FROM bot_logs WHERE game_id = ? ORDER BY seat"
        return [
            BotLog(
                game=row["game"],
                seat=log["seat"],
                stderr=log["stderr"],
                notes=json.loads(log["notes"]),
                logs=json.loads(log["logs"]),
            )
            for log in self._db.query(query, [row["id"]])
        ]


def _is_number(text: str) -> bool:
    """Whether the text can be a row's number."""
    return text.isdecimal() and len(text) < len(str(_LARGEST))


def _tournament_row(row: Row) -> TournamentRow:
    changed = {name: bool(row[name]) for name in ("rated", "practice")}
    return TournamentRow(**row | changed)


def _game_row(row: Row) -> GameRow:
    with undamaged(f"game {row['game']}"):
        changed = {
            "pairing": row["pairing"].split(","),
            "seats": [seat["bot"] for seat in json.loads(row["seats"])],
            "scores": json.loads(row["scores"]),
        }
        return GameRow(**row | changed)
