"""The fit against published numbers, and what must leave it unchanged."""

from __future__ import annotations

import math
from itertools import combinations
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating import ELO, Group, NoFiniteRatings, Results, fit
from arena.rating.bradley_terry import Errors, score_equations, score_matrix

# --- pools ---


def pool(*pairs: tuple[int, int, int, int]) -> Results:
    """Single games counted as (a, b, wins of a, wins of b), each a match of its own."""
    rows = [(a, b, 1, 1, wins) for a, b, wins, _ in pairs if wins]
    rows += [(a, b, 1, 0, losses) for a, b, _, losses in pairs if losses]
    return Results(*(np.array(column) for column in zip(*rows, strict=True)))


CITATIONS = pool(  # Biometrika, CommStat, JASA, JRSSB
    (0, 1, 730, 33),
    (0, 2, 498, 320),
    (0, 3, 221, 284),
    (1, 2, 68, 813),
    (1, 3, 17, 276),
    (2, 3, 142, 325),
)
FOUR_BOTS = pool(
    (0, 1, 12, 8), (0, 2, 14, 6), (0, 3, 18, 2), (1, 2, 11, 9), (1, 3, 15, 5), (2, 3, 13, 7)
)
ALL_WIN = pool((0, 1, 10, 0), (0, 2, 10, 0), (1, 2, 6, 4))
CYCLE = pool((0, 1, 70, 30), (1, 2, 70, 30), (2, 0, 70, 30))
ISLANDS = pool((0, 1, 6, 4), (2, 3, 7, 3))
MATCH_SCORES = {
    (0, 1): [2, 1, 1, 2, 1, 0, 1, 2, 1, 1],
    (0, 2): [2, 2, 1, 1, 2, 1, 2, 1],
    (1, 2): [1, 1, 2, 0, 1, 1, 2, 1, 1, 2, 1, 0],
}
CLUSTERED = Results.from_matches(
    [(a, b, 2, score)] for (a, b), scores in MATCH_SCORES.items() for score in scores
)


def by_bot(groups: tuple[Group, ...], field: str = "rating") -> list[float]:
    ratings = sorted((r for group in groups for r in group.ratings), key=lambda r: r.bot)
    return [getattr(r, field) for r in ratings]


def printed(values: list[float], digits: int) -> object:
    return pytest.approx(values, abs=0.5 * 10**-digits, rel=0)


# --- numbers to reproduce ---


def test_citations_have_the_published_abilities_errors_and_deviance() -> None:
    (group,) = fit(CITATIONS, prior=0, errors="fisher")
    place = {r.bot: i for i, r in enumerate(group.ratings)}
    rating = by_bot((group,))
    relative = [(rating[bot] - rating[0]) / ELO for bot in (1, 2, 3)]
    errors = [group.difference_se(place[bot], place[0]) / ELO for bot in (1, 2, 3)]
    assert relative == printed([-2.949072, -0.479570, 0.268954], 6)
    assert errors == printed([0.102545, 0.060589, 0.070830], 6)
    assert group.deviance == printed(4.293384, 6)
    assert group.df == 3
    assert not group.non_transitive


def test_four_bots_without_a_prior() -> None:
    groups = fit(FOUR_BOTS, prior=0, center=0, errors="fisher")
    assert by_bot(groups) == printed([138.9687, 39.0030, -18.1316, -159.8401], 4)
    assert by_bot(groups, "se") == printed([39.0402, 36.0194, 35.8566, 40.3966], 4)
    assert groups[0].phantom is None


def test_four_bots_relative_to_the_phantom_of_the_prior() -> None:
    (group,) = fit(FOUR_BOTS)
    assert group.phantom is not None
    relative = [rating - group.phantom for rating in by_bot((group,))]
    assert relative == printed([135.7308, 37.4835, -18.7195, -157.9030], 4)


def test_a_bot_that_won_everything_is_rated_by_the_prior() -> None:
    groups = fit(ALL_WIN, center=0)
    assert by_bot(groups) == printed([440.1245, -187.6366, -252.4879], 4)
    assert by_bot(groups, "all_won") == [True, False, False]


