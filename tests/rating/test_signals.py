"""Signals that are there are found, and chance is not taken for one."""

from __future__ import annotations

import numpy as np
import pytest

from arena.rating.signals import TimeSignal, time_signal

Columns = dict[str, np.ndarray]


def turns(plays: int, seed: int) -> tuple[np.random.Generator, np.ndarray, Columns]:
    """Hand sizes and features of that many plays, more jacks in larger hands."""
    draw = np.random.default_rng(seed)
    sizes = draw.integers(1, 5, plays)
    features = {
        "jacks": draw.binomial(sizes, 1 / 13),
        "matches": draw.binomial(sizes, 3 / 48),
        "rank_sum": draw.integers(1, 14, plays) * sizes,
    }
    return draw, sizes, features


def thinking(draw: np.random.Generator, sizes: np.ndarray) -> np.ndarray:
    """Times that grow with the hand, as those of an honest bot do."""
    return (1000 * sizes * draw.lognormal(0, 0.5, len(sizes))).astype(np.int64)


def honest(plays: int, seed: int) -> TimeSignal:
    draw, sizes, features = turns(plays, seed)
    return time_signal(thinking(draw, sizes), sizes, features)


def test_a_bot_whose_time_counts_its_jacks_is_found() -> None:
    draw, sizes, features = turns(1500, 1)
    times = thinking(draw, sizes) + 3000 * features["jacks"]
    found = time_signal(times, sizes, features)
    assert found.is_signal
    assert found.feature == "jacks"
    assert found.bits > 3 * found.chance_bits
    assert found.by_feature["matches"] < found.chance_bits


def test_a_bot_that_only_thinks_longer_over_larger_hands_is_not() -> None:
    found = honest(1500, 2)
    assert not found.is_signal
    assert found.bits < 0.02


def test_one_in_twenty_honest_bots_is_above_the_chance_level_whatever_the_features() -> None:
    found = [honest(300, seed) for seed in range(100, 180)]
    assert np.mean([signal.is_signal for signal in found]) < 0.13
    assert abs(np.mean([list(signal.by_feature.values()) for signal in found])) < 0.003


def test_bits_are_the_entropy_where_time_says_all() -> None:
    draw = np.random.default_rng(3)
    jacks = draw.integers(0, 2, 20_000)
    found = time_signal(jacks * 100 + 7, np.full(20_000, 4), {"jacks": jacks})
    assert found.bits == pytest.approx(1, abs=0.001)


def test_half_of_the_turns_with_a_signal_have_half_of_the_bits() -> None:
    draw = np.random.default_rng(4)
    jacks, sizes = draw.integers(0, 2, 20_000), draw.integers(3, 5, 20_000)
    times = np.where(sizes == 4, jacks * 100, draw.integers(0, 2, 20_000) * 100)
    found = time_signal(times, sizes, {"jacks": jacks})
    assert found.bits == pytest.approx(np.mean(sizes == 4), abs=0.005)


def test_a_rare_and_long_pause_is_found_too() -> None:
    draw, sizes, features = turns(4000, 5)
    pause = (features["rank_sum"] > 48) * 50_000
    assert time_signal(thinking(draw, sizes) + pause, sizes, features).feature == "rank_sum"


def test_the_same_seed_gives_the_same_chance_level() -> None:
    assert honest(200, 6) == honest(200, 6)


def test_few_plays_and_equal_times_are_no_signal() -> None:
    one = time_signal([5], [4], {"jacks": [1]})
    assert (one.plays, one.bits, one.is_signal) == (1, 0, False)
    equal = time_signal([5] * 50, [4] * 50, {"jacks": [0, 1] * 25})
    assert not equal.is_signal


@pytest.mark.parametrize(
    ("times", "sizes", "features", "message"),
    [
        ([], [], {"jacks": []}, "without plays"),
        ([1], [4], {}, "without plays and features"),
        ([1, 2], [4], {"jacks": [0, 0]}, "differ in length"),
        ([1, 2], [4, 4], {"jacks": [0]}, "differ in length"),
    ],
)
def test_columns_that_do_not_fit_are_refused(
    times: list[int], sizes: list[int], features: dict[str, list[int]], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        time_signal(times, sizes, features)
