"""A tournament from its file to its last game: schedule, executor, store; stop and go on."""

from arena.tournament.changes import (
    add_bot,
    annul_game,
    enter_version,
    pause_tournament,
    withdraw,
)
from arena.tournament.comparison import Comparison
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
    "Comparison",
    "Entry",
    "Outlook",
    "Progress",
    "WrongSetting",
    "add_bot",
    "annul_game",
    "bots_added",
    "check_load",
    "check_tournament",
    "concurrency_of",
    "enter",
    "enter_version",
    "outlook",
    "pause_tournament",
    "refuse_unfit",
    "run",
    "until_stopped",
    "withdraw",
]
