"""Which of two bots is the stronger one, from estimates and their joint covariance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena.rating.tails import normal_below

Floats = NDArray[np.float64]

_NOTHING = 1e-9
"""Differences below this are rounding, not strength; of ratings in Elo, of points a deal."""


def pairwise_z(value: Floats, covariance: Floats) -> Floats:
    """[i, j]: difference of the values of i and j in its standard errors.

    Infinite where they differ and nothing speaks of an error.
    """
    variance = np.diag(covariance)
    spread = np.sqrt(np.maximum(variance[:, None] + variance[None, :] - 2 * covariance, 0))
    difference = value[:, None] - value[None, :]
    difference[np.abs(difference) < _NOTHING] = 0
    certain = np.copysign(np.inf, difference)
    z = np.divide(difference, spread, out=certain, where=spread > 0)
    z[difference == 0] = 0
    return z


def superiority(z: Floats) -> Floats:
    """[i, j]: likelihood that i is stronger than j; below the diagonal the exact complements."""
    rows, columns = np.triu_indices(len(z), 1)
    above = normal_below(z[rows, columns])
    likelihood = np.full(z.shape, 0.5)
    likelihood[rows, columns] = above
    likelihood[columns, rows] = 1 - above
    return likelihood
