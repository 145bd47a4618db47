"""Intervals that hold at every look at once: a test may be watched and stopped at will."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from arena.rating.match_scores import checked, moments

Floats = NDArray[np.float64]

_STRATEGIES = 1024
_SHARES = np.sin(np.pi * (np.arange(_STRATEGIES) + 0.5) / (2 * _STRATEGIES)) ** 2
"""Quantiles of the Beta(1/2, 1/2) distribution: what a gambler may stake on high scores."""
_PRECISION = 1e-12
_SHARPEST_AT = 200
"""Matches at which the interval of points is as narrow as it can be made."""


def score_interval(counts: Sequence[int], alpha: float = 0.05) -> tuple[float, float]:
    """Mean match scores, 0 to 1, that the counts do not refute at level `alpha` at any time.

    Whatever the true mean and the law of the scores around it, the interval holds it at all looks
    together with probability 1 - alpha at least, for any number of matches. Against every mean m
    gamblers bet that put a constant share b on high scores: a match of score x multiplies what
    such a one has by b x/m + (1 - b)(1 - x)/(1 - m). If m is true the average over all shares b
    is a martingale from 1 that reaches 1/alpha with probability alpha at most (Ville 1939). The
    shares are spread as in Cover's universal portfolio (Orabona and Jun, IEEE Transactions on
    Information Theory 70, 2024; the method is that of Waudby-Smith and Ramdas, Journal of the
    Royal Statistical Society B 86, 2024). Raises ValueError for anything but three or five counts
    of at least one match.
    """
    checked(counts)
    mean = moments(counts).mean

    def holds(candidate: float) -> bool:
        return log_wealth(counts, candidate) < -math.log(alpha)

    # Every gambler's wealth is log-convex in m, and so is their average: what it does not refute
    # is an interval, and it has the mean seen so far, where nobody has gained.
    low = 0.0 if mean == 0 else _edge(holds, mean, 0.0)
    high = 1.0 if mean == 1 else _edge(holds, mean, 1.0)
    return low, high


def log_wealth(counts: Sequence[int], mean: float) -> float:
    """Logarithm of what betting against this true mean, above 0 and below 1, has come to."""
    played = [(i / (len(counts) - 1), count) for i, count in enumerate(counts) if count]
    logs: Floats = sum(
        (
            count * np.log(_SHARES * (score / mean) + (1 - _SHARES) * ((1 - score) / (1 - mean)))
            for score, count in played
        ),
        start=np.zeros(_STRATEGIES),
    )
    most = float(logs.max())
    return most + math.log(float(np.exp(logs - most).mean()))


def points_interval(
    matches: int, mean: float, variance: float, alpha: float = 0.05
) -> tuple[float, float]:
    """Mean points a match that are not refuted at level `alpha` at any time.

    `variance` is that of the points of the matches, with divisor `matches`. Points have no bounds
    to bet within. If they are normal, with any variance, the interval holds the true mean at all
    looks together with probability 1 - alpha at least: the t-test's likelihood ratio, averaged
    over normal effect sizes, is a martingale (Lai, Annals of Statistics 4, 1976; Wang and Ramdas,
    "Anytime-valid t-tests and confidence sequences for Gaussian means with unknown variance",
    Sequential Analysis 44, 2025). For other laws that becomes true with more matches. The ends
    are infinite while there are too few.
    """
    inner = 1 + matches * _effect_variance(alpha)
    ratio = (inner / alpha**2) ** (1 / matches)
    if ratio >= inner:
        return -math.inf, math.inf
    error = math.sqrt(max(variance, 0) * (ratio - 1) / (1 - ratio / inner))
    return mean - error, mean + error


def _effect_variance(alpha: float) -> float:
    """Spread of effect sizes that makes the interval narrowest after so many matches."""
    doubt = -2 * math.log(alpha)
    return (doubt + math.log(doubt) + 1) / _SHARPEST_AT


def _edge(holds: Callable[[float], bool], inside: float, outside: float) -> float:
    """The number between them from which on it does not hold, rounded outwards."""
    while abs(outside - inside) > _PRECISION:
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if holds(middle) else (inside, middle)
    return outside
