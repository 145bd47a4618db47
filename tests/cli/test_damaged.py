"""A database in which anything stands: whoever reads it says so in one line, with its name."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path

import msgspec
import pytest

from arena.errors import ArenaError
from arena.game import first_dealer
from arena.schedule import GameKey, pairing_text
from arena.standings import cached_standings, standings, win_shares
from arena.store import GameFilter, Reader, keep_standings, writing
from arena.store.schema import DATABASE_ERRORS
from dashboard import create_app
from protocol.records import Fault
from tests.cli.conftest import Here
from tests.cli.program import complaint
from tests.dashboard.made import STARTED, Made

WRONG = ("no JSON", None, "[]", "{}", 2**62, b"\xff")
BOTS = ["greedy", "saver"]
PAIR = "a=greedy&b=saver"

ROWS = f"""
    INSERT INTO voids VALUES (1, 'greedy,saver', 9, 0, 'why', 0);
    INSERT INTO rounds VALUES (1, 1, NULL, NULL, '{STARTED}', '{STARTED}');
    INSERT INTO pairings VALUES (1, 1, 0, 'greedy,saver', 1, 1);
    INSERT INTO audit VALUES (1, 1, '{STARTED}', 'add', 'greedy', 'why', 0);
    INSERT INTO tokens VALUES (1, 'ada', '00', 20, 5, '{STARTED}', NULL);
    INSERT INTO jobs (id, key, token_id, file, state, created)
        VALUES (1, 'k', 1, 'f.zip', 'waiting', '{STARTED}');
    INSERT INTO submissions SELECT 1, name, version, hash, '{STARTED}', NULL, 1 FROM bots LIMIT 1;
    INSERT INTO sittings (visitor, bots, rules, state, created)
        VALUES ('v', '["greedy"]', 'kseri', 'waiting', '{STARTED}');
    INSERT INTO comparisons VALUES (1, 'wins', 0, 5);
    INSERT INTO rating_history VALUES (1, 1, 2, zeroblob(24));
    INSERT INTO win_shares VALUES (1, zeroblob(4));
    INSERT INTO luck SELECT id, 1, '[0.5, -0.5]' FROM games;
    INSERT INTO what_ifs (key, game, deal, move, bots, state, created)
        VALUES ('w', 'g', 1, 9, '[]', 'over', '{STARTED}');
