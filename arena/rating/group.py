"""What a fit says about the bots of one scale: ratings, intervals, ranks, quality of the fit."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.rating.superiority import pairwise_z, superiority
from arena.rating.tails import NORMAL_95, chi_square_above

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

ELO = 400 / math.log(10)
"""Elo per unit of natural-log ability."""
FEWEST_MATCHES = 10
"""Below this a rating is provisional: the clustered errors of so few matches are too small."""
POOR_FIT = 0.05
"""Both p-values of the fit below this flag the group as not transitive."""


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
    """Best rank it may have: 1 + bots that are above it by a pairwise z at 95 %; provisional
    bots are above nobody, and nobody above them."""
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
    pearson: float
    """Pearson's statistic, the sum over pairs of their squared residuals. If the model holds its
    mean is the df however few games a pair has."""
    pearson_p: float | None
    """Probability of so large a statistic of Pearson's if the model holds; None on 0 df."""

    @property
    def non_transitive(self) -> bool:
        """Whether one number a bot does not describe who beats whom: both p-values below 0.05."""
        if self.p_value is None or self.pearson_p is None:
            return False
        return self.p_value < POOR_FIT and self.pearson_p < POOR_FIT

    def difference_se(self, i: int, j: int) -> float:
        """Standard error in Elo of the difference of the i-th and the j-th rating."""
        c = self.covariance
        return math.sqrt(max(float(c[i, i] + c[j, j] - 2 * c[i, j]), 0.0))


@dataclass(frozen=True, eq=False)
class Fitted:
    """What a fit found out about connected bots, in any order.

    Abilities are in natural-log units, with the prior's phantom at 0.
    """

    bots: Ints
    """Their indices in the results."""
    ability: Floats
    covariance: Floats
    """Joint covariance of the abilities relative to their mean."""
    games: Floats
    """Games of each bot."""
    matches: Ints
    """Matches of each bot."""
    all_won: Flags
    all_lost: Flags
    bound: Floats
    """Where all was won the lowest, where all was lost the highest ability that this allows
    (95 %, one-sided); of no meaning for other bots."""
    residuals: Floats
    """[i, j]: Pearson residual of i's score against j; NaN where they never met."""
    deviance: float
    pearson: float
    df: int


def describe(fitted: Fitted, *, phantom: bool, center: float) -> Group:
    """Turn what was fitted into ratings with the mean `center` in Elo.

    `phantom`: whether the fit had a prior.
    """
    order = np.argsort(-fitted.ability, kind="stable")
    square = np.ix_(order, order)
    covariance = fitted.covariance[square] * ELO**2
    shift = center - ELO * float(fitted.ability.mean())
    z = pairwise_z(fitted.ability[order] * ELO, covariance)
    df = fitted.df
    return Group(
        ratings=_ratings(fitted, order, np.sqrt(np.maximum(np.diag(covariance), 0)), z, shift),
        phantom=shift if phantom else None,
        covariance=covariance,
        superiority=superiority(z),
        residuals=fitted.residuals[square],
        deviance=fitted.deviance,
        df=df,
        p_value=chi_square_above(fitted.deviance, df) if df else None,
        pearson=fitted.pearson,
        pearson_p=chi_square_above(fitted.pearson, df) if df else None,
    )


def _ratings(
    fitted: Fitted, order: Ints, se: Floats, z: Floats, shift: float
) -> tuple[Rating, ...]:
    """The bots in this order; `se` and `z` are in it already."""
    rating = fitted.ability[order] * ELO + shift
    bound = fitted.bound[order] * ELO + shift
    won, lost = fitted.all_won[order], fitted.all_lost[order]
    low = np.where(lost, -math.inf, np.where(won, bound, rating - NORMAL_95 * se))
    high = np.where(won, math.inf, np.where(lost, bound, rating + NORMAL_95 * se))
    # So few matches say too little of their own spread to place anybody.
    is_told = fitted.matches[order] >= FEWEST_MATCHES
    surely_above = (z > NORMAL_95) & is_told[:, None] & is_told[None, :]
    rank_low = 1 + surely_above.sum(axis=0)
    rank_high = len(order) - surely_above.sum(axis=1)
    matches, games = fitted.matches[order], fitted.games[order].astype(np.int64)
    provisional = matches < FEWEST_MATCHES
    columns = [fitted.bots[order], rating, se, low, high, rank_low, rank_high, games, matches]
    columns += [provisional, won, lost]
    return tuple(Rating(*row) for row in zip(*(c.tolist() for c in columns), strict=True))
