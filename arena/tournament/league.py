"""A league that is played for as long as somebody lets it: round after round, also when for a
while too few bots are in it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import trio

from arena.executor import Executor
from arena.store import Reader, StoredTournament
from arena.tournament.entry import Entry
from arena.tournament.running import Progress, run, until_stopped

_LOOK_SECONDS = 1.0
"""How often it is looked whether a league that stands still can go on."""


def play_league(
    database: Path, entry: Entry, executor: Executor, on_withdrawal: Callable[[str, str], None]
) -> bool:
    """Play a league until it is paused, or until SIGINT or SIGTERM; whether it is paused.

    `on_withdrawal`: see `Progress`. Raises what `run` raises.
    """
    progress = Progress(on_withdrawal=on_withdrawal)

    async def work() -> None:
        while not progress.is_paused:
            before = _as_it_is(database, entry.stored.id)
            await run(database, entry, executor, progress)
            if not progress.is_paused:
                progress.is_paused = await _changed(database, before)

    trio.run(until_stopped, work)
    return progress.is_paused


async def _changed(database: Path, before: StoredTournament) -> bool:
    """Wait until the league is another one than when it was begun with; whether it is paused."""
    while True:
        now = await trio.to_thread.run_sync(_as_it_is, database, before.id)
        if now.paused or now.revision != before.revision or now.definition != before.definition:
            return bool(now.paused)
        await trio.sleep(_LOOK_SECONDS)


def _as_it_is(database: Path, tournament_id: int) -> StoredTournament:
    with Reader(database) as reader:
        return reader.stored(tournament_id)
