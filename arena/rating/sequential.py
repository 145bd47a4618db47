"""A against B as a sequential test (GSPRT): looked at after every match, stopped when it is clear.

The log-likelihood ratio of H1 against H0 runs between two bounds; whoever drives a test looks
after every whole match (all its rotations), in the order of the schedule, and stops at the first
look that has a decision. The statistic and the hypotheses are fixed before the first match.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from arena.rating.anytime import points_interval, score_interval
from arena.rating.likelihood_ratio import Model, multinomial_llr, normal_llr
from arena.rating.match_scores import (
    NORMALIZED,
    Moments,
    elo_of_score,
    moments,
    score_of_elo,
    strength,
)
from arena.rating.point_sums import PairingPoints
from arena.rating.stopped import Adjusted, Stop, adjusted
from arena.rating.tails import NORMAL_95

Decision = Literal["H0", "H1"]
"""Which hypothesis is accepted."""

FURTHEST = 500.0
"""Hypotheses are Elo from -500 to 500; beyond, few match scores could have them."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """When a test stops."""

    alpha: float = 0.05
    """Probability to accept H1 where H0 is true, above 0."""
    beta: float = 0.05
    """Probability to accept H0 where H1 is true; both together are below 1."""
    fewest_matches: int = 20
    """No decision before so many."""

    def __post_init__(self) -> None:
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise ValueError("alpha and beta are above 0, and below 1 together")

    @property
    def lower(self) -> float:
        """H0 is accepted at this log-likelihood ratio or below."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """H1 is accepted at this log-likelihood ratio or above."""
        return math.log((1 - self.beta) / self.alpha)

    def decision(self, matches: int, llr: float) -> Decision | None:
        """What is decided after so many matches; None: play on."""
        if matches < self.fewest_matches or self.lower < llr < self.upper:
            return None
        return "H1" if llr > 0 else "H0"


@dataclass(frozen=True, slots=True)
class EloHypotheses:
    """How much stronger the first bot is: under H0 elo0, under H1 elo1, which is more."""

    elo0: float = 0.0
    elo1: float = 20.0
    model: Model = "logistic"
    """Which kind of Elo that is."""

    def __post_init__(self) -> None:
        if not -FURTHEST <= self.elo0 < self.elo1 <= FURTHEST:
            raise ValueError(f"elo0 is below elo1, and both are from {-FURTHEST:g} to {FURTHEST:g}")

    def llr(self, counts: Sequence[int]) -> float:
        """Log-likelihood ratio of H1 against H0. Raises ValueError for no counts."""
        return multinomial_llr(counts, self.elo0, self.elo1, self.model)

    def scores(self, seen: Moments) -> tuple[float, float]:
        """Mean scores under both, at the spread that was seen."""
        if self.model == "logistic":
            return score_of_elo(self.elo0), score_of_elo(self.elo1)
        unit = seen.game_deviation / NORMALIZED
        return 0.5 + self.elo0 * unit, 0.5 + self.elo1 * unit


@dataclass(frozen=True, slots=True)
class PointsHypotheses:
    """How many points a match the first bot makes more: under H0 d0, under H1 d1, which is more."""

    d0: float
    d1: float

    def __post_init__(self) -> None:
        if not -math.inf < self.d0 < self.d1 < math.inf:
            raise ValueError("d0 is below d1")


@dataclass(frozen=True, slots=True)
class Look:
    """A test after so many matches; strengths are in Elo, or in points a match."""

    matches: int
    llr: float
    """Log-likelihood ratio of H1 against H0."""
    lower: float
    """H0 is accepted where the ratio is not above this."""
    upper: float
    """H1 is accepted where the ratio is not below this."""
    decision: Decision | None
    """The accepted hypothesis; None: play on."""
    estimate: float | None
    """Strength as the matches stand; after a decision it is biased. None: all won or all lost."""
    error: float | None
    """Half the width of its 95 % interval, for who planned so many matches and looks once."""
    low: float
    """Lower end of a 95 % interval that holds at all looks together; it may be infinite."""
    high: float
    """Upper end of that interval; it may be infinite."""
    adjusted: Adjusted | None
    """After a decision the estimate that allows for the stop; None where nothing varied."""


def look_at_scores(
    counts: Sequence[int], hypotheses: EloHypotheses, bounds: Bounds = Bounds()
) -> Look:
    """Look at match scores, counted as in `arena.rating.match_scores`, in Elo.

    Raises ValueError for anything but three or five counts of at least one match.
    """
    matches, llr = sum(counts), hypotheses.llr(counts)
    decision = bounds.decision(matches, llr)
    seen, strong = moments(counts), strength(counts)
    low, high = score_interval(counts)
    ends = hypotheses.scores(seen)
    return Look(
        matches=matches,
        llr=llr,
        lower=bounds.lower,
        upper=bounds.upper,
        decision=decision,
        estimate=strong.elo,
        error=strong.elo_error,
        low=elo_of_score(low),
        high=elo_of_score(high),
        adjusted=_in_elo(_adjusted(bounds, decision, matches, seen.mean, seen.variance, ends)),
    )


def look_at_points(
    sums: PairingPoints, hypotheses: PointsHypotheses, bounds: Bounds = Bounds()
) -> Look:
    """Look at the points of two bots, in points a match that the first makes more.

    Raises ValueError for more than two bots, or no match.
    """
    if len(sums.bots) != 2 or sums.matches < 1:
        raise ValueError("expected points of two bots in at least one match")
    mean = (sums.sums[0] - sums.sums[1]) / sums.matches
    squares = sums.products[0] - 2 * sums.products[1] + sums.products[3]
    variance = max(squares / sums.matches - mean**2, 0.0)
    llr = normal_llr(sums.matches, mean, variance, hypotheses.d0, hypotheses.d1)
    decision = bounds.decision(sums.matches, llr)
    low, high = points_interval(sums.matches, mean, variance)
    ends = hypotheses.d0, hypotheses.d1
    return Look(
        matches=sums.matches,
        llr=llr,
        lower=bounds.lower,
        upper=bounds.upper,
        decision=decision,
        estimate=mean,
        error=NORMAL_95 * math.sqrt(variance / sums.matches),
        low=low,
        high=high,
        adjusted=_adjusted(bounds, decision, sums.matches, mean, variance, ends),
    )


def _adjusted(
    bounds: Bounds,
    decision: Decision | None,
    matches: int,
    mean: float,
    variance: float,
    values: tuple[float, float],
) -> Adjusted | None:
    if decision is None or variance <= 0:
        return None
    return adjusted(
        Stop(
            matches=matches,
            mean=mean,
            variance=variance,
            value0=values[0],
            value1=values[1],
            lower=bounds.lower,
            upper=bounds.upper,
            accepted_h1=decision == "H1",
            at_first_look=matches == bounds.fewest_matches,
        )
    )


def _in_elo(scores: Adjusted | None) -> Adjusted | None:
    if scores is None:
        return None
    return Adjusted(*map(elo_of_score, (scores.estimate, scores.low, scores.high)))
