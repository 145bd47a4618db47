"""Intervals that hold at all looks together: by simulation, and at their ends."""

from __future__ import annotations

import math

import numpy as np
import pytest

from arena.rating.anytime import log_wealth, points_interval, score_interval

LAWS = {
    "decks that decide": [0.1, 0.05, 0.7, 0.05, 0.1],
    "all or nothing": [0.5, 0, 0, 0, 0.5],
    "far from even": [0.02, 0.03, 0.15, 0.1, 0.7],
    "hardly ever lost": [0.01, 0, 0.01, 0, 0.98],
}


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_scores_stay_inside_at_all_looks_together(law: list[float]) -> None:
    random = np.random.default_rng(8)
    truth = float(np.dot(law, [0, 0.25, 0.5, 0.75, 1]))
    left = 0
    for _ in range(200):
        outcomes = random.choice(5, size=300, p=law)
        totals = np.cumsum(outcomes[:, None] == np.arange(5), axis=0)
        looks = (log_wealth(counts, truth) for counts in totals[::6].tolist())
        left += any(wealth >= math.log(20) for wealth in looks)
    assert left / 200 < 0.05


def test_the_interval_is_what_betting_does_not_refute() -> None:
    for counts in ([3, 8, 20, 11, 5], [1, 0, 0], [40, 2, 70], [0, 0, 3, 1, 900]):
        low, high = score_interval(counts)
        inside = [low + (high - low) * share for share in (0.001, 0.3, 0.7, 0.999)]
        assert all(log_wealth(counts, mean) < math.log(20) for mean in inside if 0 < mean < 1)
        outside = [low - 1e-6, high + 1e-6, low / 2, (1 + high) / 2]
        assert all(log_wealth(counts, mean) > math.log(20) for mean in outside if 0 < mean < 1)


def test_all_won_ends_at_one_and_all_lost_at_zero() -> None:
    low, high = score_interval([0, 0, 0, 0, 30])
    assert high == 1
    assert 0.8 < low < 0.95
    assert score_interval([30, 0, 0, 0, 0]) == pytest.approx((0, 1 - low))


def test_width_falls_with_matches_and_is_little_more_than_that_of_one_look() -> None:
    for matches in (100, 1000, 100_000):
        counts = [matches // 4, 0, matches // 2, 0, matches // 4]
        low, high = score_interval(counts)
        in_errors = (high - low) / 2 / math.sqrt(0.125 / matches)
        assert 3 < in_errors < 4.6
        assert (low + high) / 2 == pytest.approx(0.5)


def test_a_smaller_level_is_a_wider_interval() -> None:
    counts = [5, 9, 30, 14, 8]
    wide, narrow = score_interval(counts, 0.01), score_interval(counts, 0.2)
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


def ever_outside(points: np.ndarray, truth: float) -> bool:
    """Whether the interval lost the true mean at any of many looks."""
    sums, squares = np.cumsum(points), np.cumsum(points**2)
    for matches in range(2, len(points) + 1, 1 + len(points) // 200):
        mean = float(sums[matches - 1]) / matches
        variance = float(squares[matches - 1]) / matches - mean**2
        low, high = points_interval(matches, mean, variance)
        if not low < truth < high:
            return True
    return False


def test_normal_points_stay_inside_at_all_looks_together_from_the_second_match_on() -> None:
    random = np.random.default_rng(9)
    runs = (random.normal(4, 30, 1000) for _ in range(400))
    assert np.mean([ever_outside(points, 4) for points in runs]) < 0.05


def test_points_of_another_law_nearly_do() -> None:
    random = np.random.default_rng(10)
    runs = (random.exponential(10, 600) - 6 for _ in range(300))
    assert np.mean([ever_outside(points, 4) for points in runs]) < 0.09


def test_one_match_says_nothing_about_points() -> None:
    assert points_interval(1, 3.0, 0.0) == (-math.inf, math.inf)
    low, high = points_interval(200, 3.0, 100.0)
    assert (low + high) / 2 == pytest.approx(3)
    assert 2.5 < (high - low) / 2 / math.sqrt(100 / 200) < 3.5


def test_points_that_never_varied_have_no_width() -> None:
    assert points_interval(20, 3.0, 0.0) == (3.0, 3.0)
