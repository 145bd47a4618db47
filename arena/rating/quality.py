"""How well fitted chances describe scores, and what a row of nothing but wins says."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

STREAK = 0.05
"""How improbable a row of nothing but wins may be at the rating called "at least"."""


def expected_scores(ability: Floats) -> Floats:
    """[i, j]: expected score of one game of i against j, from natural-log abilities."""
    chances: Floats = 1 / (1 + np.exp(ability[None, :] - ability[:, None]))
    return chances


def one_sided(wins: Floats) -> tuple[Flags, Flags]:
    """Flags of the bots that scored in full, and of those that scored nothing."""
    return wins.sum(axis=0) == 0, wins.sum(axis=1) == 0


def deviance(scored: Floats, games: Floats, expected: Floats) -> float:
    """Twice the log-likelihood lost against a free win rate for every entry.

    Every pairing must be in the arrays twice, once from each side; `expected` is a game's score.
    """
    ratio = np.divide(scored, games * expected, out=np.ones_like(scored), where=scored > 0)
    return max(2 * float((scored * np.log(ratio)).sum()), 0.0)


def pearson_residuals(
    scored: Floats, games: Floats, expected: Floats, unexpected: Floats
) -> Floats:
    """What was scored beyond expectation, in standard deviations; NaN where there were no games.

    `unexpected` is 1 - `expected`, given apart because that difference may round to nothing.
    """
    spread = np.sqrt(games * expected * unexpected)
    missing = np.full(scored.shape, np.nan)
    residuals: Floats = np.divide(scored - games * expected, spread, out=missing, where=games > 0)
    return residuals


def streak_bound(games: Floats, times: Floats, others: Floats) -> float:
    """Ability x at which winning all these games has probability 0.05, by bisection.

    A game is won with probability 1/(1 + exp(others - times * x)), `times` above 0.
    """
    low, high = float((others / times).min()) - 50, float((others / times).max()) + 50
    while high - low > 1e-10:
        middle = (low + high) / 2
        log_chance = -float(games @ np.logaddexp(0, others - times * middle))
        low, high = (middle, high) if log_chance < math.log(STREAK) else (low, middle)
    return low
