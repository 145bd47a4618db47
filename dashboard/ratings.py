"""Ratings of entrants in two words, for pages of other things than standings."""

from __future__ import annotations

import msgspec

from arena.standings import Standings
from arena.store import Reader
from dashboard.memory import Memory

_KEPT: Memory[dict[str, str]] = Memory(16)


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
