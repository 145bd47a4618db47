"""Where ratings and points a deal disagree, and where they only seem to."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from arena.rating import ELO, Group, Results, fit
from arena.rating.disagreement import agreement
from arena.rating.point_sums import no_points, point_sums
from arena.rating.points import PointsGroup, fit_points

WORTH = 40.0
"""Elo of a point a deal."""


def played(
    elo: list[float], points: list[float], matches: int, seed: int = 1
) -> tuple[Group, PointsGroup]:
    """Single games of ten deals between all bots, won by `elo`, with points by `points`."""
    random = np.random.default_rng(seed)
    games, pairings = [], []
    for a, b in combinations(range(len(elo)), 2):
        chance = 1 / (1 + np.exp((elo[b] - elo[a]) / ELO))
        games += [[(a, b, 1, float(won))] for won in random.random(matches) < chance]
        sums = no_points((a, b))
        for margin in random.normal(10 * (points[a] - points[b]), 30, matches).tolist():
            sums = sums.with_match((margin, 0), 10)
        pairings.append(sums)
    (group,) = fit(Results.from_matches(games))
    (valued,) = fit_points(point_sums(pairings))
    return group, valued


STRENGTH = [120.0, 60.0, 20.0, -20.0, -60.0, -120.0]


def test_where_wins_follow_points_nothing_is_flagged_and_the_slope_is_theirs() -> None:
    for seed in range(5):
        group, points = played(STRENGTH, [elo / WORTH for elo in STRENGTH], 400, seed)
        found = agreement(group, points)
        assert found is not None
        assert found.disagreeing == frozenset()
        assert found.elo_per_point == pytest.approx(WORTH, rel=0.2)
        assert set(found.distance) == set(range(6))


def test_a_bot_that_wins_without_points_is_flagged() -> None:
    points = [elo / WORTH for elo in STRENGTH]
    points[2] = -2.5
    found = agreement(*played(STRENGTH, points, 400))
    assert found is not None
    assert 2 in found.disagreeing
    assert found.distance[2] > 3
    assert max(found.distance, key=lambda bot: abs(found.distance[bot])) == 2


def test_noise_in_points_does_not_flatten_the_line() -> None:
    elo = [60.0, 30.0, 0.0, 0.0, -30.0, -60.0]
    slopes = []
    for seed in range(30):
        found = agreement(*played(elo, [e / WORTH for e in elo], 60, seed))
        assert found is not None
        slopes.append(found.elo_per_point)
    assert np.median(slopes) == pytest.approx(WORTH, rel=0.15)


def test_fewer_than_three_bots_are_not_compared() -> None:
    assert agreement(*played([50.0, -50.0], [1.0, -1.0], 50)) is None
    assert agreement(*played([50.0, 0.0, -50.0], [1.0, 0.0, -1.0], 50)) is not None


def test_provisional_bots_take_no_part() -> None:
    assert agreement(*played([50.0, 0.0, -50.0], [1.0, 0.0, -1.0], 4)) is None


def test_bots_that_won_everything_take_no_part() -> None:
    group, points = played([3000.0, 50.0, 0.0, -50.0], [9.0, 1.0, 0.0, -1.0], 30)
    found = agreement(group, points)
    assert group.ratings[0].all_won
    assert found is not None
    assert set(found.distance) == {1, 2, 3}
