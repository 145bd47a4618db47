"""What a sequential test that has stopped says about the strength it tested.

A test stops because its likelihood ratio has drifted far, so that the plain estimate is biased
away from the middle. Outcomes are put in an order instead, from the fastest acceptance of H0 over
slow ones to the fastest acceptance of H1; the estimate is the strength under which a worse outcome
has probability 1/2, and the ends of the interval those with 1 - p/2 and p/2 (Siegmund, Biometrika
65, 1978, and "Sequential Analysis", 1985, chapter 3; fishtest does the same). The likelihood ratio
is taken for Brownian motion between two absorbing barriers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

_NEGLIGIBLE = 1e-17
_FAR_TAIL = -30.0
_HALVINGS = 100


@dataclass(frozen=True, slots=True)
class Adjusted:
    """Estimate after a stop, in the unit that was tested."""

    estimate: float
    """As often too high as too low (median-unbiased)."""
    low: float
    """Lower end of the 95 % interval."""
    high: float
    """Upper end of the 95 % interval."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a test stopped, by the scores or points of its matches."""

    matches: int
    mean: float
    """Of a match."""
    variance: float
    """Of a match, above 0."""
    value0: float
    """Mean under H0."""
    value1: float
    """Mean under H1, above `value0`."""
    lower: float
    """Barrier of H0, below 0."""
    upper: float
    """Barrier of H1, above 0."""
    accepted_h1: bool
    at_first_look: bool
    """It stopped as soon as it might, maybe far beyond the barrier."""

    @property
    def step(self) -> float:
        """How far a match moves the log-likelihood ratio for every unit above the middle."""
        return (self.value1 - self.value0) / self.variance

    def drift(self, value: float) -> float:
        """How far a match moves the ratio if this is the true mean."""
        return (value - (self.value0 + self.value1) / 2) * self.step

    @property
    def time(self) -> float:
        """Matches until the barrier, which the last of them jumped over by a little."""
        barrier = self.upper if self.accepted_h1 else self.lower
        reached = self.matches * self.drift(self.mean)
        return self.matches * barrier / reached if reached * barrier > 0 else self.matches


def adjusted(stop: Stop) -> Adjusted:
    """Estimate the mean of one match from where the test stopped."""

    def worse(value: float) -> float:
        return probability_of_worse(stop, value)

    width = stop.value1 - stop.value0
    low, median, high = (_falling_to(p, worse, stop.mean, width) for p in (0.975, 0.5, 0.025))
    return Adjusted(median, low, high)


def probability_of_worse(stop: Stop, value: float) -> float:
    """Probability of a worse outcome if this is the true mean of a match."""
    if stop.at_first_look:
        error = math.sqrt(stop.variance / stop.matches)
        return math.exp(_log_normal_below((stop.mean - value) / error))
    drift, deviation = stop.drift(value), stop.step * math.sqrt(stop.variance)
    if stop.accepted_h1:
        return 1 - absorbed_above(stop.time, stop.upper, -stop.lower, drift, deviation)
    return absorbed_above(stop.time, -stop.lower, stop.upper, -drift, deviation)


def absorbed_above(time: float, up: float, down: float, drift: float, deviation: float) -> float:
    """Probability that Brownian motion from 0 is at `up` by this time and was not at -`down`.

    The method of images: the sum over the images of the upper barrier, on alternating sides, of
    the probability to reach each of them if it stood alone.
    """
    spread = deviation * math.sqrt(time)
    tilt = drift / deviation**2

    def reached(distance: float) -> float:
        straight = (drift * time - distance) / spread
        mirrored = (-drift * time - distance) / spread
        return math.exp(tilt * (up - distance) + _log_normal_below(straight)) + math.exp(
            tilt * (up + distance) + _log_normal_below(mirrored)
        )

    total = 0.0
    for image in count():
        near = reached(up + 2 * image * (up + down))
        total += near - reached(2 * (image + 1) * (up + down) - up)
        if near < _NEGLIGIBLE:
            break
    return min(max(total, 0.0), 1.0)


def _log_normal_below(z: float) -> float:
    """Logarithm of the probability that a standard normal variable is below z."""
    if z > _FAR_TAIL:
        return math.log(math.erfc(-z / math.sqrt(2)) / 2)
    return -z * z / 2 - math.log(-z * math.sqrt(2 * math.pi)) + math.log1p(-1 / (z * z))


def _falling_to(
    target: float, function: Callable[[float], float], start: float, width: float
) -> float:
    """Where a function that falls from 1 to 0 has this value."""
    low, high = start - width, start + width
    while function(low) < target:
        low -= high - low
    while function(high) > target:
        high += high - low
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) > target else (low, middle)
    return (low + high) / 2
