"""The final ranking of a knockout, as far as it is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from arena.pairing.base import Met
from arena.pairing.knockout.bracket import Bracket, Tie, bracket


class Place(msgspec.Struct, frozen=True):
    """What a bot that is out, or has won, has come to."""

    label: str
    best: int
    """From 1."""
    worst: int
    """All who go out in the same round share the places from `best` to `worst`."""


def places(
    labels: Sequence[str], met: Sequence[Met], double: bool, gone: Sequence[str] = ()
) -> list[Place]:
    """The places of those that are out, and of the winner, best first, equals by seed.

    Arguments are those of `bracket`. Places are those that the whole round shares, also while some
    of its ties are still open.
    """
    found = bracket(labels, met, double, gone)
    last = list(_last_ties(found, double))
    going = Counter(tie.slot.round for tie in last)
    places = [] if found.winner is None else [Place(found.winner, 1, 1)]
    for tie in last:
        if tie.loser is not None:
            worst = len(labels) - sum(n for round, n in going.items() if round < tie.slot.round)
            places.append(Place(tie.loser, worst - going[tie.slot.round] + 1, worst))
    seed = {label: number for number, label in enumerate(labels)}
    return sorted(places, key=lambda place: (place.best, seed[place.label]))


def _last_ties(found: Bracket, double: bool) -> Iterator[Tie]:
    """The ties whose losers are out."""
    part = "losers" if double else "winners"
    for tie in found.ties:
        if tie is found.ties[-1] or (tie.slot.bracket == part and not tie.is_bye):
            yield tie
