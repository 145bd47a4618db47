"""What results of sides of two bots say against fitted abilities, and what they leave open."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.rating.quality import deviance, pearson_residuals, streak_bound
from arena.rating.team_results import Design, TeamResults, scattered

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def chances(log_odds: Floats) -> Floats:
    """Probability that the first side wins, by row."""
    chance: Floats = 1 / (1 + np.exp(-log_odds))
    return chance


def information(results: TeamResults, log_odds: Floats) -> Floats:
    """What each row tells of its log-odds: the variance of its points if the model holds."""
    variance = chances(log_odds) * chances(-log_odds)
    told: Floats = results.count * results.games * variance
    return told


def one_sided_bots(results: TeamResults, model: Design) -> tuple[Flags, Flags]:
    """Flags of the bots whose sides scored in full, and of those whose sides scored nothing."""
    behind = (results.games - results.score)[:, None]
    ahead = results.score[:, None]
    lost = np.where(model.weight > 0, behind, ahead) * (model.weight != 0)
    won = np.where(model.weight > 0, ahead, behind) * (model.weight != 0)
    lost, won = (scattered(model.bots, points, model.size) for points in (lost, won))
    return (lost == 0) & (won > 0), (won == 0) & (lost > 0)


def bounds(
    results: TeamResults, model: Design, ability: Floats, all_won: Flags, all_lost: Flags
) -> Floats:
    """The ability at which so much luck has probability 0.05, partners and opponents given."""
    bound = np.zeros(model.size)
    log_odds = model.log_odds(ability)
    for bot in np.flatnonzero(all_won | all_lost):
        rows, places = np.nonzero((model.bots == bot) & (model.weight != 0))
        weight = model.weight[rows, places]
        times = np.abs(weight)
        others = times * ability[bot] - np.sign(weight) * log_odds[rows]
        games = (results.count * results.games)[rows].astype(np.float64)
        sign = 1 if all_won[bot] else -1
        bound[bot] = sign * streak_bound(games, times, sign * others)
    return bound


def residuals(results: TeamResults, log_odds: Floats, size: int) -> Floats:
    """[i, j]: Pearson residual of all games with i on one side and j on the other."""
    sums = np.zeros((3, size * size))
    values = (
        results.count * results.score,
        results.count * results.games * chances(log_odds),
        information(results, log_odds),
    )
    twice = [side[:, 0] == side[:, 1] for side in (results.first, results.second)]
    for i, j in np.ndindex(2, 2):
        a, b = results.first[:, i], results.second[:, j]
        rows = (a != b) & ~(twice[0] & (i == 1)) & ~(twice[1] & (j == 1))
        for total, value in zip(sums, values, strict=True):
            total += scattered((a * size + b)[rows], value[rows], size * size)
    scored, expected, variance = sums.reshape(3, size, size)
    beyond = (scored - expected) - (scored - expected).T
    spread = np.sqrt(variance + variance.T)
    missing = np.full((size, size), np.nan)
    in_spreads: Floats = np.divide(beyond, spread, out=missing, where=spread > 0)
    return in_spreads


@dataclass(frozen=True)
class LackOfFit:
    """How well the pairings of sides are described."""

    pairings: int
    """Pairings of sides that met."""
    deviance: float
    """Twice the log-likelihood lost against a free win rate for each of them."""
    pearson: float
    """The sum of their squared Pearson residuals."""


def lack_of_fit(results: TeamResults, log_odds: Floats) -> LackOfFit:
    """All rows of the same two sides taken together, whichever of them stands first."""
    sides = np.sort(np.stack([results.first, results.second], axis=1), axis=2)
    key = sides[:, :, 0] * (int(sides.max()) + 1) + sides[:, :, 1]
    turned = key[:, 0] > key[:, 1]
    _, first, pairing = np.unique(
        np.sort(key, axis=1), axis=0, return_index=True, return_inverse=True
    )
    score = np.where(turned, results.games - results.score, results.score)
    odds = np.where(turned, -log_odds, log_odds)[first]
    games = scattered(pairing, results.count * results.games, len(first))
    scored = scattered(pairing, results.count * score, len(first))
    expected, unexpected = chances(odds), chances(-odds)
    both = [(scored, games - scored), (games, games), (expected, unexpected)]
    squares = pearson_residuals(scored, games, expected, unexpected) ** 2
    return LackOfFit(
        len(first), deviance(*(np.concatenate(pair) for pair in both)), float(squares.sum())
    )