"""

Read = Callable[[Reader], object]
OF_GAMES: list[Read] = [
    lambda reader: reader.games(),
    lambda reader: reader.game("1"),
    lambda reader: reader.on_its_decks("1"),
    lambda reader: reader.games_that_fit(GameFilter(bot="greedy", result="won")),
    lambda reader: reader.games_that_fit(GameFilter(fault="any")),
    lambda reader: reader.matches_in_play(1, 5),
    lambda reader: list(reader.played_since(1, 0)),
    lambda reader: reader.played_between(1, "greedy", "saver", 5),
    lambda reader: reader.pace(1).seconds_a_game,
    lambda reader: win_shares(reader, 1),
]
OF_STANDINGS: list[Read] = [
    lambda reader: standings(reader, 1),
    lambda reader: reader.results_between(1, "greedy", "saver"),
    lambda reader: reader.points_between(1, "greedy", "saver"),
    lambda reader: reader.thinking_us("x"),
]
OF_ROUNDS: list[Read] = [
    lambda reader: reader.met(1),
    lambda reader: reader.played_in_round(1, 1, 9),
    lambda reader: reader.round_row(1, 1),
    lambda reader: reader.rounds(1),
]
OF_BOTS: list[Read] = [
    lambda reader: reader.bots(),
    lambda reader: reader.bot_versions("greedy"),
    lambda reader: reader.entries("greedy"),
    lambda reader: reader.entry(1, "greedy"),
    lambda reader: reader.entered("greedy", None, None),
    lambda reader: reader.entrants(1),
    lambda reader: reader.departed(1),
    lambda reader: reader.submitted_for("kseri"),
]
OF_TOURNAMENTS: list[Read] = [
    lambda reader: reader.tournament(),
    lambda reader: reader.tournaments(),
    lambda reader: reader.unfinished(5),
]
READ: dict[str, list[Read]] = {
    "audit": [lambda reader: reader.audit(1), lambda reader: reader.departed(1)],
    "bot_logs": [lambda reader: reader.logs("1")],
    "bots": OF_BOTS,
    "comparisons": OF_TOURNAMENTS,
    "entrants": [*OF_BOTS, *OF_ROUNDS[:1], *OF_STANDINGS[:1]],
    "events": [lambda reader: reader.events_since(0, 99)],
    "fault_kinds": [lambda reader: reader.fault_kinds(1)],
    "games": OF_GAMES,
    "jobs": [lambda reader: reader.job("k"), lambda reader: reader.jobs_before(1)],
    "log_sizes": [],
    "luck": [lambda reader: win_shares(reader, 1), lambda reader: reader.without_luck(1, 1)],
    "meetings": [lambda reader: reader.meetings(1)],
    "pairings": OF_ROUNDS,
    "points": [*OF_STANDINGS, *OF_ROUNDS],
    "rating_history": [
        lambda reader: reader.last_snapshot(1),
        lambda reader: reader.rating_history(1, [0, 1]),
    ],
    "results": [*OF_STANDINGS, *OF_ROUNDS],
    "rounds": OF_ROUNDS[2:],
    "sittings": [lambda reader: reader.sitting(1, "v"), lambda reader: reader.tables()],
    "standings": [lambda reader: cached_standings(reader, 1)],
    "submissions": [*OF_BOTS, lambda reader: reader.submissions()],
    "tokens": [lambda reader: reader.tokens()],
    "totals": [
        *OF_STANDINGS[:1],
        lambda reader: reader.kseris(1),
        lambda reader: reader.bots(),
        lambda reader: reader.thinking_us("x"),
    ],
    "tournaments": [*OF_TOURNAMENTS, *OF_GAMES, *OF_STANDINGS[:1]],
    "voids": [lambda reader: reader.voids(1), lambda reader: reader.unplayed(1)],
    "what_ifs": [lambda reader: reader.what_if("w")],
    "win_shares": [lambda reader: reader.kept_win_shares(1)],
}
"""What reads each table."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A small database with a row in every table."""
    path = tmp_path / "small.db"
    made = Made(path, "t", BOTS)
    seat = (first_dealer(made.secret.seed(pairing_text(BOTS), GameKey(1, 0, 0)), 2) + 3) % 2
    fault = Fault(seat=seat, deal=1, turn=3, kind="illegal", detail="no", got="x")
    made.game(1, 0, faults=[fault], stderr="err\n", notes="note")
    made.game(1, 1)
    made.finish()
    with Reader(path) as reader:
        found = msgspec.msgpack.encode(standings(reader, 1))
    with writing(path) as db:
        keep_standings(db, 1, found)
        db.conn.executescript(ROWS)
    return path


