"""Generalized log-likelihood ratios of two hypotheses on match scores or points.

The hypotheses say one number (mean score, its distance from 1/2 in standard deviations, mean
points); everything else is fitted under each of them: Michel Van den Bergh, "Comments on
normalized Elo" and "A practical introduction to the GSPRT", as fishtest computes it, without the
approximation by a normal distribution.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import mul
from typing import Literal

from arena.rating.match_scores import NORMALIZED, checked, score_of_elo

Model = Literal["logistic", "normalized"]
Distribution = list[tuple[float, float]]
"""(value, probability) for each outcome."""

EMPTY = 1e-3
"""What a cell counts that has no match."""
_T_STEP = 0.2
_MOST_ROUNDS = 1000
_NEAR, _STEADY = 1e-4, 1e-12
_MET = 1e-6
"""How exactly the fitted distribution must have what the hypothesis says."""


def multinomial_llr(
    counts: Sequence[int], elo0: float, elo1: float, model: Model = "logistic"
) -> float:
    """Log-likelihood ratio of elo1 against elo0, from counts of match scores.

    `counts` are three or five as in `arena.rating.match_scores`; `model` says in which kind of Elo
    the hypotheses are. Raises ValueError for other counts, and for hypotheses that no distribution
    over these outcomes meets.
    """
    checked(counts)
    filled = [count or EMPTY for count in counts]
    matches, last = sum(filled), len(counts) - 1
    seen = [(i / last, count / matches) for i, count in enumerate(filled)]
    under0, under1 = (_fitted(seen, elo, model) for elo in (elo0, elo1))
    pairs = zip(filled, under0, under1, strict=True)
    return math.fsum(count * math.log(p1 / p0) for count, (_, p0), (_, p1) in pairs)


def normal_llr(matches: int, mean: float, variance: float, d0: float, d1: float) -> float:
    """Log-likelihood ratio of mean points d1 against d0, points being normal around it.

    `mean` and `variance` (divisor `matches`) are of the points a match. 0 where the points of all
    matches are the same: nothing says then how much they vary.
    """
    if variance <= 0:
        return 0.0
    ratio = (variance + (mean - d0) ** 2) / (variance + (mean - d1) ** 2)
    return matches / 2 * math.log(ratio)


def _fitted(seen: Distribution, elo: float, model: Model) -> Distribution:
    """The likeliest distribution that has this strength."""
    if model == "logistic":
        return with_mean(seen, score_of_elo(elo))
    games = (len(seen) - 1) // 2
    return _with_t_value(seen, elo / NORMALIZED * math.sqrt(games))


def with_mean(seen: Distribution, mean: float) -> Distribution:
    """The likeliest distribution with this mean, given what was seen of every outcome."""
    return _with_sum_zero(seen, [value - mean for value, _ in seen])


def _with_t_value(seen: Distribution, t: float) -> Distribution:
    """The likeliest distribution whose mean is t of its standard deviations above 1/2.

    From even chances, where t is 0, it goes to t by small steps: from too far away the iteration
    does not converge.
    """
    fitted = [(value, 1 / len(seen)) for value, _ in seen]
    steps = math.ceil(abs(t) / _T_STEP) or 1
    for step in range(1, steps + 1):
        steady = _STEADY if step == steps else _NEAR
        fitted = _near_t_value(seen, t * step / steps, fitted, steady)
    mean, deviation = _mean_and_deviation(fitted)
    if not abs((mean - 0.5) / deviation - t) < _MET:
        raise ValueError(f"no distribution of match scores has a normalized score of {t:g}")
    return fitted


def _near_t_value(
    seen: Distribution, t: float, fitted: Distribution, steady: float
) -> Distribution:
    """The same from a distribution that has nearly this t.

    The likelihood is made largest under a constraint that is linear in the probabilities and
    touches the real one at the last distribution, again and again (Van den Bergh, "Normalized Elo
    in practice", section 4.1).
    """
    for _ in range(_MOST_ROUNDS):
        before = fitted
        mean, deviation = _mean_and_deviation(fitted)
        tilts = [
            value - 0.5 - t * deviation * (1 + ((mean - value) / deviation) ** 2) / 2
            for value, _ in seen
        ]
        fitted = _with_sum_zero(seen, tilts)
        if max(abs(p - q) for (_, p), (_, q) in zip(before, fitted, strict=True)) < steady:
            break
    return fitted


def _mean_and_deviation(distribution: Distribution) -> tuple[float, float]:
    mean = math.fsum(value * p for value, p in distribution)
    variance = math.fsum((value - mean) ** 2 * p for value, p in distribution)
    return mean, math.sqrt(variance)


def _with_sum_zero(seen: Distribution, tilts: Sequence[float]) -> Distribution:
    """The likeliest distribution in which the tilts have mean 0: p / (1 + x tilt).

    Raises ValueError where all tilts have one sign.
    """
    low, high = min(tilts), max(tilts)
    if not low < 0 < high:
        raise ValueError("no distribution of match scores meets the hypothesis")

    chances = [p for _, p in seen]
    x = _root(chances, tilts, -1 / high, -1 / low)
    return [(value, p / (1 + x * t)) for (value, p), t in zip(seen, tilts, strict=True)]


def _root(chances: Sequence[float], tilts: Sequence[float], left: float, right: float) -> float:
    """Where the sum of p t/(1 + x t), which falls from pole to pole, is 0: Newton, or halving."""
    x, low, high = 0.0, left, right
    while True:
        shares = [t / (1 + x * t) for t in tilts]
        mean = float(sum(map(mul, chances, shares)))
        low, high = (x, high) if mean > 0 else (low, x)
        step = x + mean / sum(p * share * share for p, share in zip(chances, shares, strict=True))
        if not low < step < high:
            step = (low + high) / 2
        if abs(step - x) <= _STEADY * min(x - left, right - x):
            return step
        x = step