def test_a_cycle_gives_equal_ratings_and_is_flagged() -> None:
    (group,) = fit(CYCLE, prior=0, center=0)
    assert by_bot((group,)) == pytest.approx([0, 0, 0], abs=1e-9)
    assert group.deviance == printed(49.369727, 6)
    assert group.df == 1
    assert group.p_value == pytest.approx(math.erfc(math.sqrt(group.deviance / 2)))
    assert group.pearson == pytest.approx(3 * (20 / 5) ** 2)
    assert group.pearson_p == pytest.approx(math.erfc(math.sqrt(group.pearson / 2)))
    assert group.non_transitive


def test_islands_are_rated_apart() -> None:
    groups = fit(ISLANDS)
    assert [[r.bot for r in group.ratings] for group in groups] == [[0, 1], [2, 3]]
    assert [np.mean(by_bot((group,))) for group in groups] == pytest.approx([1500, 1500])


def test_errors_clustered_by_match() -> None:
    groups = fit(CLUSTERED, prior=0, center=0)
    assert by_bot(groups) == printed([82.589956, -15.694415, -66.895541], 6)
    assert by_bot(groups, "se") == printed([34.774390, 32.442894, 33.341992], 6)
    fisher = fit(CLUSTERED, prior=0, center=0, errors="fisher")
    assert by_bot(fisher, "se") == printed([41.176598, 35.866518, 38.641069], 6)


# --- what the numbers mean ---


def test_without_a_prior_a_bot_that_won_everything_is_refused() -> None:
    with pytest.raises(NoFiniteRatings, match="bots 1, 2 took no point from the others") as info:
        fit(ALL_WIN, prior=0)
    assert info.value.bots == (1, 2)


def test_without_a_prior_a_bot_that_lost_everything_is_refused() -> None:
    with pytest.raises(NoFiniteRatings, match="bots 2 took no point from the others"):
        fit(pool((0, 1, 6, 4), (0, 2, 10, 0), (1, 2, 10, 0)), prior=0)


def test_without_a_prior_one_draw_is_connection_enough() -> None:
    drawn = Results.from_matches([[(0, 1, 2, 2)], [(0, 1, 2, 1.5)]])
    (group,) = fit(drawn, prior=0, center=0)
    assert group.ratings[0].rating * 2 == pytest.approx(ELO * math.log(7))


def test_after_wins_only_low_is_where_so_many_wins_have_probability_5_percent() -> None:
    (group,) = fit(ALL_WIN)
    best, *others = group.ratings
    chances = [1 / (1 + math.exp((other.rating - best.low) / ELO)) for other in others]
    assert math.prod(chance**10 for chance in chances) == pytest.approx(0.05)
    assert best.high == math.inf


def test_after_losses_only_high_mirrors_the_bound_of_wins_only() -> None:
    (won,) = fit(ALL_WIN, center=0)
    (lost,) = fit(pool((0, 1, 0, 10), (0, 2, 0, 10), (1, 2, 4, 6)), center=0)
    assert lost.ratings[-1].all_lost
    assert lost.ratings[-1].high == pytest.approx(-won.ratings[0].low)
    assert lost.ratings[-1].low == -math.inf


def test_wins_alone_do_not_make_a_rating_look_sure() -> None:
    (clustered,) = fit(ALL_WIN)
    (fisher,) = fit(ALL_WIN, errors="fisher")
    assert clustered.ratings[0].se > 0.9 * fisher.ratings[0].se


def test_rank_ranges_overlap_where_bots_cannot_be_told_apart() -> None:
    (group,) = fit(pool((0, 1, 51, 49), (0, 2, 90, 10), (1, 2, 90, 10)))
    assert by_bot((group,), "rank_low") == [1, 1, 3]
    assert by_bot((group,), "rank_high") == [2, 2, 3]


