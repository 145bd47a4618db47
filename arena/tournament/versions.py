"""Submitted versions of a bot in a league: found, entered, and which was before which."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from arena.bots import BotFiles
from arena.errors import UsageError
from arena.store import Entrant, Reader, StoredTournament
from arena.tournament.changes import enter_version
from arena.tournament.settings import refuse_unfit


class Entered(NamedTuple):
    """A version of a bot that plays in a league."""

    label: str
    before: Entrant | None
    """The version that played there before it, if there was one."""
    is_new: bool
    """False where it had been entered before."""
    begins: str
    """When it plays, as the end of a sentence."""


def find_league(database: Path, name: str) -> StoredTournament:
    """The league of that name or number. Raises `UsageError`."""
    with Reader(database) as reader:
        found = reader.tournament(name)
        known = [repr(row.name) for row in reader.tournaments() if row.kind == "league"]
    if found.kind != "league":
        there = ", ".join(known) or "none"
        raise UsageError(f"{found.name!r} is no league, but a {found.kind}; leagues: {there}")
    return found


def refuse_unfit_for(database: Path, league_id: int, bot: BotFiles) -> None:
    """Raise `UsageError` for a bot that says that it does not play a league's rules."""
    with Reader(database) as reader:
        refuse_unfit({"": bot}, reader.stored(league_id).definition)


def enter_submitted(
    database: Path, league_id: int, bot: BotFiles, *, trusted: bool = False
) -> Entered:
    """Let a version of a bot play in a league in the place of the one before.

    Where it plays there already, nothing changes. `trusted` as for `add_bot`. Raises `UsageError`.
    """
    entrants = _entrants(database, league_id, bot)
    is_new = not any(each.hash == bot.hash and not each.departure for each in entrants)
    if is_new:
        enter_version(database, league_id, bot, trusted=trusted)
        entrants = _entrants(database, league_id, bot)
    place = max(n for n, each in enumerate(entrants) if each.hash == bot.hash)
    others = [each for each in entrants[:place] if each.hash != bot.hash]
    before = others[-1] if others else None
    return Entered(entrants[place].label, before, is_new, _begins(database, league_id))


def _begins(database: Path, league_id: int) -> str:
    with Reader(database) as reader:
        rounds_played = reader.tournament_row(league_id).rounds_played
    if rounds_played:
        return "once the league has more rounds (all of them are played)"
    return "from the next round on"


def _entrants(database: Path, league_id: int, bot: BotFiles) -> list[Entrant]:
    """All versions of the bot that ever were in the league, in the order of entering."""
    with Reader(database) as reader:
        entrants = reader.entrants(league_id)
    return [each for each in entrants if each.name == bot.manifest.name]
