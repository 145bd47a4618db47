"""Refit ratings and points a deal of 1,000 bots from 10^7 games on one core: seconds and memory.

Run from the root: python -m benchmarks.rating_speed
"""

from __future__ import annotations

import os

# Read by the linear algebra library when numpy is loaded: the aim is stated for one core.
os.environ.update(dict.fromkeys(["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"], "1"))

import resource
import time
from collections.abc import Callable

import numpy as np

from arena.rating import ELO, PointSums, Results, fit, fit_points

BOTS = 1000
GAMES = 10_000_000
SPREAD_ELO = 200


def pool(seed: int = 1) -> Results:
    """Every pair meets in 10 or 11 matches of two games; 2 % of the games are drawn."""
    random = np.random.default_rng(seed)
    a, b = np.triu_indices(BOTS, 1)
    matches = np.full(len(a), GAMES // 2 // len(a))
    matches[: GAMES // 2 - matches.sum()] += 1
    ability = random.normal(0, SPREAD_ELO, BOTS) / ELO
    win = 0.98 / (1 + np.exp(ability[b] - ability[a]))
    lose = 0.98 - win
    draw = 0.02
    cells = [lose**2, 2 * lose * draw, 2 * lose * win + draw**2, 2 * draw * win, win**2]
    count = random.multinomial(matches, np.stack(cells, axis=1))
    pair, outcome = np.nonzero(count)
    two = np.full(len(pair), 2)
    return Results(a[pair], b[pair], two, outcome / 2, count[pair, outcome])


def point_sums(seed: int = 2) -> PointSums:
    """The points of the same matches: 6 deals a game, margins of 12 points around even."""
    random = np.random.default_rng(seed)
    a, b = np.triu_indices(BOTS, 1)
    matches = np.full(len(a), GAMES // 2 // len(a))
    deals = 12.0 * matches
    margins = random.normal(0, 12 * np.sqrt(deals))
    squares = 144 * 12 * random.chisquare(matches)
    none = np.zeros(len(a))
    sums = np.stack([margins, none, deals], axis=1)
    products = np.stack([squares, none, 12 * margins, none, none, 12 * deals], axis=1)
    return PointSums(np.stack([a, b], axis=1), matches, sums, products)


def main() -> None:
    """Time five refits, the building of the results not counted."""
    results, points = pool(), point_sums()
    print(f"{results.bots} bots, {len(results.a)} rows", end=", ")
    print(f"{int((results.games * results.count).sum())} games")
    _report("ratings", lambda: fit(results))
    _report("points a deal", lambda: fit_points([points]))
    peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory of the process: {peak_mib:.0f} MiB")


def _report(what: str, refit: Callable[[], object]) -> None:
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        refit()
        seconds.append(time.perf_counter() - start)
    print(f"{what}: {min(seconds):.2f} s at best, {max(seconds):.2f} s at worst")


if __name__ == "__main__":
    main()
