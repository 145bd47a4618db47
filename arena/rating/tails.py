"""Tail probabilities, written out so that ratings need nothing beside numpy."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

NORMAL_95 = 1.959963984540054
"""A normal variable stays within so many standard deviations with probability 0.95."""


def normal_below(z: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probability that a standard normal variable is below z, for each element."""
    scaled = (z.ravel() * -math.sqrt(0.5)).tolist()
    tails = np.fromiter(map(math.erfc, scaled), np.float64, len(scaled))
    return (tails / 2).reshape(z.shape)


def chi_square_above(x: float, df: int) -> float:
    """Probability that a chi-square variable of df >= 1 degrees of freedom exceeds x >= 0.

    It is the regularised incomplete gamma function Q(df/2, x/2): its series below the mean,
    its continued fraction above (Abramowitz and Stegun 6.5.29 and 6.5.31), each of about
    sqrt(df) steps. Raises ValueError outside these ranges.
    """
    if df < 1 or not 0 <= x < math.inf:
        raise ValueError(f"no chi-square tail for x = {x} on {df} degrees of freedom")
    if x == 0:
        return 1.0
    shape, half = df / 2, x / 2
    front = math.exp(shape * math.log(half) - half - math.lgamma(shape))
    if half < shape + 1:
        return 1 - front * _series(shape, half)
    return front * _continued_fraction(shape, half)


def _series(shape: float, x: float) -> float:
    """Sum of x^k / (shape (shape+1) ... (shape+k)) over k >= 0."""
    term = total = 1 / shape
    while term > total * 1e-17:
        shape += 1
        term *= x / shape
        total += term
    return total


def _continued_fraction(shape: float, x: float) -> float:
    """1/(x+1-s- 1(1-s)/(x+3-s- 2(2-s)/(x+5-s- ...))) for x > s, by Lentz's method."""
    tiny = 1e-300
    below = x + 1 - shape
    ratio, inverse = 1 / tiny, 1 / below
    value = inverse
    step, change = 0, 0.0
    while abs(change - 1) > 1e-15:
        step += 1
        factor = -step * (step - shape)
        below += 2
        inverse = 1 / (factor * inverse + below or tiny)
        ratio = below + factor / ratio or tiny
        change = inverse * ratio
        value *= change
    return value
