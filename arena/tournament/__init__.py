"""A tournament from its file to its last game: schedule, executor, store; stop and go on."""

from arena.tournament.changes import (
    add_bot,
    annul_game,
    enter_version,
    pause_tournament,
    withdraw,
)
from arena.tournament.comparing import (
    ComparisonPlan,
    RunningComparison,
    enter_comparison,
)
from arena.tournament.comparison import MOST_ALIKE, MOST_WITHOUT_POINTS, Comparison, Hypotheses
from arena.tournament.ending import Ending
from arena.tournament.entry import Entry, bots_added, enter
from arena.tournament.outlook import Outlook, outlook
from arena.tournament.running import Progress, run, until_stopped
from arena.tournament.settings import (
    WrongSetting,
    check_load,
    check_tournament,
    concurrency_of,
    refuse_unfit,
)

__all__ = [
    "MOST_ALIKE",
    "MOST_WITHOUT_POINTS",
    "Comparison",
    "ComparisonPlan",
    "Ending",
    "Entry",
    "Hypotheses",
    "Outlook",
    "Progress",
    "RunningComparison",
    "WrongSetting",
    "add_bot",
    "annul_game",
    "bots_added",
    "check_load",
    "check_tournament",
    "concurrency_of",
    "enter",
    "enter_comparison",
    "enter_version",
    "outlook",
    "pause_tournament",
    "refuse_unfit",
    "run",
    "until_stopped",
    "withdraw",
]
