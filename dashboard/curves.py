"""Rating curves: how ratings came to be, with their 95 % bands, and online Elo as history."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.store import Reader


class CurvePoint(msgspec.Struct, frozen=True, kw_only=True):
    """A rating after so many matches of the tournament, all values in Elo."""

    matches: int
    """Complete matches of all entrants together."""
    rating: float | None
    """Fitted to all of them; None before the entrant's first."""
    error: float | None
    """Half the width of the 95 % interval; None while provisional, or all was won or lost."""
    online: float | None
    """Online Elo, K = 16: it depends on the order of matches, and is history only."""


class Curve(msgspec.Struct, frozen=True, kw_only=True):
    """How the rating of one entrant came to be."""

    label: str
    points: list[CurvePoint]


def curves(reader: Reader, tournament_id: int, labels: Sequence[str]) -> list[Curve]:
    """The curves of these entrants, who are in the tournament; no points where none were kept."""
    places = {entrant.label: n for n, entrant in enumerate(reader.entrants(tournament_id))}
    history = reader.rating_history(tournament_id, [places[label] for label in labels])
    return [
        Curve(
            label=label,
            points=[
                CurvePoint(matches=matches, **point._asdict())
                for matches, points in history
                if (point := points[number])
            ],
        )
        for number, label in enumerate(labels)
    ]
