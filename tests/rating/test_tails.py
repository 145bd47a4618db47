"""Tail probabilities against closed forms and table values."""

from __future__ import annotations

import math

import numpy as np
import pytest

from arena.rating.tails import NORMAL_95, chi_square_above, normal_below


@pytest.mark.parametrize("x", [1e-9, 0.1, 0.9, 1, 1.5, 3, 3.841459, 30, 200])
def test_one_degree_of_freedom_is_the_square_of_a_normal(x: float) -> None:
    assert chi_square_above(x, 1) == pytest.approx(math.erfc(math.sqrt(x / 2)), rel=1e-12)


@pytest.mark.parametrize("df", [2, 4, 10, 60])
@pytest.mark.parametrize("x", [0.01, 1, 9, 61, 62, 63, 150])
def test_even_degrees_of_freedom_are_a_poisson_sum(df: int, x: float) -> None:
    poisson = math.fsum(
        math.exp(k * math.log(x / 2) - x / 2 - math.lgamma(k + 1)) for k in range(df // 2)
    )
    assert chi_square_above(x, df) == pytest.approx(poisson, rel=1e-11, abs=1e-15)


@pytest.mark.parametrize(
    ("df", "x"), [(1, 3.841), (2, 5.991), (3, 7.815), (7, 14.067), (15, 24.996), (100, 124.342)]
)
def test_five_percent_points_of_the_table(df: int, x: float) -> None:
    assert chi_square_above(x, df) == pytest.approx(0.05, abs=2e-5)


def test_as_many_degrees_of_freedom_as_pairs_of_a_thousand_bots() -> None:
    df = 498_501
    for z in (-3, -1, 0, 1, 3):
        cube_root = 1 - 2 / (9 * df) + z * math.sqrt(2 / (9 * df))  # Wilson and Hilferty
        expected = math.erfc(z / math.sqrt(2)) / 2
        assert chi_square_above(df * cube_root**3, df) == pytest.approx(expected, abs=1e-6)


def test_ends_of_the_range() -> None:
    assert chi_square_above(0, 5) == 1
    assert chi_square_above(5000, 5) == pytest.approx(0, abs=1e-300)


@pytest.mark.parametrize(("x", "df"), [(1, 0), (-1, 3), (math.nan, 3), (math.inf, 3)])
def test_outside_the_range_is_an_error(x: float, df: int) -> None:
    with pytest.raises(ValueError, match="no chi-square tail"):
        chi_square_above(x, df)


def test_normal_probabilities_keep_their_shape_and_far_tails() -> None:
    z = np.array([[0, NORMAL_95], [-10, np.inf]])
    expected = np.array([[0.5, 0.975], [7.619853024160527e-24, 1]])
    assert normal_below(z) == pytest.approx(expected, rel=1e-12)
