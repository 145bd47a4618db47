"""What the tables of the database are, and how old ones are brought up to date."""

from __future__ import annotations

import re
from collections.abc import Callable

import sqlite_utils

from arena.store.counting import recount


def _first_tables(db: sqlite_utils.Database) -> None:
    db.table("bots").create(
        {
            "hash": str,
            "name": str,
            "version": str,
            "manifest": str,
            "files": bytes,
        },
        pk="hash",
        not_null={"name", "version", "manifest", "files"},
    )
    db.table("tournaments").create(
        {
            "id": int,
            "name": str,
            "kind": str,
            "definition": str,
            "rules": str,
            "rules_version": int,
            "sides": int,
            "rotations": int,
            "rated": int,
            "practice": int,
            "names_hidden": int,
            "isolation": str,
            "master_commitment": str,
            "master": str,
            "games_planned": int,
            "started": str,
            "finished": str,
        },
        pk="id",
        not_null={"name", "kind", "definition", "rules", "master_commitment", "master", "started"},
    )
    db.table("tournaments").create_index(["master_commitment"], unique=True)
    db.table("entrants").create(
        {"tournament_id": int, "label": str, "place": int, "bot_hash": str},
        pk=("tournament_id", "label"),
        foreign_keys=[("tournament_id", "tournaments", "id"), ("bot_hash", "bots", "hash")],
        not_null={"place", "bot_hash"},
    )
    _games(db)
    _summaries(db)


def _games(db: sqlite_utils.Database) -> None:
    db.table("games").create(
        {
            "id": int,
            "tournament_id": int,
            "pairing": str,
            "match": int,
            "replay": int,
            "rotation": int,
            "game": str,
            "seed": str,
            "salt": str,
            "commitment": str,
            "plays": str,
            "scores": str,
            "winner": int,
            "ranks": str,
            "reason": str,
            "faults": str,
            "seats": str,
            "limits": str,
            "isolation": str,
            "started": str,
            "elapsed_ms": int,
            "arena": str,
        },
        pk="id",
        foreign_keys=[("tournament_id", "tournaments", "id")],
        not_null={"tournament_id", "pairing", "match", "replay", "rotation", "game", "plays"},
    )
    key = ["tournament_id", "pairing", "match", "replay", "rotation"]
    db.table("games").create_index(key, unique=True)
    db.table("games").create_index(["game"], unique=True)
    db.table("voids").create(
        {"tournament_id": int, "pairing": str, "match": int, "replay": int, "cause": str},
        pk=("tournament_id", "pairing", "match", "replay"),
        foreign_keys=[("tournament_id", "tournaments", "id")],
    )
    db.table("bot_logs").create(
        {"game_id": int, "seat": int, "stderr": str, "notes": str, "logs": str},
        pk=("game_id", "seat"),
        foreign_keys=[("game_id", "games", "id")],
    )


def _summaries(db: sqlite_utils.Database) -> None:
    """What standings are read from: complete matches only, kept up to date with every batch."""
    db.table("results").create(
        {"tournament_id": int, "pairing": str, "outcome": str, "matches": int},
        pk=("tournament_id", "pairing", "outcome"),
        foreign_keys=[("tournament_id", "tournaments", "id")],
    )
    db.table("totals").create(
        {
            "tournament_id": int,
            "label": str,
            "matches": int,
            "games": int,
            "wins": int,
            "draws": int,
            "losses": int,
            "forfeits": int,
            "faults": int,
            "deals": int,
            "points_for": float,
            "points_against": float,
            "plays": int,
            "overruns": int,
            "elapsed_us": int,
        },
        pk=("tournament_id", "label"),
        foreign_keys=[("tournament_id", "tournaments", "id")],
    )


def _lists_of_games(db: sqlite_utils.Database) -> None:
    """Games of one tournament in the order of storing, all or those with faults, unsorted.

    Without these a list of 50 games, and an export, sorts all games of its tournament.
    """
    db.execute("CREATE INDEX games_of_tournament ON games (tournament_id)")
    db.execute("CREATE INDEX faulty_games ON games (tournament_id) WHERE faults IS NOT NULL")


def _submissions(db: sqlite_utils.Database) -> None:
    db.table("submissions").create(
        {
            "id": int,
            "name": str,
            "version": str,
            "bot_hash": str,
            "submitted": str,
            "retired": str,
        },
        pk="id",
        foreign_keys=[("bot_hash", "bots", "hash")],
        not_null={"name", "version", "bot_hash", "submitted"},
    )
    db.table("submissions").create_index(["name", "version"], unique=True)
    db.table("submissions").create_index(["bot_hash"], unique=True)
    db.table("entrants").create_index(["bot_hash"])


