"""Bots in pairs: abilities that add up, and what pairs can't tell."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating import ELO, Group, Rating, Results, fit
from arena.rating.team_results import TeamResults
from arena.rating.teams import fit_teams

Row = tuple[int, int, int, int, int, float, int]
"""(a, c, b, d, games, score of a and c, count)"""


def made(*rows: Row) -> TeamResults:
    a, c, b, d, games, score, count = (np.array(column) for column in zip(*rows, strict=True))
    return TeamResults(np.stack([a, c], 1), np.stack([b, d], 1), games, score, count)


def by_bot(groups: tuple[Group, ...]) -> dict[int, Rating]:
    return {r.bot: r for group in groups for r in group.ratings}


SINGLE = [(0, 1, 2, 2.0, 5), (0, 1, 2, 1.0, 3), (0, 2, 2, 0.5, 4), (1, 2, 2, 1.5, 6)]
SINGLE += [(1, 2, 2, 0.0, 2), (0, 2, 2, 2.0, 3)]


def test_the_same_bot_twice_has_half_the_rating_of_a_single_bot() -> None:
    (single,) = fit(Results(*map(np.array, zip(*SINGLE, strict=True))), prior=1e-6, center=0)
    double = made(*((a, a, b, b, n, score, count) for a, b, n, score, count in SINGLE))
    (group,) = fit_teams(double, prior=1e-6, center=0)
    for one, two in zip(single.ratings, group.ratings, strict=True):
        assert 2 * two.rating == pytest.approx(one.rating, abs=1e-3)
        assert 2 * two.se == pytest.approx(one.se, abs=1e-3)
        assert (two.bot, two.games, two.matches) == (one.bot, one.games, one.matches)
        assert (two.rank_low, two.rank_high) == (one.rank_low, one.rank_high)
    for field in ("deviance", "pearson", "df", "superiority"):
        assert getattr(group, field) == pytest.approx(getattr(single, field), abs=1e-5)
    assert np.nan_to_num(group.residuals) == pytest.approx(np.nan_to_num(single.residuals))


def drawn_pairs(truth: np.ndarray, matches: int, seed: int) -> TeamResults:
    """Matches of two games between pairs drawn anew for every match."""
    random = np.random.default_rng(seed)
    bots = np.array([random.permutation(len(truth))[:4] for _ in range(matches)])
    chance = 1 / (1 + np.exp(-(truth[bots] @ np.array([1, 1, -1, -1]))))
    score = random.binomial(2, chance).astype(float)
    ones = np.ones(matches, dtype=int)
    return TeamResults(bots[:, :2], bots[:, 2:], 2 * ones, score, ones)


def test_intervals_cover_what_the_games_were_played_by() -> None:
    truth = np.linspace(-0.8, 0.8, 8)
    covered, flagged = [], []
    for seed in range(25):
        (group,) = fit_teams(drawn_pairs(truth, 300, seed), center=0)
        covered += [r.low < ELO * truth[r.bot] < r.high for r in group.ratings]
        flagged.append(group.non_transitive)
    assert 0.91 < np.mean(covered) < 0.99
    assert np.mean(flagged) < 0.2


def test_the_textbook_sandwich_match_by_match() -> None:
    results = drawn_pairs(np.linspace(-1, 1, 6), 80, 3)
    prior = 0.5
    (group,) = fit_teams(results, prior=prior, center=0)
    rating = by_bot((group,))
    phantom = group.phantom
    assert phantom is not None
    ability = np.array([(rating[bot].rating - phantom) / ELO for bot in range(6)])
    bread = np.diag(prior / 4 / np.cosh(ability / 2) ** 2)
    gradient = -prior / 2 * np.tanh(ability / 2)
    meat = np.zeros((6, 6))
    for first, second, score in zip(results.first, results.second, results.score, strict=True):
        ends = np.zeros(6)
        ends[first] += 1
        ends[second] -= 1
        chance = 1 / (1 + math.exp(-ends @ ability))
        bread += 2 * chance * (1 - chance) * np.outer(ends, ends)
        gradient += (score - 2 * chance) * ends
        meat += (score - 2 * chance) ** 2 * np.outer(ends, ends)
    assert np.abs(gradient).max() < 1e-8
    centred = (np.eye(6) - 1 / 6) @ np.linalg.inv(bread)
    expected = ELO * np.sqrt(np.diag(centred @ meat @ centred.T))
    assert [rating[bot].se for bot in range(6)] == pytest.approx(expected.tolist())


def test_what_partners_did_together_is_not_told_apart() -> None:
    """Bots 0 and 1 always sit together: their sum is known, their difference only by the prior."""
    together = made((0, 1, 2, 3, 2, 2, 300), (0, 1, 2, 3, 2, 0, 100))
    for errors in ("clustered", "fisher"):
        (group,) = fit_teams(together, errors=errors)  # type: ignore[arg-type]
        assert group.ratings[0].rating == pytest.approx(group.ratings[1].rating)
        of_the_prior = 4 * math.cosh(ability_of(group) / 2) ** 2
        assert group.difference_se(0, 1) == pytest.approx(ELO * math.sqrt(2 * of_the_prior))
        assert group.superiority[0, 1] == 0.5
        assert (group.df, group.p_value) == (0, None)


def ability_of(group: Group) -> float:
    assert group.phantom is not None
    return (group.ratings[0].rating - group.phantom) / ELO


def test_a_side_that_won_everything_is_bounded_on_one_side() -> None:
    (group,) = fit_teams(made((0, 0, 1, 2, 1, 1, 20), (1, 1, 2, 2, 2, 1, 12)), center=0)
    best = group.ratings[0]
    rating = by_bot((group,))
    assert best.all_won
    assert best.high == math.inf
    opponents = (rating[1].rating + rating[2].rating) / ELO
    chance = 1 / (1 + math.exp(opponents - 2 * best.low / ELO))
    assert chance**20 == pytest.approx(0.05)
    assert not rating[1].all_lost
    (mirrored,) = fit_teams(made((1, 2, 0, 0, 1, 1, 20), (1, 1, 2, 2, 2, 1, 12)), center=0)
    worst = mirrored.ratings[-1]
    assert worst.all_lost
    assert (worst.low, worst.high) == (-math.inf, pytest.approx(-best.low))


def test_a_cycle_of_pairs_is_flagged() -> None:
    rows = [(0, 1, 2, 3), (2, 3, 4, 5), (4, 5, 0, 1)]
    cycle = made(*(row for r in rows for row in ((*r, 1, 1.0, 70), (*r, 1, 0.0, 30))))
    (group,) = fit_teams(cycle, prior=1e-3, center=0)
    assert group.deviance == pytest.approx(49.369727, abs=1e-6)
    assert group.df == 1
    assert group.non_transitive
    assert [r.rating for r in group.ratings] == pytest.approx([0] * 6, abs=1e-6)


def test_islands_are_rated_apart_and_counted_from_their_own_names() -> None:
    groups = fit_teams(made((9, 4, 2, 7, 2, 2, 6), (9, 4, 2, 7, 2, 0, 4), (1, 1, 3, 3, 1, 1, 5)))
    assert [sorted(r.bot for r in group.ratings) for group in groups] == [[2, 4, 7, 9], [1, 3]]
    assert by_bot(groups)[9].games == 20
    assert by_bot(groups)[3].all_lost


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.permutations(range(6)))
def test_neither_order_nor_names_nor_sides_matter(seed: int, names: list[int]) -> None:
    random = np.random.default_rng(seed)
    bots = np.array([random.permutation(6)[:4] for _ in range(12)])
    rows = [(*row, 2, float(random.integers(0, 3)), 1 + i % 2) for i, row in enumerate(bots)]
    turned = [
        (names[d], names[b], names[a], names[c], games, games - score, count)
        for a, c, b, d, games, score, count in reversed(rows)
    ]
    before, after = (fit_teams(made(*given)) for given in (rows, turned))
    for bot, rating in by_bot(before).items():
        other = by_bot(after)[names[bot]]
        assert other.rating == pytest.approx(rating.rating, abs=1e-6)
        assert other.se == pytest.approx(rating.se, abs=1e-5)
        assert other.matches == rating.matches
    assert [g.deviance for g in after] == pytest.approx([g.deviance for g in before], abs=1e-8)
    assert [g.df for g in after] == [g.df for g in before]


@pytest.mark.parametrize("prior", [0, 1e-12, -1, math.inf, math.nan])
def test_a_prior_there_must_be(prior: float) -> None:
    with pytest.raises(ValueError, match="prior"):
        fit_teams(made((0, 0, 1, 1, 1, 1, 5)), prior=prior)


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ((0, 1, 1, 0, 1, 1, 1), "its own opponent"),
        ((0, -1, 1, 2, 1, 1, 1), "start at 0"),
        ((0, 0, 1, 1, 0, 0, 1), "at least 1"),
        ((0, 0, 1, 1, 1, 2, 1), "0 to games"),
        ((0, 0, 1, 1, 1, 0.3, 1), "halves"),
    ],
)
def test_a_row_that_cannot_have_happened_is_refused(row: Row, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        made(row)
    with pytest.raises(ValueError, match="a side has two bots"):
        TeamResults(np.zeros((1, 3), int), np.ones((1, 3), int), *(np.ones(1, int),) * 3)