def test_likelihood_of_superiority_comes_from_the_joint_covariance() -> None:
    (group,) = fit(FOUR_BOTS)
    first, second = group.ratings[:2]
    z = (first.rating - second.rating) / group.difference_se(0, 1)
    assert group.superiority[0, 1] == pytest.approx(math.erfc(-z / math.sqrt(2)) / 2)
    assert group.superiority + group.superiority.T == pytest.approx(np.ones((4, 4)))
    assert group.covariance.sum(axis=0) == pytest.approx(np.zeros(4), abs=1e-9)


def test_a_rating_is_provisional_below_ten_matches() -> None:
    played = [
        fit(Results.from_matches([[(0, 1, 2, 1)]] * matches))[0].ratings[0] for matches in (9, 10)
    ]
    assert [r.provisional for r in played] == [True, False]
    assert [(r.games, r.matches) for r in played] == [(18, 9), (20, 10)]


def test_equal_match_scores_leave_no_doubt_and_no_order() -> None:
    (group,) = fit(Results.from_matches([[(0, 1, 2, 1)]] * 10))
    assert group.superiority == pytest.approx(np.full((2, 2), 0.5))
    assert [r.rank_low for r in group.ratings] == [1, 1]


def test_two_bots_leave_no_freedom_to_test() -> None:
    (group,) = fit(pool((0, 1, 6, 4)))
    assert (group.df, group.p_value, group.pearson_p) == (0, None, None)
    assert not group.non_transitive


def test_few_games_a_pair_raise_no_flag_although_the_deviance_is_large() -> None:
    random = np.random.default_rng(1)
    pairs = [(a, b, random.binomial(3, 0.5)) for a, b in combinations(range(30), 2)]
    (group,) = fit(pool(*((a, b, wins, 3 - wins) for a, b, wins in pairs)))
    assert group.p_value is not None
    assert group.p_value < 0.01
    assert not group.non_transitive


def test_with_four_games_a_pair_a_true_model_is_not_flagged_too_often() -> None:
    random = np.random.default_rng(4)
    ability = np.linspace(-1, 1, 12)
    a, b = np.triu_indices(12, 1)
    groups: list[Group] = []
    for _ in range(300):
        wins = random.binomial(4, 1 / (1 + np.exp(ability[b] - ability[a])))
        rows = np.stack([a, b, wins, 4 - wins], axis=1).tolist()
        groups += fit(pool(*map(tuple, rows)))
    assert np.mean([group.p_value < 0.05 for group in groups]) > 0.12
    assert np.mean([group.non_transitive for group in groups]) < 0.06


def test_residuals_show_who_scored_unexpectedly_against_whom() -> None:
    (group,) = fit(CYCLE)
    place = {r.bot: i for i, r in enumerate(group.ratings)}
    assert group.residuals[place[0], place[1]] == pytest.approx(20 / 5)
    assert group.residuals[place[0], place[2]] == pytest.approx(-20 / 5)
    assert np.isnan(group.residuals.diagonal()).all()


def test_bots_without_games_are_in_no_group() -> None:
    assert fit(Results.from_matches([])) == ()
    (group,) = fit(pool((1, 3, 6, 4)))
    assert [r.bot for r in group.ratings] == [1, 3]


def test_extreme_scores_are_fitted_without_a_prior() -> None:
    (group,) = fit(pool((0, 1, 10**7, 1), (1, 2, 10**7, 1)), prior=0)
    first, second, third = by_bot((group,))
    assert [first - second, second - third] == pytest.approx([ELO * math.log(10**7)] * 2)


def test_the_smallest_prior_still_makes_ratings_finite() -> None:
    (group,) = fit(ALL_WIN, prior=1e-6)
    assert np.isfinite(by_bot((group,))).all()
    assert group.ratings[0].all_won


@pytest.mark.parametrize("prior", [-1, 1e-12, math.inf, math.nan])
def test_a_prior_is_a_number_of_games(prior: float) -> None:
    with pytest.raises(ValueError, match="prior"):
        fit(FOUR_BOTS, prior=prior)


