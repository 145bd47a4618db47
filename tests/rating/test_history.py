"""Online Elo step by step."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator

import numpy as np
import pytest

from arena.rating.history import START, K, online_elo


def test_a_win_moves_equals_by_half_of_k() -> None:
    points = list(online_elo([[("a", "b", 2, 2.0)]]))
    assert points == [(1, "a", START + K / 2), (1, "b", START - K / 2)]


def test_a_match_is_one_step_however_many_games_it_has() -> None:
    short = list(online_elo([[(0, 1, 1, 0.5)], [(0, 1, 1, 1.0)]]))
    long = list(online_elo([[(0, 1, 10, 5.0)], [(0, 1, 10, 10.0)]]))
    assert short == long
    assert [point.match for point in short] == [1, 1, 2, 2]


def test_a_bot_moves_by_what_it_scores_beyond_what_its_lead_let_expect() -> None:
    draw, ratings = np.random.default_rng(2), {"a": START, "b": START}
    scores = [float(draw.random() < 0.9) for _ in range(300)]
    points = online_elo([("a", "b", 1, score)] for score in scores)
    for score in scores:
        expected = 1 / (1 + 10 ** ((ratings["b"] - ratings["a"]) / 400))
        moved = ratings["a"] + K * (score - expected)
        ratings = {bot: rating for _, bot, rating in itertools.islice(points, 2)}
        assert ratings["a"] == pytest.approx(moved)
    # Nine wins in ten are worth 382 Elo, about which it goes on straying.
    assert 250 < ratings["a"] - ratings["b"] < 520


def test_at_a_table_of_three_a_bot_moves_by_the_mean_over_its_opponents() -> None:
    table = [(0, 1, 3, 3.0), (0, 2, 3, 1.5), (1, 2, 3, 0.0)]
    ratings = {point.bot: point.rating - START for point in online_elo([table])}
    assert ratings == {0: K / 4, 1: -K / 2, 2: K / 4}


def test_nothing_is_won_that_nobody_lost() -> None:
    draw = np.random.default_rng(1)
    table = [
        [(a, b, 2, float(draw.integers(0, 5)) / 2) for a, b in itertools.combinations(range(4), 2)]
        for _ in range(50)
    ]
    last = {point.bot: point.rating for point in online_elo(table)}
    assert sum(last.values()) == pytest.approx(4 * START)


def test_the_order_of_matches_matters() -> None:
    matches = [[("a", "b", 1, 1.0)], [("b", "c", 1, 1.0)], [("a", "c", 1, 0.0)]]
    ends = {
        tuple(sorted({point.bot: point.rating for point in online_elo(order)}.items()))
        for order in itertools.permutations(matches)
    }
    assert len(ends) > 1


def test_points_come_as_matches_do_and_only_ratings_are_kept() -> None:
    taken = 0

    def endless() -> Iterator[list[tuple[str, str, int, float]]]:
        nonlocal taken
        while True:
            taken += 1
            yield [("a", "b", 1, 1.0)]

    points = online_elo(endless())
    for number in range(1, 2001):
        assert [next(points).match, next(points).match] == [number, number]
        assert taken == number


def test_curves_are_a_few_lines_away() -> None:
    curves = defaultdict(list)
    for match, bot, rating in online_elo([[("a", "b", 1, 1.0)], [("a", "c", 1, 1.0)]]):
        curves[bot].append((match, rating))
    assert [match for match, _ in curves["a"]] == [1, 2]
    assert [match for match, _ in curves["c"]] == [2]
