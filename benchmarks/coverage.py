"""How often 95 % intervals hold the truth: eight bots of known strength, simulated matches.

Run from the root: python -m benchmarks.coverage [--repetitions N]

A match is two games on the same decks with the seats exchanged, whose luck is shared: what the
decks give to a bot in one game they take in the other (legs against each other), or a bot that
plays well with these decks does so twice (legs alike). Wins and points have the same luck.
"""

from __future__ import annotations

import argparse
import math
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from arena.rating import ELO, NORMAL_95, PointSums, Results, fit, fit_points

Floats = NDArray[np.float64]

BOTS = 8
STRENGTH_ELO = np.linspace(-150, 150, BOTS)
POINTS_OF_ELO = 0.01
"""Points a deal that an Elo is worth."""
DEALS = 7
"""Deals of a game, on average."""
DEVIATION = 12.0
"""Standard deviation of a deal's margin."""
LUCK = {"legs against each other": -0.5, "legs unrelated": 0.0, "legs alike": 0.5}
"""Correlation of the two games of a match."""
KINDS = ("clustered", "fisher", "differences", "points")


def main() -> None:
    """Simulate, fit and print the share of intervals that hold the truth."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--repetitions", type=int, default=300)
    repetitions = parser.parse_args().repetitions
    print(f"Intervals of 95 % that hold the truth, {BOTS} bots, {repetitions} repetitions, in %")
    print(f"{'matches a pairing':>17}  {'luck':<23}" + "".join(f"{kind:>13}" for kind in KINDS))
    for matches in (20, 100, 400):
        for name, correlation in LUCK.items():
            random = np.random.default_rng([matches, round(10 * correlation) + 10])
            runs = [_held(random, matches, correlation) for _ in range(repetitions)]
            shares = 100 * np.mean(runs, axis=0)
            print(f"{matches:>17}  {name:<23}" + "".join(f"{share:>13.1f}" for share in shares))


def _held(random: np.random.Generator, matches: int, correlation: float) -> list[float]:
    """The shares of intervals that hold the truth in one tournament, by kind."""
    results, sums = _tournament(random, matches, correlation)
    (clustered,) = fit(results, center=0.0)
    (fisher,) = fit(results, center=0.0, errors="fisher")
    (points,) = fit_points([sums])
    truth = STRENGTH_ELO - STRENGTH_ELO.mean()
    differences = [
        abs(a.rating - b.rating - truth[a.bot] + truth[b.bot])
        < NORMAL_95 * clustered.difference_se(i, j)
        for i, a in enumerate(clustered.ratings)
        for j, b in enumerate(clustered.ratings[:i])
    ]
    return [
        float(np.mean([r.low < truth[r.bot] < r.high for r in clustered.ratings])),
        float(np.mean([r.low < truth[r.bot] < r.high for r in fisher.ratings])),
        float(np.mean(differences)),
        float(np.mean([r.low < POINTS_OF_ELO * truth[r.bot] < r.high for r in points.ratings])),
    ]


def _tournament(
    random: np.random.Generator, matches: int, correlation: float
) -> tuple[Results, PointSums]:
    """Everybody against everybody, so many matches a pairing."""
    a, b = np.triu_indices(BOTS, 1)
    shape = (len(a), matches, 2)
    luck = random.normal(size=shape)
    luck[..., 1] = correlation * luck[..., 0] + math.sqrt(1 - correlation**2) * luck[..., 1]
    lead = STRENGTH_ELO[a] - STRENGTH_ELO[b]
    # A game is won where its luck is below the quantile of its probability: exactly the model.
    needed = [NormalDist().inv_cdf(1 / (1 + math.exp(-elo / ELO))) for elo in lead]
    wins = (luck < np.array(needed)[:, None, None]).sum(axis=2)
    pair = np.repeat(np.arange(len(a)), matches)
    ones = np.ones(len(pair), dtype=np.int64)
    results = Results(a[pair], b[pair], 2 * ones, wins.ravel().astype(np.float64), ones)
    return results, _points(random, np.stack([a, b], axis=1), lead, luck)


def _points(
    random: np.random.Generator, bots: NDArray[np.int64], lead: Floats, luck: Floats
) -> PointSums:
    """Margins by the lead and the same luck, which is good for the first bot where it is low."""
    deals = random.integers(DEALS - 2, DEALS + 3, luck.shape)
    expected = POINTS_OF_ELO * lead[:, None, None] * deals
    margin = (expected - DEVIATION * np.sqrt(deals) * luck).sum(axis=2)
    z = np.stack([margin, np.zeros_like(margin), deals.sum(axis=2)], axis=1)
    products = np.einsum("pim,pjm->pij", z, z)[:, *np.triu_indices(3)]
    matches = np.full(len(bots), luck.shape[1])
    return PointSums(bots, matches, z.sum(axis=2), products)


if __name__ == "__main__":
    main()
