"""Ratings of bots that play in pairs: one ability a bot, a pair's are added up.

The side of bots a and c scores against that of b and d as 1/(1 + exp(b + d - a - c)). Everything
else (prior, scale, clustered errors) is as for single bots; a side may be the same bot twice.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from arena.rating.bradley_terry import Errors
from arena.rating.connection import connected_groups
from arena.rating.group import Fitted, Group, describe
from arena.rating.team_quality import (
    bounds,
    chances,
    information,
    lack_of_fit,
    one_sided_bots,
    residuals,
)
from arena.rating.team_results import Design, TeamResults, design

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

_SMALLEST_PRIOR = 1e-6
_CLOSE_ENOUGH = 1e-7
"""Newton's last step in natural-log units; the error after it is about its square."""
_MOST_STEPS = 1000
_NOTHING = 1e-9
"""Beside the largest, an eigenvalue of the information this small is 0 but for rounding."""


def fit_teams(
    results: TeamResults,
    *,
    prior: float = 1.0,
    center: float = 1500.0,
    errors: Errors = "clustered",
) -> tuple[Group, ...]:
    """Rate all bots that have games, the largest connected group first.

    `prior`, `center` and `errors` are those of `fit`, but here a prior there must be: two bots
    that always sit together can't be told apart by games. What games do not tell has the error of
    the prior. `residuals[i, j]` takes all games that have i on one side and j on the other; the
    deviance and its df count pairings of sides. Raises ValueError for a prior that is none or so
    small that rounding drowns it.
    """
    if not _SMALLEST_PRIOR <= prior < math.inf:
        raise ValueError(f"the prior is at least {_SMALLEST_PRIOR} games, not {prior}")
    groups = connected_groups(_met(results))
    return tuple(_group(results, bots, prior, center, errors) for bots in groups)


def _met(results: TeamResults) -> Floats:
    """[i, j]: rows that have both."""
    bots = results.bots
    size = int(bots.max(initial=-1)) + 1
    everybody = Design(bots, np.ones(bots.shape), size)
    return everybody.outer_products(np.ones(len(bots)))


def _group(results: TeamResults, bots: Ints, prior: float, center: float, errors: Errors) -> Group:
    own = _within(results, bots)
    model = design(own)
    ability = _abilities(own, model, prior)
    log_odds = model.log_odds(ability)
    untold = _untold_directions(model.outer_products(information(own, log_odds)))
    all_won, all_lost = one_sided_bots(own, model)
    lack = lack_of_fit(own, log_odds)
    squares = None
    if errors == "clustered":
        squares = _squares(own, model, log_odds, all_won | all_lost)
    fitted = Fitted(
        bots=bots,
        ability=ability,
        covariance=_covariance(own, model, log_odds, squares, untold, _pull(ability, prior)),
        games=model.seated(own.count * own.games),
        matches=model.seated(own.count).astype(np.int64),
        all_won=all_won,
        all_lost=all_lost,
        bound=bounds(own, model, ability, all_won, all_lost),
        residuals=residuals(own, log_odds, model.size),
        deviance=lack.deviance,
        pearson=lack.pearson,
        df=lack.pairings - (len(bots) - 1 - round(float(np.trace(untold)))),
    )
    return describe(fitted, phantom=True, center=center)


def _covariance(
    results: TeamResults,
    model: Design,
    log_odds: Floats,
    squares: Floats | None,
    untold: Floats,
    pull: Floats,
) -> Floats:
    """Joint covariance of the abilities relative to their mean; without squares Fisher's."""
    told = model.outer_products(information(results, log_odds))
    covariance = np.linalg.inv(told + np.diag(pull))
    if squares is not None:
        meat = model.outer_products(squares) + untold @ np.diag(pull) @ untold
        covariance = covariance @ meat @ covariance
    covariance = covariance - covariance.mean(axis=0)
    centred: Floats = covariance - covariance.mean(axis=1)[:, None]
    return centred


def _within(results: TeamResults, bots: Ints) -> TeamResults:
    """The rows of these bots, who are counted from 0 in them."""
    place = np.full(int(results.bots.max()) + 1, -1)
    place[bots] = np.arange(len(bots))
    rows = place[results.first[:, 0]] >= 0
    return TeamResults(
        place[results.first[rows]],
        place[results.second[rows]],
        results.games[rows],
        results.score[rows],
        results.count[rows],
    )


def _abilities(results: TeamResults, model: Design, prior: float) -> Floats:
    """Newton's method with the damped step of `arena.rating.bradley_terry`.

    Its r is the largest move of any row's log-odds, the phantom's rows included.
    """
    ability = np.zeros(model.size)
    for _ in range(_MOST_STEPS):
        log_odds = model.log_odds(ability)
        surprise = results.count * (results.score - results.games * chances(log_odds))
        gradient = model.sums(surprise) - prior / 2 * np.tanh(ability / 2)
        told = model.outer_products(information(results, log_odds))
        told.flat[:: model.size + 1] += _pull(ability, prior)
        step = np.linalg.solve(told, gradient).astype(np.float64, copy=False)
        move = float(max(np.abs(step).max(), np.abs(model.log_odds(step)).max()))
        if move < _CLOSE_ENOUGH:
            ability += step
            return ability
        ability += step * (math.log1p(move) / move)
    raise ArithmeticError(f"no fit after {_MOST_STEPS} steps of Newton's method")


def _pull(ability: Floats, prior: float) -> Floats:
    """The prior's information on each ability."""
    pull: Floats = prior / 4 / np.cosh(ability / 2) ** 2
    return pull


def _untold_directions(told: Floats) -> Floats:
    """Projection on what no game tells: differences of bots that always sit together, say.

    The direction in which all abilities move alike is no part of it.
    """
    scale = float(told.diagonal().max())
    eigenvalues, vectors = np.linalg.eigh(told + scale / len(told))
    null = vectors[:, eigenvalues < _NOTHING * scale]
    projection: Floats = null @ null.T
    return projection


def _squares(results: TeamResults, model: Design, log_odds: Floats, extreme: Flags) -> Floats:
    """Squared residuals of each row's matches.

    Those of bots that won or lost everything are all small and alike, and would make them look
    sure: where they are below the model's variance, that stands in for them.
    """
    expected = results.games * chances(log_odds)
    squares: Floats = results.count * (results.score - expected) ** 2
    rows = extreme[model.bots].any(axis=1)
    model_variance = information(results, log_odds)
    squares[rows] = np.maximum(squares[rows], model_variance[rows])
    return squares
