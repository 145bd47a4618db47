"""Chances of winning against sums over all that may happen, and at their ends."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

from arena.luck.chances import chances, fixed_deals, many_sides, race
from protocol.rules import make_rules

POINTS = np.array([[3, 5], [6, 1], [2, 2], [7, 0], [0, 4]])
"""Deals that bring the dealer's side and the other so much, all equally likely."""
TARGET = 15


@cache
def by_hand(a: int, b: int, left: int, target: int | None) -> float:
    """Chance of the side with a, which deals next, by going through all deals."""
    over = target is not None and max(a, b) >= target and a != b
    if over or left == 0:
        return 0.5 if a == b else float(a > b)
    after = [by_hand(b + int(y), a + int(x), left - 1, target) for x, y in POINTS]
    return 1 - math.fsum(after) / len(after)


SCORES = [(0, 0), (4, 9), (14, 14), (15, 15), (40, 40), (13, 2), (15, 3), (9, 20), (17, 16)]


@pytest.mark.parametrize("left", [0, 1, 2, 7])
def test_a_race_with_few_deals_left(left: int) -> None:
    chance = race(TARGET, 7, POINTS)(np.array(SCORES), left)
    expected = [by_hand(a, b, left, TARGET) for a, b in SCORES]
    assert chance[:, 0] == pytest.approx(expected, abs=1e-12)
    assert chance.sum(axis=1) == pytest.approx(1)


def test_a_race_without_an_end_in_sight() -> None:
    chance = race(TARGET, 10_000, POINTS)(np.array(SCORES), 9_000)
    assert chance[:, 0] == pytest.approx([by_hand(a, b, 60, TARGET) for a, b in SCORES], abs=1e-9)


def test_a_race_that_never_moves_ends_in_nothing() -> None:
    nothing = np.zeros((3, 2), dtype=np.int64)
    chance = race(TARGET, 200, nothing)(np.array([(0, 0), (3, 2)]), 150)
    assert chance[:, 0].tolist() == [0.5, 1.0]


@pytest.mark.parametrize("left", [0, 1, 2, 5])
def test_a_number_of_deals(left: int) -> None:
    scores = [(0, 0), (10, 12), (12, 10), (50, 47), (1000, 0), (0, 1000)]
    chance = fixed_deals(POINTS)(np.array(scores), left)
    expected = [by_hand(a, b, left, None) for a, b in scores]
    assert chance[:, 0] == pytest.approx(expected, abs=1e-12)


def test_thousands_of_deals_are_nearly_normal() -> None:
    lead = POINTS[:, 0] - POINTS[:, 1]
    spread = float(lead.std()) * math.sqrt(9000)
    chance = fixed_deals(POINTS)(np.array([(100, 0), (0, 300)]), 9000)
    expected = [0.5 + 0.5 * math.erf(ahead / spread / math.sqrt(2)) for ahead in (100, -300)]
    assert chance[:, 0] == pytest.approx(expected, abs=2e-3)


def test_of_many_sides_the_one_ahead_has_the_best_chance_and_more_so_near_the_end() -> None:
    points = np.array([[3, 5, 1], [6, 1, 2], [2, 2, 9], [7, 0, 3]])
    chance = many_sides(100, points)
    early, late = chance(np.array([[20, 10, 0], [90, 80, 70]]), 200)
    assert early[0] > early[1] > early[2]
    assert late[0] > early[0]
    assert [early.sum(), late.sum()] == pytest.approx([1, 1])


def test_of_many_sides_who_has_won_has_won() -> None:
    points = np.array([[3, 5, 1], [6, 1, 2], [2, 2, 9], [7, 0, 3]])
    won, even, last = (
        many_sides(100, points)(np.array([[99, 101, 98]]), 5)[0],
        many_sides(100, points)(np.array([[101, 101, 20]]), 5)[0],
        many_sides(100, points)(np.array([[60, 60, 20]]), 0)[0],
    )
    assert won.tolist() == [0, 1, 0]
    assert even[0] == even[1] > even[2] > 0
    assert last.tolist() == [0.5, 0.5, 0]


def test_the_model_of_many_sides_is_close_to_what_such_deals_really_bring() -> None:
    """Ten thousand games drawn from the deals, from a score in the middle of the game."""
    draw = np.random.default_rng(1)
    points = draw.poisson(10, (500, 3)) + 6 * draw.poisson(0.4, (500, 3))
    start, games = np.array([60, 45, 50]), 10_000
    scores, wins = np.tile(start, (games, 1)), np.zeros(3)
    while len(scores):
        scores = scores + points[draw.integers(0, 500, len(scores))]
        best = scores.max(axis=1)
        over = (best >= 101) & ((scores == best[:, None]).sum(axis=1) == 1)
        wins += np.bincount(scores[over].argmax(axis=1), minlength=3)
        scores = scores[~over]
    model = many_sides(101, points)(start[None], 200)[0]
    assert model == pytest.approx(wins / games, abs=0.04)


def test_every_rule_set_has_chances_and_only_large_targets_a_model() -> None:
    two = POINTS
    exact = chances(make_rules("kseri", {"target": 300}), two)
    model = chances(make_rules("kseri", {"target": 1_000_000}), two)
    for chance in (exact, model):
        assert chance(np.array([[30, 30]]), 100)[0, 0] == pytest.approx(0.5, abs=0.06)
    start = exact(np.array([[150, 140]]), 200)[0]
    assert model(np.array([[150, 140]]), 200)[0] == pytest.approx(start, abs=0.25)
