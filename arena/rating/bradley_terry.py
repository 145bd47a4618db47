"""Ratings: Bradley-Terry by maximum likelihood, refitted from all results of a pool.

Bot i scores against bot j as 1/(1 + exp(ability_j - ability_i)); one Elo is ln(10)/400 of ability.
The fit does not depend on the order of games. Computing is dense in the bots: a handful of
bots x bots matrices, meant for up to a few thousand bots and any number of games.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from arena.rating.connection import connected_groups, require_finite_ratings
from arena.rating.group import Fitted, Group, describe
from arena.rating.quality import (
    deviance,
    expected_scores,
    one_sided,
    pearson_residuals,
    streak_bound,
)
from arena.rating.results import Appearances, Results, appearances

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Errors = Literal["clustered", "fisher"]

_CLOSE_ENOUGH = 1e-7
"""Newton's last step in natural-log units; the error after it is about its square."""
_MOST_STEPS = 1000
_SMALLEST_PRIOR = 1e-6


def fit(
    results: Results, *, prior: float = 1.0, center: float = 1500.0, errors: Errors = "clustered"
) -> tuple[Group, ...]:
    """Rate all bots that have games, the largest connected group first.

    `prior` is the number of virtual half-won games of each bot against a phantom that stands at
    ability 0, where the abilities centre; 0 gives the plain maximum likelihood and raises
    NoFiniteRatings if a group has none (a bot that won or lost everything, for one). `center` is
    the mean rating in Elo of each group. `errors`: "clustered" is the sandwich covariance by
    match (Liang and Zeger 1986, no small-sample factor), "fisher" trusts all games to be
    independent. Raises ValueError for a prior below 0, or so small that rounding drowns it.
    """
    if prior != 0 and not _SMALLEST_PRIOR <= prior < math.inf:
        raise ValueError(f"the prior is 0 or at least {_SMALLEST_PRIOR} games, not {prior}")
    entries = None if results.cluster is None else appearances(results)
    wins = score_matrix(results)
    ability = np.zeros(len(wins))
    groups = connected_groups(wins)
    for bots in groups:
        ability[bots] = _abilities(wins[np.ix_(bots, bots)], bots, prior)
    meat = None
    if errors == "clustered":
        meat = _meat(results, entries, wins, ability)
    matches = _matches(results, entries)
    return tuple(_group(bots, wins, ability, meat, matches, prior, center) for bots in groups)


def score_matrix(results: Results) -> Floats:
    """[i, j]: all that i scored against j. With its transpose it adds up to their games."""
    ahead = _pair_sums(results, results.count * results.score)
    behind = _pair_sums(results, results.count * (results.games - results.score))
    return ahead + behind.T


def score_equations(wins: Floats, ability: Floats, prior: float) -> Floats:
    """Gradient of the log-likelihood, with its prior, by each ability: zero at the fit."""
    gained = wins * expected_scores(ability).T
    pull = -prior / 2 * np.tanh(ability / 2)
    gradient: Floats = (gained - gained.T).sum(axis=1) + pull
    return gradient


def _group(
    bots: Ints,
    wins: Floats,
    ability: Floats,
    meat: Floats | None,
    matches: Ints,
    prior: float,
    center: float,
) -> Group:
    square = np.ix_(bots, bots)
    inner = None if meat is None else meat[square]
    covariance = _covariance(wins[square], ability[bots], inner, prior)
    fitted = _fitted(bots, wins[square], ability[bots], covariance, matches[bots])
    return describe(fitted, phantom=prior > 0, center=center)


def _fitted(bots: Ints, wins: Floats, ability: Floats, covariance: Floats, matches: Ints) -> Fitted:
    games, expected = wins + wins.T, expected_scores(ability)
    residuals = pearson_residuals(wins, games, expected, expected.T)
    all_won, all_lost = one_sided(wins)
    bound = np.zeros(len(bots))
    for i in np.flatnonzero(all_won):
        bound[i] = _streak_bound(games[i], ability)
    for i in np.flatnonzero(all_lost):
        bound[i] = -_streak_bound(games[i], -ability)
    return Fitted(
        bots=bots,
        ability=ability,
        covariance=covariance,
        games=games.sum(axis=1),
        matches=matches,
        all_won=all_won,
        all_lost=all_lost,
        bound=bound,
        residuals=residuals,
        deviance=deviance(wins, games, expected),
        pearson=float(np.nansum(residuals**2)) / 2,
        df=int(np.count_nonzero(games)) // 2 - (len(bots) - 1),
    )


def _streak_bound(games: Floats, opponents: Floats) -> float:
    met = games > 0
    return streak_bound(games[met], np.ones(int(met.sum())), opponents[met])


