"""The next round of a Swiss tournament, for two at a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from arena.pairing.base import Met, Pairing, bye, two
from arena.pairing.swiss.matching import Mates, augment, exchange
from arena.pairing.swiss.table import Record, record_of, scores


class NoPairing(ValueError):
    """There is no further round without a rematch or a second bye."""


def most_rounds(entrants: int) -> int:
    """How many rounds can be paired whatever the results and the pairings before.

    Half of the entrants, a bye counted as one: then everybody may still meet at least half of
    them (Dirac's condition for a perfect matching).
    """
    return (entrants + 1) // 2


def usual_rounds(entrants: int) -> int:
    """As many rounds as leave one unbeaten bot without draws, at most those sure to be paired."""
    return max(1, min((entrants - 1).bit_length(), most_rounds(entrants)))


def next_round(
    labels: Sequence[str], met: Sequence[Met], matches: int, games: int
) -> list[Pairing]:
    """The pairings of the round after those in `met`, the strongest board first, a bye last.

    `labels` are in seed order, without those that have left; `met` has everything of all earlier
    rounds, byes too; `games` is how many games a pairing has. Score groups are paired as in
    FIDE's Dutch system, upper half against lower half; whoever has no opponent there goes down to
    the next group. Colours and floats of earlier rounds are nothing to it. The bye is for the
    lowest in rank that had none and without which the others can be paired.

    Raises NoPairing only where there is no such round; never up to `most_rounds`.
    """
    number = 1 + max((one.pairing.round for one in met), default=0)
    record = record_of(met, games)
    score = scores(record)
    ranked = sorted(labels, key=lambda label: -score.get(label, 0.0))
    for resting in _rests(ranked, record):
        players = [label for label in ranked if label != resting]
        pairs = _paired(players, record, score)
        if pairs is not None:
            boards = [two(number, a, b, 1, matches) for a, b in pairs]
            return boards if resting is None else [*boards, bye(number, resting)]
    raise NoPairing(f"round {number} of {len(labels)}: no pairing without a rematch or second bye")


def _rests(ranked: Sequence[str], record: Record) -> list[str | None]:
    """Who may have the bye, by preference; None where nobody needs to."""
    if len(ranked) % 2 == 0:
        return [None]
    rested = {label for label, faced in record.items() if any(f.opponent == label for f in faced)}
    return [label for label in reversed(ranked) if label not in rested]


def _paired(
    players: Sequence[str], record: Record, score: Mapping[str, float]
) -> list[tuple[str, str]] | None:
    """Pairs of players in ranking order, the strongest first; None if there are none."""
    met = _met(players, record)
    points = [score.get(label, 0.0) for label in players]
    mates: Mates = {}
    left: list[int] = []
    for _, group in groupby(range(len(players)), points.__getitem__):
        near: Mates = {}
        left = exchange(near, _halves(near, left, list(group), met), met, points)
        mates |= near
    if not augment(mates, exchange(mates, left, met, points), met):
        return None
    return [(players[a], players[b]) for a, b in sorted(mates.items()) if a < b]


def _met(players: Sequence[str], record: Record) -> list[set[int]]:
    """Whom each player may not meet, by rank: those it has met, and itself."""
    rank = {label: place for place, label in enumerate(players)}
    return [
        {rank[one.opponent] for one in record.get(label, ()) if one.opponent in rank} | {place}
        for label, place in rank.items()
    ]


def _halves(
    mates: Mates, floaters: Sequence[int], group: list[int], met: Sequence[set[int]]
) -> list[int]:
    """Pair a score group, those from above first, with its best; returns who has found nobody."""
    left = [one for one in floaters if not _meets_best(mates, one, group, met)]
    half = len(group) // 2
    upper, lower = group[:half], group[half:]
    left += [one for one in upper if not _meets_best(mates, one, lower, met)]
    return sorted(left + lower)


def _meets_best(mates: Mates, one: int, among: list[int], met: Sequence[set[int]]) -> bool:
    """Whether there was somebody for it to meet; the best of them is taken from the list."""
    for other in among:
        if other not in met[one]:
            among.remove(other)
            mates[one], mates[other] = other, one
            return True
    return False
