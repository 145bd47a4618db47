"""The page of a tournament while it is played: what is in play, what has just ended.

A game is known here once it is over. Its cards are not, before all games on its decks are: whoever
has seen the plays of one knows the hands of the next.
"""

from __future__ import annotations

from datetime import UTC, datetime

from flask import render_template

from dashboard.database import database
from dashboard.home import running_now
from dashboard.tournament_head import head_of

_IN_PLAY = 30
_LATEST_GAMES = 15


def live_page(number: int) -> str:
    """What happens in a tournament; of one that is over its latest games."""
    with database() as reader:
        head = head_of(reader, number, "live")
        running = None
        if not head.row.finished:
            running = running_now(reader, head.row, datetime.now(UTC))
        matches = reader.matches_in_play(number, _IN_PLAY) if running else []
        latest = reader.games(tournament_id=number, limit=_LATEST_GAMES)
        rotations = reader.rotations(number)
    return render_template(
        "live.html",
        head=head,
        running=running,
        matches=matches,
        latest=latest,
        rotations=rotations,
        most=_IN_PLAY,
    )
