"""Elo, normalized Elo and superiority from counts of match scores."""

from __future__ import annotations

import math

import pytest

from arena.rating.match_scores import elo_of_score, score_of_elo, strength


def printed(value: float, digits: int) -> object:
    return pytest.approx(value, abs=0.5 * 10**-digits, rel=0)


def test_pentanomial_counts_have_the_published_strength() -> None:
    found = strength([34, 54, 63, 64, 75])
    assert (found.elo, found.elo_error) == (printed(55.5798, 4), printed(27.6534, 4))
    assert (found.nelo, found.nelo_error) == (printed(57.9356, 4), printed(28.2754, 4))
    assert found.los == printed(0.999970, 6)


def test_a_weaker_bot_has_negative_elo() -> None:
    found = strength([332, 433, 498, 333, 334])
    assert (found.elo, found.elo_error) == (printed(-8.6427, 4), printed(10.3342, 4))
    assert found.los is not None
    assert found.los < 0.5


def test_single_games_and_pairs_of_unrelated_games_agree() -> None:
    """Pairs drawn independently have the squares and products of a game's probabilities."""
    single = strength([2000, 3000, 5000])
    pairs = strength([400, 1200, 900 + 2000, 3000, 2500])
    for field in ("elo", "nelo"):
        assert getattr(single, field) == pytest.approx(getattr(pairs, field))
        # The same number of matches, but twice the games: errors are smaller by the root of two.
        errors = [getattr(found, f"{field}_error") for found in (single, pairs)]
        assert errors[0] / errors[1] == pytest.approx(math.sqrt(2), rel=1e-3)


def test_turned_around_it_is_the_other_bots_strength() -> None:
    one, other = strength([3, 8, 20, 11, 5]), strength([5, 11, 20, 8, 3])
    assert one.elo == pytest.approx(-(other.elo or 0))
    assert one.los == pytest.approx(1 - (other.los or 0))
    assert one.elo_error == pytest.approx(other.elo_error)


@pytest.mark.parametrize("counts", [[0, 0, 0, 0, 10], [7, 0, 0], [0, 0, 1]])
def test_all_won_or_lost_has_no_elo(counts: list[int]) -> None:
    found = strength(counts)
    assert (found.elo, found.elo_error, found.nelo, found.nelo_error, found.los) == (None,) * 5


def test_all_split_has_an_elo_but_no_error() -> None:
    found = strength([0, 0, 10, 0, 0])
    assert (found.elo, found.elo_error, found.nelo, found.los) == (0, None, None, None)


def test_an_interval_without_end_has_no_width() -> None:
    found = strength([0, 0, 0, 1, 9])
    assert found.elo == pytest.approx(elo_of_score(0.975))
    assert found.elo_error is None
    assert found.nelo_error is not None


@pytest.mark.parametrize("counts", [[1, 2], [1, 2, 3, 4], [0, 0, 0], [-1, 2, 0]])
def test_other_counts_are_refused(counts: list[int]) -> None:
    with pytest.raises(ValueError, match="counts"):
        strength(counts)


def test_elo_and_score_are_each_others_inverse_and_have_ends() -> None:
    for elo in (-900, -20, 0, 0.5, 333):
        assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo)
    assert score_of_elo(200) == pytest.approx(0.7597, abs=1e-4)
    assert (elo_of_score(0), elo_of_score(1)) == (-math.inf, math.inf)
    assert (score_of_elo(-math.inf), score_of_elo(math.inf)) == (0, 1)