@pytest.mark.parametrize("correlation", [-0.6, 0.6])
def test_clustered_intervals_cover_the_truth_whatever_the_legs_share(correlation: float) -> None:
    random = np.random.default_rng(6)
    truth = np.linspace(-0.6, 0.6, 6)
    a, b = np.triu_indices(6, 1)
    chances = 1 / (1 + np.exp(truth[b] - truth[a]))
    needed = [NormalDist().inv_cdf(chance) for chance in chances.tolist()]
    covered: dict[Errors, list[bool]] = {"clustered": [], "fisher": []}
    for _ in range(120):
        luck = random.normal(size=(len(a), 50, 2))
        luck[..., 1] = correlation * luck[..., 0] + math.sqrt(1 - correlation**2) * luck[..., 1]
        wins = (luck < np.array(needed)[:, None, None]).sum(axis=2).ravel()
        pair = np.repeat(np.arange(len(a)), 50)
        ones = np.ones(len(pair), dtype=int)
        results = Results(a[pair], b[pair], 2 * ones, wins, ones)
        for errors, found in covered.items():
            (group,) = fit(results, center=0, errors=errors)
            found += [r.low < ELO * truth[r.bot] < r.high for r in group.ratings]
    assert 0.93 < np.mean(covered["clustered"]) < 0.97
    assert abs(np.mean(covered["fisher"]) - 0.95) > 0.02


# --- matches of more than two sides ---


def test_pairs_of_one_match_share_its_luck() -> None:
    """Textbook form of the sandwich, match by match, against the counted one."""
    random = np.random.default_rng(5)
    matches = []
    for _ in range(40):
        seats = random.permutation(6)[:4].tolist()
        places = [random.permutation(4) for _ in range(4)]
        scores = {
            (i, j): sum(float(place[i] < place[j]) for place in places)
            for i, j in combinations(range(4), 2)
        }
        matches.append([(seats[i], seats[j], 4, score) for (i, j), score in scores.items()])
    (group,) = fit(Results.from_matches(matches * 2), prior=0)
    ability = np.array(by_bot((group,))) / ELO
    chance = 1 / (1 + np.exp(ability[None, :] - ability[:, None]))
    meat, information = np.zeros((6, 6)), np.zeros((6, 6))
    for match in matches * 2:
        surprise = np.zeros(6)
        for a, b, games, score in match:
            surprise[a] += score - games * chance[a, b]
            surprise[b] -= score - games * chance[a, b]
            ends = np.zeros(6)
            ends[[a, b]] = 1, -1
            information += games * chance[a, b] * chance[b, a] * np.outer(ends, ends)
        meat += np.outer(surprise, surprise)
    bread = np.linalg.inv(information + 1 / 6) - 1 / 6
    expected = ELO * np.sqrt(np.diag(bread @ meat @ bread))
    assert by_bot((group,), "se") == pytest.approx(expected.tolist())
    assert sum(by_bot((group,), "matches")) == 2 * 40 * 4
    assert sum(by_bot((group,), "games")) == 2 * 40 * 4 * 4 * 3


# --- what must not matter ---

pair_scores = st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(1, 3)).flatmap(
    lambda head: st.integers(0, 2 * head[2]).map(lambda halves: (*head, halves / 2))
)
matches_of_pairs = st.lists(
    st.lists(pair_scores.filter(lambda pair: pair[0] != pair[1]), min_size=1, max_size=3),
    min_size=1,
    max_size=12,
)
bounded = settings(max_examples=60, deadline=None)


def columns(results: Results) -> list[np.ndarray]:
    assert results.cluster is not None
    return [results.a, results.b, results.games, results.score, results.count, results.cluster]


def tied(matches: list[list[tuple[int, int, int, float]]]) -> Results:
    results = Results.from_matches(matches)
    if results.cluster is None:
        return Results(*[*columns_without_cluster(results), np.arange(len(results.a))])
    return results


def columns_without_cluster(results: Results) -> list[np.ndarray]:
    return [results.a, results.b, results.games, results.score, results.count]


