"""What is known of intervals before a game is played."""

from __future__ import annotations

import math
from itertools import combinations

import pytest

from arena.rating import ELO, NORMAL_95, planned_errors


@pytest.mark.parametrize("entrants", [2, 3, 8])
def test_a_round_robin_tells_all_equally(entrants: int) -> None:
    games = dict.fromkeys(combinations(range(entrants), 2), 40.0)
    rating, difference = planned_errors(entrants, games)
    # Each pair weighs 40/4: covariance (I - J/n) / (n 40/4).
    assert rating == pytest.approx(
        NORMAL_95 * ELO * math.sqrt((1 - 1 / entrants) / (entrants * 10))
    )
    assert difference == pytest.approx(NORMAL_95 * ELO * math.sqrt(2 / (entrants * 10)))


def test_of_a_gauntlet_those_who_never_met_are_told_apart_worst() -> None:
    games = {(0, other): 120.0 for other in range(1, 4)}
    _, difference = planned_errors(4, games)
    assert difference == pytest.approx(NORMAL_95 * ELO * math.sqrt(2 * 4 / 120))


def test_without_a_chain_of_games_nothing_is_told() -> None:
    assert planned_errors(4, {(0, 1): 10.0, (2, 3): 10.0}) == (math.inf, math.inf)


def test_nobody_is_rated_alone() -> None:
    with pytest.raises(ValueError, match="alone"):
        planned_errors(1, {})