def _abilities(wins: Floats, names: Ints, prior: float) -> Floats:
    """Newton's method with the damped step of generalised self-concordant functions.

    The step ln(1 + r)/r, r the largest relative move of two bots, raises this likelihood from
    any start (Sun and Tran-Dinh, Mathematical Programming 178, 2019), so no line search is
    needed. Near the maximum it is the whole Newton step. The start, each bot's log-odds against
    all others, halves the number of steps.
    """
    if prior == 0:
        require_finite_ratings(wins, names)
    ability: Floats = np.log((wins.sum(axis=1) + 0.5) / (wins.sum(axis=0) + 0.5))
    if prior == 0:
        ability -= ability.mean()
    for _ in range(_MOST_STEPS):
        gradient = score_equations(wins, ability, prior)
        step = np.linalg.solve(_information(wins, ability, prior), gradient)
        move = float(max(step.max(), 0) - min(step.min(), 0))
        if move < _CLOSE_ENOUGH:
            ability += step
            return ability
        ability += step * (math.log1p(move) / move)
    raise ArithmeticError(f"no fit after {_MOST_STEPS} steps of Newton's method")


def _information(wins: Floats, ability: Floats, prior: float) -> Floats:
    """Fisher information; without a prior plus the gauge term that makes abilities sum to 0."""
    expected = expected_scores(ability)
    information = _laplacian((wins + wins.T) * expected * expected.T)
    if prior == 0:
        information += 1 / len(wins)
    else:
        information.flat[:: len(wins) + 1] += prior / 4 / np.cosh(ability / 2) ** 2
    return information


def _covariance(wins: Floats, ability: Floats, meat: Floats | None, prior: float) -> Floats:
    """Joint covariance of the abilities relative to their mean, in natural-log units squared."""
    bread = np.linalg.inv(_information(wins, ability, prior))
    covariance = bread if meat is None else bread @ meat @ bread
    covariance = covariance - covariance.mean(axis=0)
    centred: Floats = covariance - covariance.mean(axis=1)[:, None]
    return centred


def _meat(results: Results, entries: Appearances | None, wins: Floats, ability: Floats) -> Floats:
    """Sum over matches of the outer product of the match's score residuals by bot."""
    expected = expected_scores(ability)
    residual = results.score - results.games * expected[results.a, results.b]
    squares = _pair_sums(results, results.count * residual**2)
    squares = squares + squares.T
    meat = _laplacian(squares) if entries is None else _outer_products(entries, residual)
    return meat + _laplacian(_unseen_variance(wins, expected, squares))


def _unseen_variance(wins: Floats, expected: Floats, squares: Floats) -> Floats:
    """What the residuals of bots that won all or lost all lack of the model's variance.

    Such a bot's residuals are all small and alike, and would make its rating look sure.
    """
    all_won, all_lost = one_sided(wins)
    extreme = all_won | all_lost
    model = (wins + wins.T) * expected * expected.T
    lacking = np.maximum(model - squares, 0)
    lacking[~(extreme[:, None] | extreme[None, :])] = 0
    return lacking


def _outer_products(entries: Appearances, residual: Floats) -> Floats:
    """Entries are sorted by match and bot, so products of a match are those of near entries."""
    size = int(entries.bot.max(initial=-1)) + 1
    value = entries.sums(residual)
    products = np.zeros((size, size))
    np.fill_diagonal(products, np.bincount(entries.bot, entries.count * value**2, size))
    for lag in range(1, size):
        first = np.flatnonzero(entries.match[:-lag] == entries.match[lag:])
        if not first.size:
            break
        cells = entries.bot[first] * size + entries.bot[first + lag]
        weights = entries.count[first] * value[first] * value[first + lag]
        above = np.bincount(cells, weights, size * size).reshape(size, size)
        products += above + above.T
    return products


def _matches(results: Results, entries: Appearances | None) -> Ints:
    """Matches of each bot."""
    size = results.bots
    if entries is not None:
        return np.bincount(entries.bot, entries.count, size).astype(np.int64)
    as_a = np.bincount(results.a, results.count, size)
    return (as_a + np.bincount(results.b, results.count, size)).astype(np.int64)


def _pair_sums(results: Results, values: Floats) -> Floats:
    """[i, j]: sum of the values of all rows with a = i and b = j."""
    size = results.bots
    sums = np.bincount(results.a * size + results.b, values, size * size)
    return sums.astype(np.float64, copy=False).reshape(size, size)


def _laplacian(weights: Floats) -> Floats:
    """Sum over pairs of weight times (e_i - e_j)(e_i - e_j)'; weights symmetric, 0 for i = j."""
    laplacian = -weights
    laplacian.flat[:: len(weights) + 1] = weights.sum(axis=1)
    return laplacian
