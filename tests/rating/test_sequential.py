"""The sequential test as a whole: errors, coverage after the stop, and single looks."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from arena.rating.likelihood_ratio import normal_llr, with_mean
from arena.rating.match_scores import score_of_elo
from arena.rating.point_sums import PairingPoints, no_points
from arena.rating.sequential import (
    Bounds,
    EloHypotheses,
    Look,
    PointsHypotheses,
    look_at_points,
    look_at_scores,
)
from arena.rating.stopped import absorbed_above

EVEN = [(0.0, 0.14), (0.25, 0.03), (0.5, 0.66), (0.75, 0.03), (1.0, 0.14)]
"""Match scores of Kseri between equals: most matches are split."""
ELO = EloHypotheses(0, 80)
BOUNDS = Bounds()


def scores_played(elo: float, random: np.random.Generator) -> Look:
    """Play matches of this strength until there is a decision."""
    chances = [p for _, p in with_mean(EVEN, score_of_elo(elo))]
    counts = [0] * 5
    while True:
        for outcome in random.choice(5, size=32, p=chances).tolist():
            counts[outcome] += 1
            if sum(counts) >= 20 and BOUNDS.decision(sum(counts), ELO.llr(counts)):
                return look_at_scores(counts, ELO)


@dataclass(frozen=True)
class Ends:
    """How many tests ended."""

    h1: float
    covered: float
    above: float


def simulated(play: Callable[[float, np.random.Generator], Look], truth: float) -> Ends:
    random = np.random.default_rng(3)
    looks = [play(truth, random) for _ in range(200)]
    found = [look.adjusted for look in looks if look.adjusted]
    assert len(found) == len(looks)
    return Ends(
        h1=float(np.mean([look.decision == "H1" for look in looks])),
        covered=float(np.mean([a.low < truth < a.high for a in found])),
        above=float(np.mean([a.estimate > truth for a in found])),
    )


@pytest.mark.parametrize(("elo", "wrong"), [(0, "H1"), (80, "H0")])
def test_a_true_hypothesis_is_rejected_in_one_test_of_twenty(elo: float, wrong: str) -> None:
    ends = simulated(scores_played, elo)
    rejected = ends.h1 if wrong == "H1" else 1 - ends.h1
    assert rejected < 0.09  # 0.05 and two standard errors of 200 tests, and some overshoot


@pytest.mark.parametrize("elo", [40, 80, 200])
def test_after_the_stop_the_estimate_is_about_as_often_too_high_as_too_low(elo: float) -> None:
    ends = simulated(scores_played, elo)
    assert 0.36 < ends.above < 0.64
    assert ends.covered > 0.91


POINTS = PointsHypotheses(0, 4)


def points_played(mean: float, random: np.random.Generator) -> Look:
    total = squares = 0.0
    matches = 0
    while True:
        for margin in random.normal(mean, 10, 32).tolist():
            matches, total, squares = matches + 1, total + margin, squares + margin**2
            here = total / matches
            llr = normal_llr(matches, here, squares / matches - here**2, POINTS.d0, POINTS.d1)
            if BOUNDS.decision(matches, llr):
                products = (squares, 0.0, 6 * total, 0.0, 0.0, 36.0 * matches)
                sums = PairingPoints((0, 1), matches, (total, 0.0, 6.0 * matches), products)
                return look_at_points(sums, POINTS)


@pytest.mark.parametrize("mean", [0, 2, 4])
def test_points_keep_their_errors_and_cover(mean: float) -> None:
    ends = simulated(points_played, mean)
    if mean != 2:
        assert min(ends.h1, 1 - ends.h1) < 0.09
        assert (ends.h1 > 0.5) == (mean == 4)
    assert 0.41 < ends.above < 0.59
    assert ends.covered > 0.91


# --- single looks ---


def test_bounds_are_those_of_wald_at_five_percent() -> None:
    assert (BOUNDS.lower, BOUNDS.upper) == pytest.approx((-math.log(19), math.log(19)))
    assert Bounds(alpha=0.01, beta=0.1).upper == pytest.approx(math.log(90))


def test_before_twenty_matches_nothing_is_decided() -> None:
    early, due = ([0, 0, 1, 0, n] for n in (18, 19))
    assert look_at_scores(early, ELO).decision is None
    assert look_at_scores(early, ELO).adjusted is None
    look = look_at_scores(due, ELO)
    assert (look.matches, look.decision) == (20, "H1")
    assert look.llr > look.upper
    assert look_at_scores(due[::-1], ELO).decision == "H0"


def test_between_the_bounds_it_plays_on() -> None:
    look = look_at_scores([13, 37, 50, 25, 3], EloHypotheses(0, 2.716))
    assert look.llr == pytest.approx(-0.537767, abs=5e-7)
    assert (look.decision, look.adjusted) == (None, None)
    assert look.estimate is not None
    assert look.low < look.estimate < look.high


def test_the_interval_for_all_looks_is_wider_than_that_for_one() -> None:
    look = look_at_scores([34, 54, 63, 64, 75], ELO)
    assert look.estimate == pytest.approx(55.5798, abs=5e-5)
    assert look.error == pytest.approx(27.6534, abs=5e-5)
    assert look.high - look.low > 2 * look.error


def test_all_won_has_a_lower_bound_only() -> None:
    look = look_at_scores([0, 0, 0, 0, 25], ELO)
    assert look.estimate is None
    assert look.high == math.inf
    assert look.low > 200
    assert (look.decision, look.adjusted) == ("H1", None)


def test_a_normalized_test_is_adjusted_in_elo_too() -> None:
    counts = [34, 54, 63, 64, 75]
    look = look_at_scores(counts, EloHypotheses(0, 60, "normalized"))
    assert look.decision == "H1"
    assert look.adjusted is not None
    assert look.adjusted.low < look.adjusted.estimate < look.adjusted.high
    assert look.estimate is not None
    assert 0 < look.adjusted.estimate < look.estimate, "what stopped high was lucky in part"


def test_points_come_from_the_sums_of_a_pairing() -> None:
    sums = no_points((4, 7))
    margins = [3.0, -1.0, 12.0, 5.0] * 6
    for margin in margins:
        sums = sums.with_match((50 + margin, 50), 8)
    look = look_at_points(sums, PointsHypotheses(0, 2))
    assert look.estimate == pytest.approx(np.mean(margins))
    expected = normal_llr(24, float(np.mean(margins)), float(np.var(margins)), 0, 2)
    assert look.llr == pytest.approx(expected)
    assert look.error == pytest.approx(1.959964 * np.std(margins) / math.sqrt(24), rel=1e-6)
    assert look.low < look.estimate < look.high


def test_points_that_never_vary_decide_nothing() -> None:
    sums = no_points((0, 1))
    for _ in range(30):
        sums = sums.with_match((3, 0), 1)
    assert look_at_points(sums, PointsHypotheses(0, 2)).decision is None


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: EloHypotheses(20, 20), "elo0 is below elo1"),
        (lambda: EloHypotheses(0, 501), "from -500 to 500"),
        (lambda: EloHypotheses(math.nan, 1), "elo0 is below elo1"),
        (lambda: PointsHypotheses(1, 0), "d0 is below d1"),
        (lambda: Bounds(alpha=0), "alpha and beta"),
        (lambda: Bounds(beta=0.96), "alpha and beta"),
        (lambda: look_at_scores([0, 0, 0], ELO), "counts"),
        (lambda: look_at_points(no_points((0, 1)), POINTS), "at least one match"),
        (lambda: look_at_points(no_points((0, 1, 2)), POINTS), "two bots"),
    ],
)
def test_what_cannot_be_tested_is_refused(make: Callable[[], object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        make()


# --- Brownian motion between two barriers ---


def by_eigenfunctions(time: float, up: float, down: float, drift: float, sd: float) -> float:
    """The textbook series for long times, against the one for short times that is used."""
    width, tilt = up + down, drift / sd**2
    ruin = (1 - math.exp(-2 * tilt * down)) / (1 - math.exp(-2 * tilt * width))
    tail = 0.0
    for n in range(1, 400):
        rate = (n * math.pi * sd / width) ** 2 / 2 + (drift / sd) ** 2 / 2
        wave = n * (-1) ** (n + 1) * math.sin(n * math.pi * down / width)
        tail += wave * math.exp(-rate * time) / rate
    return ruin - math.pi * sd**2 / width**2 * math.exp(tilt * up) * tail


@pytest.mark.parametrize("drift", [-0.4, -0.02, 0.001, 0.03, 0.5])
@pytest.mark.parametrize("time", [2, 20, 400])
def test_absorption_by_images_and_by_eigenfunctions(drift: float, time: float) -> None:
    arguments = (time, 2.944, 2.2, drift, 0.4)
    assert absorbed_above(*arguments) == pytest.approx(by_eigenfunctions(*arguments), abs=1e-12)


def test_every_path_ends_at_one_of_the_barriers() -> None:
    for drift in (-30.0, -0.3, 0.0, 0.3, 30.0):
        above = absorbed_above(1e7, 2, 3, drift, 0.5)
        below = absorbed_above(1e7, 3, 2, -drift, 0.5)
        assert above + below == pytest.approx(1)
    assert absorbed_above(1e-6, 2, 3, 0.3, 0.5) == 0
