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
    information = np.zeros((entrants, entrants))
    for (a, b), count in games.items():
        information[[a, b], [b, a]] -= count / 4
        information[[a, b], [a, b]] += count / 4
    values, vectors = np.linalg.eigh(information)
    # One direction, all ratings alike, is never told.
    if values[1] <= 1e-9 * max(values[-1], 1.0):
        return float("inf"), float("inf")
    covariance = (vectors[:, 1:] / values[1:]) @ vectors[:, 1:].T
    variance = np.diag(covariance)
    apart = variance[:, None] + variance[None, :] - 2 * covariance
    unit = NORMAL_95 * ELO
    return float(unit * np.sqrt(variance.max())), float(unit * np.sqrt(apart.max()))