def _rounds(db: sqlite_utils.Database) -> None:
    """Tournaments in rounds, entrants that come and go, matches that are annulled."""
    for column in (
        "paused TEXT",
        "revision INTEGER NOT NULL DEFAULT 0",
        "games_played INTEGER NOT NULL DEFAULT 0",
    ):
        db.execute(f"ALTER TABLE tournaments ADD COLUMN {column}")
    for column in (
        "owners TEXT NOT NULL DEFAULT '[]'",
        "joined INTEGER NOT NULL DEFAULT 1",
        "departure TEXT",
        "reason TEXT",
    ):
        db.execute(f"ALTER TABLE entrants ADD COLUMN {column}")
    db.execute("ALTER TABLE games ADD COLUMN round INTEGER NOT NULL DEFAULT 1")
    db.execute("ALTER TABLE voids ADD COLUMN annulled INTEGER NOT NULL DEFAULT 0")
    of_tournament = [("tournament_id", "tournaments", "id")]
    db.table("rounds").create(
        {
            "tournament_id": int,
            "number": int,
            "master_commitment": str,
            "master": str,
            "started": str,
            "finished": str,
        },
        pk=("tournament_id", "number"),
        foreign_keys=of_tournament,
        not_null={"started"},
    )
    db.table("rounds").create_index(["master_commitment"], unique=True)
    db.table("pairings").create(
        {
            "tournament_id": int,
            "round": int,
            "place": int,
            "pairing": str,
            "first": int,
            "matches": int,
        },
        pk=("tournament_id", "round", "place"),
        foreign_keys=of_tournament,
        not_null={"pairing", "first", "matches"},
    )
    db.table("pairings").create_index(["tournament_id", "pairing", "first"])
    db.table("audit").create(
        {
            "id": int,
            "tournament_id": int,
            "time": str,
            "action": str,
            "subject": str,
            "reason": str,
            "matches": int,
        },
        pk="id",
        foreign_keys=of_tournament,
        not_null={"time", "action", "subject", "reason"},
    )
    db.table("results").drop()
    db.table("results").create(
        {"tournament_id": int, "pairing": str, "first": int, "outcome": str, "matches": int},
        pk=("tournament_id", "pairing", "first", "outcome"),
        foreign_keys=of_tournament,
    )
    db.table("points").create(
        {
            "tournament_id": int,
            "pairing": str,
            "first": int,
            "matches": int,
            "sums": str,
            "products": str,
        },
        pk=("tournament_id", "pairing", "first"),
        foreign_keys=of_tournament,
    )
    db.table("standings").create(
        {"tournament_id": int, "data": bytes}, pk="tournament_id", foreign_keys=of_tournament
    )
    db.table("luck").create(
        {"game_id": int, "baseline": int, "luck": str},
        pk="game_id",
        foreign_keys=[("game_id", "games", "id")],
    )


def _meetings(db: sqlite_utils.Database) -> None:
    """What came of every two entrants, faults by kind, kseris; and how ratings came to be."""
    db.execute("ALTER TABLE totals ADD COLUMN kseris INTEGER NOT NULL DEFAULT 0")
    db.execute("""
        CREATE TABLE meetings (
            tournament_id INTEGER NOT NULL REFERENCES tournaments(id), a TEXT NOT NULL,
            b TEXT NOT NULL, matches INTEGER, games INTEGER, wins INTEGER, draws INTEGER,
            PRIMARY KEY (tournament_id, a, b)
        ) WITHOUT ROWID
    """)
    db.execute("CREATE INDEX meetings_of_second ON meetings (tournament_id, b)")
    db.execute("""
        CREATE TABLE fault_kinds (
            tournament_id INTEGER NOT NULL REFERENCES tournaments(id), label TEXT NOT NULL,
            kind TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (tournament_id, label, kind)
        ) WITHOUT ROWID
    """)
    of_tournament = [("tournament_id", "tournaments", "id")]
    db.table("rating_history").create(
        {"tournament_id": int, "matches": int, "last_game": int, "ratings": bytes},
        pk=("tournament_id", "matches"),
        foreign_keys=of_tournament,
        not_null={"last_game", "ratings"},
    )
    db.table("win_shares").create(
        {"tournament_id": int, "data": bytes}, pk="tournament_id", foreign_keys=of_tournament
    )
    for row in list(db.query("SELECT id FROM tournaments")):
        recount(db, row["id"])


def _handing_in(db: sqlite_utils.Database) -> None:
    """Tokens, the bots that were handed in with them, and what open pages are told of."""
    db.table("tokens").create(
        {
            "id": int,
            "name": str,
            "hash": str,
            "quota": int,
            "most_bots": int,
            "created": str,
            "revoked": str,
        },
        pk="id",
        not_null={"name", "hash", "quota", "most_bots", "created"},
    )
    db.table("tokens").create_index(["name"], unique=True)
    db.table("tokens").create_index(["hash"], unique=True)
    db.execute("ALTER TABLE submissions ADD COLUMN token_id INTEGER REFERENCES tokens(id)")
    db.execute("CREATE INDEX submissions_of_token ON submissions (token_id)")
    db.table("jobs").create(
        {
            "id": int,
            "key": str,
            "token_id": int,
            "file": str,
            "version": str,
            "upload": bytes,
            "state": str,
            "doing": str,
            "bot": str,
            "tournament_id": int,
            "label": str,
            "steps": str,
            "tries": int,
            "created": str,
            "started": str,
            "finished": str,
        },
        pk="id",
        foreign_keys=[("token_id", "tokens", "id"), ("tournament_id", "tournaments", "id")],
        not_null={"key", "token_id", "file", "state", "doing", "steps", "tries", "created"},
        defaults={"doing": "", "steps": "[]", "tries": 0},
    )
    db.table("jobs").create_index(["key"], unique=True)
    db.table("jobs").create_index(["token_id", "created"])
    db.execute("CREATE INDEX open_jobs ON jobs (id) WHERE finished IS NULL")
    # Never the same number twice: what a page has seen last must not come to mean something else.
    db.execute(
        "CREATE TABLE events (id INTEGER PRIMARY KEY AUTOINCREMENT, topic TEXT NOT NULL, "
        "kind TEXT NOT NULL, number INTEGER NOT NULL)"
    )


