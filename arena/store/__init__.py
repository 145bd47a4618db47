"""What was played, in SQLite: one writer, named read-only queries, migrations.

Every result row is unique by tournament, pairing, match, replay and rotation, so that a result
delivered twice changes nothing. Summaries are kept with the games, in the same transaction.
"""

from sqlite_utils import Database

from arena.store.comparisons import (
    Statistic,
    Tested,
    games_that_count,
    keep_comparison,
    unfinished_comparisons,
)
from arena.store.counting import SUMMARIES, MatchKey, recount
from arena.store.entrants import (
    AuditRow,
    Entrant,
    add_entrant,
    annul,
    audit_of,
    depart,
    departed,
    entrants_of,
    matches_with,
    note_decision,
)
from arena.store.events import Event, note_event, of_tournament
from arena.store.game_list import GameFilter, Result
from arena.store.history import RatingPoint, Snapshot, keep_snapshots
from arena.store.jobs import (
    MOST_UPLOAD_BYTES,
    Job,
    JobState,
    JobStep,
    NotNow,
    add_job,
    finish_job,
    interrupt_job,
    of_job,
    put_back,
    put_job,
    running_jobs,
    take_job,
)
from arena.store.lock import is_playing, playing
from arena.store.lookup import submitted_in
from arena.store.luck import LuckRow, keep_luck, keep_win_shares
from arena.store.read_bots import AppearanceRow, BotRow, EntryRow, VersionRow
from arena.store.read_games import GameRow
from arena.store.read_rounds import PlayedPairing
from arena.store.read_standings import Meeting, Pace, PlayedGame
from arena.store.read_tournaments import PointsRow, ResultRow, TotalsRow, TournamentRow
from arena.store.reader import Reader
from arena.store.rounds import (
    Round,
    begin_round,
    finish_round,
    met_in,
    pairings_of,
    rounds_of,
)
from arena.store.schema import NoDatabase, open_for_reading, open_for_writing, undisturbed, writing
from arena.store.submissions import (
    Submission,
    keep_submission,
    known_submission,
    retire,
    unretire,
    versions,
)
from arena.store.tokens import Token, new_token, revoke_token, token_of, tokens
from arena.store.tournaments import (
    StoredTournament,
    VoidRow,
    begin_tournament,
    bots_of,
    extend_tournament,
    find_tournament,
    finish_tournament,
    forfeited_games,
    keep_standings,
    note_isolation,
    note_planned,
    now_text,
    owners_of,
    pause,
    stored_games,
    unpause,
    void_matches,
)
from arena.store.writer import Writer, open_writer, store_games

__all__ = [
    "MOST_UPLOAD_BYTES",
    "SUMMARIES",
    "AppearanceRow",
    "AuditRow",
    "BotRow",
    "Database",
    "Entrant",
    "EntryRow",
    "Event",
    "GameFilter",
    "GameRow",
    "Job",
    "JobState",
    "JobStep",
    "LuckRow",
    "MatchKey",
    "Meeting",
    "NoDatabase",
    "NotNow",
    "Pace",
    "PlayedGame",
    "PlayedPairing",
    "PointsRow",
    "RatingPoint",
    "Reader",
    "Result",
    "ResultRow",
    "Round",
    "Snapshot",
    "Statistic",
    "StoredTournament",
    "Submission",
    "Tested",
    "Token",
    "TotalsRow",
    "TournamentRow",
    "VersionRow",
    "VoidRow",
    "Writer",
    "add_entrant",
    "add_job",
    "annul",
    "audit_of",
    "begin_round",
    "begin_tournament",
    "bots_of",
    "depart",
    "departed",
    "entrants_of",
    "extend_tournament",
    "find_tournament",
    "finish_job",
    "finish_round",
    "finish_tournament",
    "forfeited_games",
    "games_that_count",
    "interrupt_job",
    "is_playing",
    "keep_comparison",
    "keep_luck",
    "keep_snapshots",
    "keep_standings",
    "keep_submission",
    "keep_win_shares",
    "known_submission",
    "matches_with",
    "met_in",
    "new_token",
    "note_decision",
    "note_event",
    "note_isolation",
    "note_planned",
    "now_text",
    "of_job",
    "of_tournament",
    "open_for_reading",
    "open_for_writing",
    "open_writer",
    "owners_of",
    "pairings_of",
    "pause",
    "playing",
    "put_back",
    "put_job",
    "recount",
    "retire",
    "revoke_token",
    "rounds_of",
    "running_jobs",
    "store_games",
    "stored_games",
    "submitted_in",
    "take_job",
    "token_of",
    "tokens",
    "undisturbed",
    "unfinished_comparisons",
    "unpause",
    "unretire",
    "versions",
    "void_matches",
    "writing",
]
