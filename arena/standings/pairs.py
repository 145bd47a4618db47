"""Two entrants: what their ratings let expect of their games, and what their games say alone."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import combinations, combinations_with_replacement

import msgspec

from arena.rating import FEWEST_MATCHES, NORMAL_95, PairingPoints, fit_points, point_sums
from arena.rating.match_scores import elo_of_score, score_of_elo
from arena.store import PointsRow, ResultRow, undamaged


class PairStrength(msgspec.Struct, frozen=True, kw_only=True):
    """What the matches of two say, clustered by match; None is what they do not tell."""

    share: float
    """Of the games, won by the first, draws counting one half: 0 to 1."""
    error: float | None
    """Half the width of its 95 % interval; None below ten matches, or where all went alike."""
    elo: float | None
    """By how much the first is ahead; None where it won or lost everything."""
    elo_low: float | None
    """Of its 95 % interval; None where that has no end, or the share no error."""
    elo_high: float | None
    superiority: float | None
    """Likelihood that the first is the stronger one, 0 to 1; None like `error`."""


class PairPoints(msgspec.Struct, frozen=True, kw_only=True):
    """Points a deal of the first of two less those of the second, in games nobody forfeited."""

    deals: int
    margin: float
    error: float | None
    """Half the width of its 95 % interval, clustered by match; None below ten matches."""


def expected_share(a: float, b: float) -> float:
    """The share of games that a rating of `a` lets expect against one of `b`, both in Elo."""
    return score_of_elo(a - b)


def residual(score: float, games: int, expected: float) -> float:
    """How many standard deviations a score is above the expected share, which is not 0 or 1."""
    return (score - games * expected) / math.sqrt(games * expected * (1 - expected))


def pair_scores(rows: Iterable[ResultRow], a: str, b: str, rotations: int) -> dict[float, int]:
    """How many matches of two had which score of the first, in games won of `rotations`."""
    found: dict[float, int] = {}
    with undamaged(f"a row of results of {a} and {b}"):
        for row in rows:
            for pair, score in zip(combinations(row.pairing, 2), row.outcome, strict=True):
                if score is not None and {*pair} == {a, b}:
                    own = score if pair[0] == a else rotations - score
                    found[own] = found.get(own, 0) + row.matches
    return found


def pair_strength(scores: Mapping[float, int], rotations: int) -> PairStrength | None:
    """What scores from `pair_scores` say; None without a match."""
    matches = sum(scores.values())
    if not matches:
        return None
    share = sum(score * count for score, count in scores.items()) / matches / rotations
    squares = sum(count * (score / rotations - share) ** 2 for score, count in scores.items())
    se = math.sqrt(squares) / matches
    sure = matches >= FEWEST_MATCHES and se > 0
    return PairStrength(
        share=share,
        error=NORMAL_95 * se if sure else None,
        elo=_elo(share),
        elo_low=_elo(share - NORMAL_95 * se) if sure else None,
        elo_high=_elo(share + NORMAL_95 * se) if sure else None,
        superiority=math.erfc((0.5 - share) / se / math.sqrt(2)) / 2 if sure else None,
    )


def _elo(share: float) -> float | None:
    found = elo_of_score(share)
    return found if math.isfinite(found) else None


def pair_points(rows: Iterable[PointsRow], a: str, b: str) -> PairPoints | None:
    """What these sums say of two entrants that are in all of them; None without a deal."""
    with undamaged(f"a row of points of {a} and {b}"):
        sums = point_sums([_of_two(row, a, b) for row in rows])
    groups = fit_points(sums)
    if not groups:
        return None
    values = {rating.bot: rating for rating in groups[0].ratings}
    is_known = not values[0].provisional
    return PairPoints(
        deals=values[0].deals,
        margin=values[0].value - values[1].value,
        error=NORMAL_95 * groups[0].difference_se(0, 1) if is_known else None,
    )


def _of_two(row: PointsRow, a: str, b: str) -> PairingPoints:
    """The sums of a pairing without its other entrants."""
    size = len(row.pairing)
    kept = (row.pairing.index(a), row.pairing.index(b), size)
    place = {pair: n for n, pair in enumerate(combinations_with_replacement(range(size + 1), 2))}
    pairs = combinations_with_replacement(kept, 2)
    return PairingPoints(
        bots=(0, 1),
        matches=row.matches,
        sums=tuple(row.sums[i] for i in kept),
        products=tuple(row.products[place[min(pair), max(pair)]] for pair in pairs),
    )
