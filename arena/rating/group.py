"""What a fit says about the bots of one scale: ratings, intervals, ranks, quality of the fit."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.rating.tails import NORMAL_95, chi_square_above, normal_below

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ELO = 400 / math.log(10)
"""Elo per unit of natural-log ability."""
FEWEST_MATCHES = 10
"""Below this a rating is provisional: the clustered errors of so few matches are too small."""
POOR_FIT = 0.05
"""A p-value of the deviance test below this flags the group as not transitive."""
STREAK = 0.05
"""How improbable a row of nothing but wins may be at the rating called "at least"."""
_NOTHING = 1e-9
"""Elo differences below this are rounding, not strength."""


@dataclass(frozen=True, slots=True)
class Rating:
    """One bot on the scale of its group, all values in Elo."""

    bot: int
    """Its index in the results."""
    rating: float
    """Ratings of a group have the mean asked for, 1500 by default."""
    se: float
    """Standard error against the mean of the group."""
    low: float
    """Lower end of the 95 % interval; after wins only, the x of "at least x" (95 % one-sided)."""
    high: float
    """Upper end; infinite after wins only. After losses only it is the x of "at most x"."""
    rank_low: int
    """Best rank it may have: 1 + bots that are above it by a pairwise z at 95 %."""
    rank_high: int
    """Worst rank it may have: all bots that are not below it by such a z."""
    games: int
    """Games against single opponents: a game of more sides counts once for each of them."""
    matches: int
    """Matches (rotation sets) it took part in."""
    provisional: bool
    """Fewer than 10 matches: show no plus or minus."""
    all_won: bool
    """It never lost or drew a game; its rating rests on the prior."""
    all_lost: bool
    """It never won or drew a game."""


@dataclass(frozen=True, eq=False)
class Group:
    """Bots on one scale. All matrices follow the order of `ratings`."""

    ratings: tuple[Rating, ...]
    """In descending rating."""
    phantom: float | None
    """Elo of the prior's phantom on this scale; None without a prior."""
    covariance: Floats
    """Joint covariance of the ratings in Elo squared, rows summing to zero."""
    superiority: Floats
    """[i, j]: likelihood that bot i is stronger than bot j, 0 to 1."""
    residuals: Floats
    """[i, j]: Pearson residual of i's score against j; NaN where they never met."""
    deviance: float
    """Twice the log-likelihood lost against a free win rate for every pair; the prior is no part
    of it. It takes games as independent; exchanged legs and draws make it smaller than that."""
    df: int
    """Pairs with games minus (bots - 1)."""
    p_value: float | None
    """Probability of so large a deviance if the model holds; None on 0 df. It comes out too low
    where most pairs have few games (20 % of true models below 0.05 at 4 games a pair)."""

    @property
    def non_transitive(self) -> bool:
        """Whether one number a bot does not describe who beats whom.

        Both the deviance and Pearson's sum of squared residuals must have a p-value below 0.05:
        the latter has the right mean however few games a pair has.
        """
        if self.p_value is None or self.p_value >= POOR_FIT:
            return False
        pearson = float(np.nansum(self.residuals**2)) / 2
        return chi_square_above(pearson, self.df) < POOR_FIT

    def difference_se(self, i: int, j: int) -> float:
        """Standard error in Elo of the difference of the i-th and the j-th rating."""
        c = self.covariance
        return math.sqrt(max(float(c[i, i] + c[j, j] - 2 * c[i, j]), 0.0))


def expected_scores(ability: Floats) -> Floats:
    """[i, j]: expected score of one game of i against j, from natural-log abilities."""
    chances: Floats = 1 / (1 + np.exp(ability[None, :] - ability[:, None]))
    return chances


