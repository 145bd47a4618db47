"""What was played, in SQLite: one writer, named read-only queries, migrations.

Every result row is unique by tournament, pairing, match, replay and rotation, so that a result
delivered twice changes nothing. Summaries are kept with the games, in the same transaction.
"""

from sqlite_utils import Database

from arena.store.lock import playing
from arena.store.lookup import submitted_in
from arena.store.reader import (
    AppearanceRow,
    GameRow,
    Reader,
    ResultRow,
    TotalsRow,
    TournamentRow,
)
from arena.store.schema import NoDatabase, open_for_reading, open_for_writing, undisturbed, writing
from arena.store.submissions import Submission, keep_submission, known_submission, retire, versions
from arena.store.tournaments import (
    StoredTournament,
    begin_tournament,
    bots_of,
    done_games,
    extend_tournament,
    find_tournament,
    finish_tournament,
    note_isolation,
    replays,
    void_match,
)
from arena.store.writer import Writer, open_writer, store_games

__all__ = [
    "AppearanceRow",
    "Database",
    "GameRow",
    "NoDatabase",
    "Reader",
    "ResultRow",
    "StoredTournament",
    "Submission",
    "TotalsRow",
    "TournamentRow",
    "Writer",
    "begin_tournament",
    "bots_of",
    "done_games",
    "extend_tournament",
    "find_tournament",
    "finish_tournament",
    "keep_submission",
    "known_submission",
    "note_isolation",
    "open_for_reading",
    "open_for_writing",
    "open_writer",
    "playing",
    "replays",
    "retire",
    "store_games",
    "submitted_in",
    "undisturbed",
    "versions",
    "void_match",
    "writing",
]
