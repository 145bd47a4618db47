"""Points a deal against published numbers and the textbook, and what must leave them unchanged."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating.point_sums import PairingPoints, PointSums, no_points, point_sums
from arena.rating.points import PointsGroup, fit_points

Match = tuple[tuple[int, ...], tuple[float, ...], int]
"""(bots, their points, deals)"""


def fitted(matches: list[Match]) -> tuple[PointsGroup, ...]:
    pairings: dict[tuple[int, ...], PairingPoints] = {}
    for bots, points, deals in matches:
        before = pairings.get(bots) or no_points(bots)
        pairings[bots] = before.with_match(points, deals)
    return fit_points(point_sums(pairings.values()))


def place(group: PointsGroup) -> dict[int, int]:
    return {r.bot: i for i, r in enumerate(group.ratings)}


def values(group: PointsGroup) -> dict[int, float]:
    return {r.bot: r.value for r in group.ratings}


MARGINS = {(0, 1): [3, -1.5, 0.5, 2], (0, 2): [4, 6.5, -2], (1, 2): [1, 2.5, -3, 5, 0]}
SMALL: list[Match] = [
    (pair, (margin, 0), 1) for pair, margins in MARGINS.items() for margin in margins
]


def test_three_bots_have_the_published_values_and_errors() -> None:
    (group,) = fitted(SMALL)
    at, value = place(group), values(group)
    found = [value[1] - value[0], group.difference_se(at[1], at[0])]
    found += [value[2] - value[0], group.difference_se(at[2], at[0])]
    assert found == pytest.approx([-1.234043, 0.958597, -2.521277, 1.341294], abs=5e-7, rel=0)
    assert [r.bot for r in group.ratings] == [0, 1, 2]
    assert sum(value.values()) == pytest.approx(0, abs=1e-12)
    assert all(r.provisional for r in group.ratings)


def textbook(matches: list[Match], size: int) -> tuple[np.ndarray, np.ndarray]:
    """Least squares on every pair of every match, and the sandwich, match by match."""
    bread, right = np.zeros((size, size)), np.zeros(size)
    for bots, points, deals in matches:
        for i, j in combinations(range(len(bots)), 2):
            ends = np.zeros(size)
            ends[[bots[i], bots[j]]] = 1, -1
            bread += deals * np.outer(ends, ends)
            right += (points[i] - points[j]) * ends
    inverse = np.linalg.pinv(bread)
    value = inverse @ right
    meat = np.zeros((size, size))
    for bots, points, deals in matches:
        score = np.zeros(size)
        for i, j in combinations(range(len(bots)), 2):
            surprise = points[i] - points[j] - deals * (value[bots[i]] - value[bots[j]])
            score[bots[i]] += surprise
            score[bots[j]] -= surprise
        meat += np.outer(score, score)
    return value, inverse @ meat @ inverse


def table_matches(seed: int, number: int) -> list[Match]:
    random = np.random.default_rng(seed)
    matches: list[Match] = []
    for _ in range(number):
        k = int(random.integers(2, 7))
        bots = tuple(random.permutation(8)[:k].tolist())
        deals = int(random.integers(1, 20))
        matches.append((bots, tuple(random.integers(0, 130, k).tolist()), deals))
    return matches


def test_tables_of_two_to_six_are_taken_apart_into_pairs_clustered_by_match() -> None:
    matches = table_matches(3, 60)
    (group,) = fitted(matches)
    value, covariance = textbook(matches, 8)
    order = [r.bot for r in group.ratings]
    assert [r.value for r in group.ratings] == pytest.approx(value[order].tolist())
    assert group.covariance == pytest.approx(covariance[np.ix_(order, order)], rel=1e-6, abs=1e-9)
    assert [r.se**2 for r in group.ratings] == pytest.approx(np.diag(covariance)[order].tolist())
    assert sum(r.matches for r in group.ratings) == sum(len(bots) for bots, _, _ in matches)
    assert sum(r.deals for r in group.ratings) == sum(len(bots) * n for bots, _, n in matches)


def test_long_matches_weigh_as_many_deals_as_they_have() -> None:
    (group,) = fitted([((0, 1), (10, 0), 10), ((0, 1), (0, 1), 1)])
    assert values(group)[0] - values(group)[1] == pytest.approx(9 / 11)


def test_likelihood_of_superiority_comes_from_the_joint_covariance() -> None:
    (group,) = fitted(table_matches(5, 80))
    first, second = group.ratings[:2]
    z = (first.value - second.value) / group.difference_se(0, 1)
    assert 0 < z < 4
    by_normal = np.mean(np.random.default_rng(1).normal(size=200_000) < z)
    assert group.superiority[0, 1] == pytest.approx(by_normal, abs=0.005)
    assert group.superiority + group.superiority.T == pytest.approx(np.ones((8, 8)))


def test_one_match_says_nothing_of_luck() -> None:
    (group,) = fitted([((0, 1), (7, 0), 3)])
    assert np.isnan(group.superiority[0, 1])
    (level,) = fitted([((0, 1), (7, 7), 3)])
    assert level.superiority[0, 1] == 0.5


def test_islands_are_valued_apart_and_bots_without_deals_not_at_all() -> None:
    groups = fitted([((0, 1), (3, 0), 1), ((3, 4, 6), (5, 1, 0), 2)])
    assert [sorted(values(group)) for group in groups] == [[3, 4, 6], [0, 1]]
    assert fit_points(()) == ()
    assert fit_points(point_sums([no_points((0, 1))])) == ()


def test_ninety_five_percent_intervals_cover_the_truth() -> None:
    """Two legs of a match share their luck; 6 deals each on average, decks cancel in part."""
    random = np.random.default_rng(11)
    truth = np.array([1.5, 0.5, 0, -0.5, -1.5])
    covered = []
    for _ in range(60):
        rows = []
        for a, b in combinations(range(5), 2):
            deals = random.integers(3, 10, (40, 2))
            luck = random.normal(0, 8, 40)
            noise = random.normal(0, 10, (40, 2)) + np.stack([luck, -0.5 * luck], axis=1)
            margin = (deals * (truth[a] - truth[b]) + noise * np.sqrt(deals)).sum(axis=1)
            z = np.stack([margin, np.zeros(40), deals.sum(axis=1)])
            products = (z @ z.T)[np.triu_indices(3)]
            row = PairingPoints((a, b), 40, tuple(z.sum(axis=1)), tuple(products))
            rows.append(row)
        (group,) = fit_points(point_sums(rows))
        covered += [r.low < truth[r.bot] < r.high for r in group.ratings]
    assert 0.92 < np.mean(covered) < 0.98


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 30), st.permutations(range(8)))
def test_neither_order_nor_names_nor_bookkeeping_matter(
    seed: int, number: int, names: list[int]
) -> None:
    matches = table_matches(seed, number)
    renamed = [
        (tuple(names[bot] for bot in bots)[::-1], points[::-1], deals)
        for bots, points, deals in reversed(matches)
    ]
    before = {r.bot: r for group in fitted(matches) for r in group.ratings}
    after = {r.bot: r for group in fitted(renamed) for r in group.ratings}
    assert set(after) == {names[bot] for bot in before}
    for bot, rating in before.items():
        assert after[names[bot]].value == pytest.approx(rating.value, abs=1e-8)
        assert after[names[bot]].se == pytest.approx(rating.se, rel=1e-4, abs=1e-4)
        assert after[names[bot]].deals == rating.deals


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"bots": [[0, 0]]}, "different indices from 0"),
        ({"bots": [[-1, 0]]}, "different indices from 0"),
        ({"bots": [[0]]}, "2 to 6 entrants, not 1"),
        ({"matches": [1, 1]}, "differ in size"),
        ({"sums": [[1.0, 0.0]]}, "differ in size"),
        ({"products": [[1.0, 0, 0, 1, 0]]}, "another size"),
        ({"matches": [3]}, "at least one deal"),
        ({"products": [[1.0, 0, 0, 1, 0, np.nan]]}, "no numbers"),
    ],
)
def test_a_pairing_that_cannot_have_happened_is_refused(changed: dict, complaint: str) -> None:
    good = {"bots": [[0, 1]], "matches": [1], "sums": [[1.0, 0, 2]]}
    good["products"] = [[1.0, 0, 2, 0, 0, 4]]
    PointSums(**{name: np.array(column) for name, column in good.items()})
    with pytest.raises(ValueError, match=complaint):
        PointSums(**{name: np.array(column) for name, column in (good | changed).items()})


def test_a_match_has_points_for_everybody_and_a_deal() -> None:
    for points, deals in (((1.0,), 1), ((1.0, 2.0), 0)):
        with pytest.raises(ValueError, match="2 entrants in at least one deal"):
            no_points((0, 1)).with_match(points, deals)
    with pytest.raises(ValueError, match="another size"):
        point_sums([PairingPoints((0, 1), 1, (1, 0), (1, 0, 0, 1, 0, 1))])