def one_sided(wins: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Flags of the bots that scored in full, and of those that scored nothing."""
    return wins.sum(axis=0) == 0, wins.sum(axis=1) == 0


def describe(
    bots: Ints,
    wins: Floats,
    ability: Floats,
    covariance: Floats,
    matches: Ints,
    *,
    phantom: bool,
    center: float,
) -> Group:
    """Turn a fitted group into its ratings.

    `wins[i, j]` is the score of bot i of the group against j, `ability` and `covariance` are in
    natural-log units with the phantom at 0, `matches` counts each bot's matches, `center` is the
    mean in Elo that the ratings get.
    """
    order = np.argsort(-ability, kind="stable")
    square = np.ix_(order, order)
    bots, ability, matches, wins = bots[order], ability[order], matches[order], wins[square]
    covariance = covariance[square] * ELO**2
    shift = center - ELO * float(ability.mean())
    z = _pairwise_z(ability * ELO, covariance)
    expected = expected_scores(ability)
    deviance, df = _deviance(wins, expected)
    return Group(
        ratings=_ratings(bots, wins, ability, covariance, matches, z, shift),
        phantom=shift if phantom else None,
        covariance=covariance,
        superiority=_superiority(z),
        residuals=_residuals(wins, expected),
        deviance=deviance,
        df=df,
        p_value=chi_square_above(deviance, df) if df else None,
    )


def _ratings(
    bots: Ints,
    wins: Floats,
    ability: Floats,
    covariance: Floats,
    matches: Ints,
    z: Floats,
    shift: float,
) -> tuple[Rating, ...]:
    rating = ability * ELO + shift
    se = np.sqrt(np.maximum(np.diag(covariance), 0))
    low, high = rating - NORMAL_95 * se, rating + NORMAL_95 * se
    all_won, all_lost = one_sided(wins)
    games = wins + wins.T
    for i in np.flatnonzero(all_won):
        low[i], high[i] = shift + ELO * _streak_bound(games[i], ability), math.inf
    for i in np.flatnonzero(all_lost):
        low[i], high[i] = -math.inf, shift - ELO * _streak_bound(games[i], -ability)
    surely_above = z > NORMAL_95
    rank_low = 1 + surely_above.sum(axis=0)
    rank_high = len(bots) - surely_above.sum(axis=1)
    played = games.sum(axis=1).astype(np.int64)
    provisional = matches < FEWEST_MATCHES
    columns = [bots, rating, se, low, high, rank_low, rank_high, played, matches, provisional]
    columns += [all_won, all_lost]
    return tuple(Rating(*row) for row in zip(*(c.tolist() for c in columns), strict=True))


def _streak_bound(games: Floats, opponents: Floats) -> float:
    """Ability at which winning all these games has probability 0.05, by bisection."""
    met = games > 0
    low, high = float(opponents[met].min()) - 50, float(opponents[met].max()) + 50
    while high - low > 1e-10:
        middle = (low + high) / 2
        log_chance = -float(games[met] @ np.logaddexp(0, opponents[met] - middle))
        low, high = (middle, high) if log_chance < math.log(STREAK) else (low, middle)
    return low


def _pairwise_z(rating: Floats, covariance: Floats) -> Floats:
    """[i, j]: difference of the ratings of i and j in its standard errors."""
    variance = np.diag(covariance)
    spread = np.sqrt(np.maximum(variance[:, None] + variance[None, :] - 2 * covariance, 0))
    difference = rating[:, None] - rating[None, :]
    difference[np.abs(difference) < _NOTHING] = 0
    certain = np.copysign(np.inf, difference)
    z = np.divide(difference, spread, out=certain, where=spread > 0)
    z[difference == 0] = 0
    return z


def _superiority(z: Floats) -> Floats:
    """Normal probabilities of all z; below the diagonal the complements of those above it."""
    rows, columns = np.triu_indices(len(z), 1)
    above = normal_below(z[rows, columns])
    superiority = np.full(z.shape, 0.5)
    superiority[rows, columns] = above
    superiority[columns, rows] = 1 - above
    return superiority


def _deviance(wins: Floats, expected: Floats) -> tuple[float, int]:
    games = wins + wins.T
    scored = wins > 0
    ratio = np.divide(wins, games * expected, out=np.ones_like(wins), where=scored)
    deviance = 2 * float((wins * np.log(ratio)).sum())
    pairs = int(np.count_nonzero(games)) // 2
    return max(deviance, 0.0), pairs - (len(wins) - 1)


def _residuals(wins: Floats, expected: Floats) -> Floats:
    games = wins + wins.T
    spread = np.sqrt(games * expected * expected.T)
    missing = np.full(wins.shape, np.nan)
    residuals: Floats = np.divide(wins - games * expected, spread, out=missing, where=games > 0)
    return residuals
