"""How sure ratings will be, before a game is played."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from arena.rating.group import ELO
from arena.rating.tails import NORMAL_95


def planned_errors(entrants: int, games: Mapping[tuple[int, int], float]) -> tuple[float, float]:
    """Half widths of 95 % intervals in Elo: of a rating, and of a difference of two; the widest.

    By the Fisher information of `games` between equals, by pair of entrants from 0, as if games
    were independent. Infinite where no chain of games connects two entrants. Raises ValueError
    for fewer than two entrants.
    """
    if entrants < 2:
        raise ValueError("one entrant alone is not rated")
    weights = np.zeros((entrants, entrants))
    pairs = np.array(list(games), np.int64).reshape(-1, 2)
    np.add.at(weights, (pairs[:, 0], pairs[:, 1]), np.array(list(games.values()), float) / 4)
    weights += weights.T
    information = np.diag(weights.sum(axis=1)) - weights
    values, vectors = np.linalg.eigh(information)
    # One direction, all ratings alike, is never told.
    if values[1] <= 1e-9 * max(values[-1], 1.0):
        return float("inf"), float("inf")
    covariance = (vectors[:, 1:] / values[1:]) @ vectors[:, 1:].T
    variance = np.diag(covariance)
    apart = variance[:, None] + variance[None, :] - 2 * covariance
    unit = NORMAL_95 * ELO
    return float(unit * np.sqrt(variance.max())), float(unit * np.sqrt(apart.max()))
