"""Exact log-likelihood ratios against published numbers, brute force and symmetry."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating.likelihood_ratio import Model, multinomial_llr, normal_llr
from arena.rating.match_scores import NORMALIZED, moments


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "llr"),
    [
        ([10789, 19328, 33806, 19402, 10543], -3, 1, 2.131068),
        ([13, 37, 50, 25, 3], 0, 2.716, -0.537767),
        ([6, 0, 20, 0, 14], 0, 20, 0.796654),
    ],
)
def test_published_ratios(counts: list[int], elo0: float, elo1: float, llr: float) -> None:
    assert multinomial_llr(counts, elo0, elo1) == pytest.approx(llr, abs=5e-7, rel=0)


def test_published_ratio_of_points() -> None:
    assert normal_llr(500, 0.45, 36, 0, 0.4) == pytest.approx(1.384949, abs=5e-7, rel=0)


def test_points_that_never_vary_say_nothing() -> None:
    assert normal_llr(50, 3.0, 0.0, 0, 3) == 0


def best_trinomial(losses: int, draws: int, wins: int, t: float) -> float:
    """Largest log-likelihood with mean 1/2 + t standard deviations, over a fine grid of draws."""
    d = np.linspace(1e-6, 1, 1_000_000, endpoint=False)
    lead = t * np.sqrt((1 - d) / (1 + t * t))
    possible = np.abs(lead) < 1 - d
    d, lead = d[possible], lead[possible]
    terms = wins * np.log((1 - d + lead) / 2) + losses * np.log((1 - d - lead) / 2)
    return float((terms + draws * np.log(d)).max())


@pytest.mark.parametrize("counts", [(30, 40, 50), (5, 90, 2), (200, 1, 100), (3, 3, 30)])
@pytest.mark.parametrize("elos", [(0, 20), (-50, 100), (-400, 400)])
def test_normalized_ratio_is_that_of_the_likeliest_distributions(
    counts: tuple[int, int, int], elos: tuple[float, float]
) -> None:
    expected = best_trinomial(*counts, elos[1] / NORMALIZED)
    expected -= best_trinomial(*counts, elos[0] / NORMALIZED)
    assert multinomial_llr(counts, *elos, "normalized") == pytest.approx(expected, abs=1e-6)


def test_normalized_ratio_of_pairs_is_near_its_approximation_by_a_normal() -> None:
    counts = [39, 2226, 31451, 2412, 40]
    seen = moments(counts)
    nt = (seen.mean - 0.5) / seen.game_deviation
    misses = [1 + (nt - nelo / NORMALIZED) ** 2 for nelo in (0.764, 3.439)]
    expected = sum(counts) * math.log(misses[0] / misses[1])
    assert multinomial_llr(counts, 0.764, 3.439, "normalized") == pytest.approx(expected, rel=0.01)


some_counts = st.lists(st.sampled_from([0, 0, 1, 2, 5, 40, 1000]), min_size=5, max_size=5).filter(
    any
)
elos = st.floats(-300, 300)
models = st.sampled_from(["logistic", "normalized"])


@settings(max_examples=40, deadline=None)
@given(some_counts, elos, elos, models, st.booleans())
def test_seen_from_the_other_side_everything_is_turned_around(
    counts: list[int], elo0: float, elo1: float, model: Model, trinomial: bool
) -> None:
    counts = counts[::2] if trinomial and any(counts[::2]) else counts
    llr = multinomial_llr(counts, elo0, elo1, model)
    assert math.isfinite(llr)
    turned = multinomial_llr(counts[::-1], -elo0, -elo1, model)
    assert turned == pytest.approx(llr, rel=1e-6, abs=1e-6)
    assert multinomial_llr(counts, elo1, elo0, model) == pytest.approx(-llr, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 200), min_size=5, max_size=5), models)
def test_what_was_seen_is_likelier_than_anything_else(counts: list[int], model: Model) -> None:
    seen = moments(counts)
    if model == "logistic":
        own = NORMALIZED / 2 * math.log(seen.mean / (1 - seen.mean))
    else:
        own = NORMALIZED * (seen.mean - 0.5) / seen.game_deviation
    for other in (own - 30, own + 30):
        if abs(other) < 700:
            assert multinomial_llr(counts, own, other, model) < 0


def test_what_no_scores_can_have_is_refused() -> None:
    with pytest.raises(ValueError, match="no distribution of match scores"):
        multinomial_llr([1, 2, 3], 0, 100_000)
    with pytest.raises(ValueError, match="counts"):
        multinomial_llr([0, 0, 0], 0, 20)