def columns(db: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    for (table,) in db.execute(query).fetchall():
        for row in db.execute(f"PRAGMA table_info({table})").fetchall():
            yield table, row[1]


def strange(reader: Reader, read: Sequence[Read]) -> Iterator[str]:
    """What is raised that nobody has translated."""
    for number, function in enumerate(read):
        try:
            function(reader)
        except (ArenaError, *DATABASE_ERRORS):
            pass  # the latter are translated where the reader is left
        except Exception as error:
            yield f"reading function {number}: {error!r}"


def test_every_column_of_every_table_may_hold_anything(path: Path) -> None:
    found = []
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous = OFF")
        for table, column in columns(db):
            assert db.execute(f"SELECT count(*) FROM {table}").fetchone()[0], table
            for wrong in WRONG:
                # Never committed: the reader is given the connection in whose transaction it is.
                db.execute("BEGIN")
                try:
                    db.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", [wrong])
                    found += [
                        f"{table}.{column} = {wrong!r}: {text}"
                        for text in strange(_Within(path, db), READ[table])
                    ]
                except sqlite3.IntegrityError:
                    pass  # it can't stand there
                finally:
                    db.execute("ROLLBACK")
    assert not found, "\n".join(found)


class _Within(Reader):
    """A reader that sees what a transaction has not committed."""

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        super().__init__(path)
        self._db.close()
        self._db = type(self._db)(db)

    def unchanging(self) -> AbstractContextManager[None]:
        """That transaction is one moment already."""
        return nullcontext()


def damage(path: Path, change: str) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(change)


SHOWN: list[tuple[str, str, str]] = [
    ("show 1", "UPDATE bot_logs SET notes = 'no'", "row 1 of bot_logs"),
    ("log 1", "UPDATE bot_logs SET notes = 'null'", "row 1 of bot_logs"),
    ("log 1", "UPDATE bot_logs SET logs = '{}'", "row 1 of bot_logs"),
    ("show 1", "DELETE FROM tournaments", "row 1 of tournaments"),
    ("show 1", "UPDATE games SET seed = 'no'", "row 1 of games"),
    ("log 1", "UPDATE games SET seed = 'no'", "row 1 of games"),
    ("export --tournament 1", "UPDATE games SET seed = 'no' WHERE id = 2", "row 2 of games"),
    ("transcript 1 --seat 0", "UPDATE games SET salt = 'no'", "row 1 of games"),
    ("transcript 1 --seat 0", "UPDATE tournaments SET rotations = 'no'", "row 1 of tournaments"),
    ("games", "UPDATE games SET scores = '[]'", "row 2 of games"),
    ("show 2", "UPDATE games SET scores = '[]'", "row 2 of games"),
    ("standings", "UPDATE tournaments SET rotations = 'no'", "row 1 of tournaments"),
    ("standings", "UPDATE standings SET data = 7", "row 1 of standings"),
    ("log 1", "UPDATE bots SET files = 'text'", "of bots"),
    ("bots list", "UPDATE submissions SET submitted = x'ff'", "row 1 of submissions"),
]


@pytest.mark.parametrize(("words", "change", "what"), SHOWN, ids=[f"{w} {c}" for w, c, _ in SHOWN])
def test_a_command_says_which_row_can_not_be_read(
    path: Path, here: Here, words: str, change: str, what: str
) -> None:
    damage(path, change)
    complaint(here(*words.split(), "--db", path), 1, f"{path}: ", what)


@pytest.mark.parametrize("asked", ["1 2", "--tournament 1"])
def test_a_damaged_game_is_wrong_and_the_others_are_checked(
    path: Path, here: Here, asked: str
) -> None:
    damage(path, "UPDATE games SET salt = 'no' WHERE id = 1")
    result = here("verify", *asked.split(), "--db", path)
    assert result.returncode == 1
    assert result.stdout.startswith(f"{path}: row 1 of games is damaged in the database: ")
    assert "\n1 sound, 1 wrong, 0 not verifiable yet\n" in result.stdout
    assert not result.stderr


@pytest.mark.parametrize(
    ("address", "change"),
    [
        ("/games/", "UPDATE games SET scores = '[]'"),
        ("/tournaments/1/", "UPDATE tournaments SET rotations = 'no'"),
        ("/bots/greedy", "UPDATE bots SET version = x'ff'"),
        ("/tournaments/1/crosstable", "UPDATE entrants SET bot_hash = 'none'"),
        (f"/tournaments/1/head-to-head?{PAIR}", "UPDATE results SET pairing = 'none'"),
        (f"/tournaments/1/head-to-head?{PAIR}", "UPDATE points SET matches = 1 << 62"),
        ("/tournaments/1/explain?bot=greedy", "UPDATE meetings SET wins = 1 << 62"),
    ],
)
def test_a_page_says_what_is_damaged(path: Path, address: str, change: str) -> None:
    damage(path, change)
    answer = create_app(path).test_client().get(address)
    assert answer.status_code == 503
    assert "small.db: " in answer.text
    assert any(word in answer.text for word in ("damaged", "contradicts", "not what they met"))