def _games_of_a_bot(db: sqlite_utils.Database) -> None:
    """Who met in each game, in the order of storing, apart from the large rows of games.

    Without this a list of the games of a bot that has not played lately reads all games.
    """
    db.execute("CREATE INDEX games_by_entrants ON games (id, tournament_id, pairing)")


def _comparisons(db: sqlite_utils.Database) -> None:
    """What tests of two bots test; of those of older arenas only a title tells it."""
    db.execute("""
        CREATE TABLE comparisons (
            tournament_id INTEGER PRIMARY KEY REFERENCES tournaments(id),
            statistic TEXT NOT NULL, h0 REAL NOT NULL, h1 REAL NOT NULL
        )
    """)


def _sittings(db: sqlite_utils.Database) -> None:
    """Visitors who play bots; their games are kept out of lists of tournaments by their kind."""
    # Never the same number twice: an open page must not come to mean somebody else's game.
    db.execute("""
        CREATE TABLE sittings (
            id INTEGER PRIMARY KEY AUTOINCREMENT, visitor TEXT NOT NULL, bots TEXT NOT NULL,
            rules TEXT NOT NULL, state TEXT NOT NULL, text TEXT NOT NULL DEFAULT '',
            told TEXT NOT NULL DEFAULT '[]', turn INTEGER NOT NULL DEFAULT 0, answer TEXT,
            tournament_id INTEGER REFERENCES tournaments(id), game TEXT,
            created TEXT NOT NULL, finished TEXT
        )
    """)
    db.execute("CREATE INDEX open_sittings ON sittings (id) WHERE finished IS NULL")
    db.execute("CREATE INDEX sittings_by_time ON sittings (created)")
    db.execute("CREATE INDEX tournaments_with_persons ON tournaments (id) WHERE kind = 'person'")


def _log_sizes(db: sqlite_utils.Database) -> None:
    """How much of what each entrant wrote is stored; what older arenas stored is not counted."""
    db.execute("""
        CREATE TABLE log_sizes (
            tournament_id INTEGER NOT NULL REFERENCES tournaments(id), label TEXT NOT NULL,
            bytes INTEGER NOT NULL, PRIMARY KEY (tournament_id, label)
        )
    """)


def _what_ifs(db: sqlite_utils.Database) -> None:
    """Deals that visitors of the dashboard let other bots go on with, and what came of them."""
    db.execute("""
        CREATE TABLE what_ifs (
            id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, game TEXT NOT NULL,
            deal INTEGER NOT NULL, move INTEGER NOT NULL, bots TEXT NOT NULL, state TEXT NOT NULL,
            text TEXT NOT NULL DEFAULT '', ways TEXT NOT NULL DEFAULT '[]',
            created TEXT NOT NULL, finished TEXT
        )
    """)
    db.execute("CREATE INDEX what_ifs_of_game ON what_ifs (game)")
    db.execute("CREATE INDEX open_what_ifs ON what_ifs (id) WHERE finished IS NULL")


def _turns_of_plays(db: sqlite_utils.Database) -> None:
    """How many turns stood in a line is told where it changes, no longer behind every play."""
    db.register_function(_turns_before, name="turns_before", deterministic=True)
    db.execute("UPDATE games SET plays = turns_before(plays) WHERE plays LIKE '%/%'")


_PLAY_AND_TURNS = re.compile(r"(\w\w[:x]\d+)(?:/(\d+))?(!?)")


def _turns_before(text: str) -> str:
    """The text of a game's plays with `/n` before plays, where older arenas wrote it behind."""
    lines = []
    for line in text.split("\n"):
        words, turns = [], 1
        for word in line.split(" "):
            play = _PLAY_AND_TURNS.fullmatch(word)
            if play and int(play[2] or 1) != turns:
                turns = int(play[2] or 1)
                words.append(f"/{turns}")
            words.append(play[1] + play[3] if play else word)
        lines.append(" ".join(words))
    return "\n".join(lines)


MIGRATIONS: list[Callable[[sqlite_utils.Database], None]] = [
    _first_tables,
    _lists_of_games,
    _submissions,
    _rounds,
    _handing_in,
    _meetings,
    _games_of_a_bot,
    _comparisons,
    _sittings,
    _log_sizes,
    _what_ifs,
    _turns_of_plays,
]
"""Each brings the database from the version that is its index to the next."""