FIELDS = ("bot", "rating", "se", "games", "matches", "all_won", "all_lost", "provisional")


def assert_same(one: tuple[Group, ...], other: tuple[Group, ...]) -> None:
    for field in FIELDS:
        assert by_bot(one, field) == pytest.approx(by_bot(other, field), rel=1e-7, abs=1e-4)
    assert [g.deviance for g in one] == pytest.approx([g.deviance for g in other], abs=1e-7)


@bounded
@given(matches_of_pairs, st.randoms(use_true_random=False))
def test_order_of_rows_does_not_matter(matches, random) -> None:
    results = tied(matches)
    order = list(range(len(results.a)))
    random.shuffle(order)
    assert_same(fit(results), fit(Results(*[column[order] for column in columns(results)])))


@bounded
@given(matches_of_pairs, st.permutations(range(5)))
def test_relabelled_bots_keep_their_ratings(matches, names) -> None:
    renamed = [[(names[a], names[b], n, score) for a, b, n, score in match] for match in matches]
    before = {r.bot: r for group in fit(tied(matches)) for r in group.ratings}
    after = {r.bot: r for group in fit(tied(renamed)) for r in group.ratings}
    assert set(after) == {names[bot] for bot in before}
    for bot, rating in before.items():
        assert after[names[bot]].rating == pytest.approx(rating.rating, abs=1e-6)
        assert after[names[bot]].se == pytest.approx(rating.se, abs=1e-4)


@bounded
@given(matches_of_pairs)
def test_a_count_may_stand_in_two_rows(matches) -> None:
    results = tied(matches * 3)
    *once, cluster = columns(results)
    once[-1] = np.ones_like(once[-1])
    twice = [*once[:-1], results.count - 1]
    split = [np.concatenate(both) for both in zip(once, twice, strict=True)]
    ids = np.concatenate([cluster, cluster + cluster.max() + 1])
    assert_same(fit(results), fit(Results(*split, ids)))


@bounded
@given(matches_of_pairs, st.data())
def test_a_row_may_be_told_from_either_side(matches, data) -> None:
    results = tied(matches)
    turn = np.array(data.draw(st.lists(st.booleans(), min_size=100, max_size=100)))
    turn = turn[: len(results.a)]
    a, b, games, score, count, cluster = columns(results)
    turned = Results(
        np.where(turn, b, a),
        np.where(turn, a, b),
        games,
        np.where(turn, games - score, score),
        count,
        cluster,
    )
    assert_same(fit(results), fit(turned))


@bounded
@given(matches_of_pairs, st.sampled_from([0.1, 1.0, 3.0]))
def test_the_likelihood_is_flat_at_the_fit(matches, prior) -> None:
    results = tied(matches)
    wins = score_matrix(results)
    ability = np.zeros(len(wins))
    for group in fit(results, prior=prior):
        for r in group.ratings:
            ability[r.bot] = (r.rating - group.phantom) / ELO
    assert np.abs(score_equations(wins, ability, prior)).max() < 1e-9


@bounded
@given(matches_of_pairs)
def test_single_rows_need_no_cluster(matches) -> None:
    results = tied([[match[0]] for match in matches])
    assert_same(fit(results), fit(Results(*columns_without_cluster(results))))


@bounded
@given(matches_of_pairs)
def test_without_a_prior_refused_is_only_what_splits_in_two(matches) -> None:
    results = tied(matches)
    try:
        groups = fit(results, prior=0)
    except NoFiniteRatings:
        assert one_part_took_nothing(score_matrix(results), fit(results))
    else:
        assert not one_part_took_nothing(score_matrix(results), groups)
        assert np.isfinite(by_bot(groups)).all()


def one_part_took_nothing(wins: np.ndarray, groups: tuple[Group, ...]) -> bool:
    """Ford's condition by trying every split of every group."""
    return any(
        not wins[np.ix_(part, sorted(bots - set(part)))].any()
        for bots in ({r.bot for r in group.ratings} for group in groups)
        for size in range(1, len(bots))
        for part in combinations(sorted(bots), size)
    )
