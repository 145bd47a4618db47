"""Standings and ratings for pages: computed or decoded once, and not for each of them."""

from __future__ import annotations

import msgspec

from arena.standings import Standings, cached_standings
from arena.store import Reader
from dashboard.memory import Memory

_KEPT: Memory[dict[str, str]] = Memory(16)
_SHOWN: Memory[Standings] = Memory(8)


def shown_standings(reader: Reader, tournament_id: int) -> Standings:
    """The standings that pages show: a few games may be missing while more are played.

    Where none are kept that would do, as after another version of the arena has kept them, they
    are fitted here; of a thousand entrants that takes too long to be done for every page.
    """
    stored = reader.stored(tournament_id)
    state = (
        str(reader.path),
        tournament_id,
        stored.master_commitment,
        stored.games_played,
        stored.revision,
        reader.voids(tournament_id),
        reader.kept_standings(tournament_id),
    )
    return _SHOWN.get(state, lambda: cached_standings(reader, tournament_id, stale=True))


def ratings_told(reader: Reader, tournament_id: int) -> dict[str, str]:
    """By label the ratings that mean something, as in 1585 ±21, of the standings last kept.

    None are computed here: where nobody has kept any, the page does without.
    """
    kept = reader.kept_standings(tournament_id)
    return {} if kept is None else _KEPT.get(kept, lambda: _told(kept))


def _told(kept: bytes) -> dict[str, str]:
    # What another version of the arena has kept may be of another form.
    try:
        lines = msgspec.msgpack.decode(kept, type=Standings).lines
    except msgspec.DecodeError:
        return {}
    return {
        line.label: f"{line.elo_text} ±{line.error:.0f}"
        for line in lines
        if line.is_rated and line.error is not None
    }
