"""The next ties of a knockout."""

from __future__ import annotations

from collections.abc import Sequence

from arena.pairing.base import Met, Pairing, bye, two
from arena.pairing.knockout.bracket import Tie, bracket


def next_round(
    labels: Sequence[str],
    met: Sequence[Met],
    matches: int,
    double: bool,
    gone: Sequence[str] = (),
) -> list[Pairing]:
    """What is to be played now: the open ties of the earliest round that has any; [] when decided.

    `labels` are all entrants in seed order, those too that have left; `met` is everything that was
    played, byes may be missing; `gone` are those that have left, in the order of leaving. A tie of
    which nothing was played gets `matches` matches; one that is drawn gets one match more, as a
    pairing of its own in the same round. A round begins when the one before is decided; its byes
    come with its first ties. With double elimination two may meet again: their matches are
    numbered on from those that they have played.
    """
    ties = bracket(labels, met, double, gone).ties
    number = min((tie.slot.round for tie in ties if tie.is_open), default=0)
    played = [one.pairing for one in met]
    now = [tie for tie in ties if tie.slot.round == number]
    meet = [_meet(tie, played, matches) for tie in now if tie.is_open]
    if any(pairing.round == number for pairing in played):
        return meet
    rest = [tie.winner for tie in now if tie.decided == "bye" and tie.winner is not None]
    return [*meet, *(bye(number, label) for label in rest if label not in gone)]


def _meet(tie: Tie, played: Sequence[Pairing], matches: int) -> Pairing:
    """The next matches of an open tie."""
    labels = {side.label for side in tie.sides}
    before = [pairing for pairing in played if labels == set(pairing.entrants)]
    first = 1 + max((pairing.first + pairing.matches - 1 for pairing in before), default=0)
    is_drawn = any(pairing.round == tie.slot.round for pairing in before)
    a, b = (side.label or "" for side in tie.sides)
    return two(tie.slot.round, a, b, first, 1 if is_drawn else matches)
