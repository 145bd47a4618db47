"""Luck-adjusted shares of wins on pools whose truth is known."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from arena.rating.luck import OWN_COEFFICIENT, LuckSums, MatchLuck, WinShare, adjust

TRUE_COEFFICIENT = 0.6


def single_games(
    draw: np.random.Generator, matches: int, share: float = 0.6, pairing: int = 0
) -> Iterator[MatchLuck]:
    """Games of bots 0 and 1 whose chances move with luck by `TRUE_COEFFICIENT`."""
    for luck in draw.uniform(-0.5, 0.5, matches):
        won = float(draw.random() < share + TRUE_COEFFICIENT * luck)
        yield pairing, 0, 1, won, luck
        yield pairing, 1, 1, 1 - won, -luck


def exchanged(draw: np.random.Generator, matches: int) -> list[MatchLuck]:
    """Matches of two legs in which the luck of one is the other's with the sign changed."""
    rows = []
    for luck in draw.uniform(-0.5, 0.5, matches):
        chances = 0.6 + TRUE_COEFFICIENT * np.array([luck, -luck])
        rows.append((0, 0, 2, float((draw.random(2) < chances).sum()), luck - luck))
    return rows


def first_share(rows: list[MatchLuck] | Iterator[MatchLuck]) -> WinShare:
    return adjust(LuckSums.from_matches(rows)).bots()[0]


def simulated(times: int, matches: int) -> list[WinShare]:
    draw = np.random.default_rng(4)
    return [first_share(single_games(draw, matches)) for _ in range(times)]


def test_single_games_are_estimated_without_bias_and_with_less_variance() -> None:
    found = simulated(400, 50)
    plain = np.array([share.share for share in found])
    adjusted = np.array([share.adjusted for share in found])
    standard_error = adjusted.std() / 400**0.5
    assert abs(adjusted.mean() - 0.6) < 4 * standard_error
    # Luck explains 0.6² · 1/12 of a variance of 0.24: an eighth.
    assert 0.8 < adjusted.var() / plain.var() < 0.95


def test_intervals_hold_what_they_promise() -> None:
    found = simulated(400, 50)
    plain = [abs(share.share - 0.6) < (share.share_error or 0) for share in found]
    adjusted = [abs(share.adjusted - 0.6) < (share.adjusted_error or 0) for share in found]
    assert 0.92 < np.mean(plain) < 0.975
    assert 0.92 < np.mean(adjusted) < 0.975


def test_the_adjusted_interval_is_the_narrower_one() -> None:
    share = first_share(single_games(np.random.default_rng(1), 2000))
    assert share.share_error is not None
    assert share.adjusted_error is not None
    assert share.adjusted_error < 0.96 * share.share_error


def test_the_coefficient_is_what_luck_gave_and_not_one() -> None:
    fit = adjust(LuckSums.from_matches(single_games(np.random.default_rng(2), 4000)))
    assert fit.coefficient == pytest.approx(TRUE_COEFFICIENT, abs=0.1)
    share = fit.bots()[0]
    assert share.adjusted == pytest.approx(share.share - fit.coefficient * share.luck)


def test_exchanged_legs_leave_nothing_to_adjust() -> None:
    share = first_share(exchanged(np.random.default_rng(3), 60))
    assert share.adjusted == share.share
    assert share.share_error is not None
    # Not even a coefficient was fitted to what is no luck.
    assert share.adjusted_error == share.share_error


def test_pairings_share_a_coefficient_until_they_have_thirty_matches() -> None:
    draw = np.random.default_rng(5)
    rows = [
        row
        for pairing, matches in enumerate([OWN_COEFFICIENT - 1, OWN_COEFFICIENT, 12])
        for row in single_games(draw, matches, pairing=pairing)
    ]
    fit = adjust(LuckSums.from_matches(rows))
    few, enough, fewer = (share.coefficient for share in fit.pairings()[::2])
    assert few == fewer == fit.coefficient
    assert enough != fit.coefficient
    table = np.array([row[3:] for row in rows if row[:2] == (1, 0)])
    assert enough == pytest.approx(np.polyfit(table[:, 1], table[:, 0], 1)[0])
    rest = table[:, 0] - enough * table[:, 1]
    # Two degrees of freedom are gone: the mean and the coefficient.
    error = 1.959964 * rest.std(ddof=0) * (30 / 28) ** 0.5 / 30**0.5
    assert fit.pairings()[2].adjusted_error == pytest.approx(error)


def test_both_bots_of_a_pairing_see_the_same() -> None:
    first, second = adjust(
        LuckSums.from_matches(single_games(np.random.default_rng(6), 80))
    ).pairings()
    assert (first.bot, second.bot) == (0, 1)
    assert first.adjusted + second.adjusted == pytest.approx(1)
    assert first.adjusted_error == pytest.approx(second.adjusted_error)
    assert first.luck == pytest.approx(-second.luck)


def test_games_of_one_match_are_one_piece_of_evidence() -> None:
    draw = np.random.default_rng(7)
    single = [row for row in single_games(draw, 50) if row[1] == 0]
    # The same games, each of them counted as a match of four that all went alike.
    fourfold = [(p, b, 4 * games, 4 * score, 4 * luck) for p, b, games, score, luck in single]
    assert first_share(fourfold).games == 4 * first_share(single).games
    assert first_share(fourfold).adjusted_error == pytest.approx(first_share(single).adjusted_error)


def test_a_bot_s_interval_takes_its_pairings_as_they_are() -> None:
    """That opponents differ is no uncertainty of a share over just these opponents."""
    draw = np.random.default_rng(8)
    weak = [row for row in single_games(draw, 200, share=0.79, pairing=0) if row[1] == 0]
    strong = [row for row in single_games(draw, 200, share=0.21, pairing=1) if row[1] == 0]
    together = first_share(weak + strong)
    apart = [first_share(weak), first_share(strong)]
    assert together.adjusted == pytest.approx(sum(share.adjusted for share in apart) / 2)
    squares = sum((share.adjusted_error or 0) ** 2 for share in apart)
    assert together.adjusted_error == pytest.approx(squares**0.5 / 2, rel=0.01)


def test_matches_of_different_length_count_by_their_games() -> None:
    rows = [(0, 0, 1, 1.0, 0.1), (0, 0, 3, 1.0, 0.2)] * 10
    share = first_share(rows)
    assert share.share == pytest.approx(0.5)
    assert share.luck == pytest.approx(0.075)
    assert share.share_error == pytest.approx(1.959964 * (20 / 19 * 20 * 0.25) ** 0.5 / 40)


def test_below_ten_matches_and_where_all_went_alike_there_is_no_interval() -> None:
    assert first_share(single_games(np.random.default_rng(9), 9)).adjusted_error is None
    assert first_share([(0, 0, 2, 2.0, 0.0)] * 40).share_error is None


def test_three_bots_at_a_table_are_adjusted_one_by_one() -> None:
    draw, rows = np.random.default_rng(10), []
    for _ in range(3000):
        luck = draw.uniform(-0.2, 0.2, 3)
        luck -= luck.mean()
        winner = draw.choice(3, p=np.array([0.5, 0.3, 0.2]) + 0.5 * luck)
        rows += [(0, bot, 1, float(bot == winner), luck[bot]) for bot in range(3)]
    fit = adjust(LuckSums.from_matches(rows))
    assert [share.adjusted for share in fit.bots()] == pytest.approx([0.5, 0.3, 0.2], abs=0.03)
    assert sum(share.share for share in fit.bots()) == pytest.approx(1)
    assert fit.coefficient == pytest.approx(0.5, abs=0.15)


def test_sums_can_be_added_up_elsewhere() -> None:
    rows = list(single_games(np.random.default_rng(11), 40))
    whole = LuckSums.from_matches(rows)
    halves = [LuckSums.from_matches(part) for part in (rows[:40], rows[40:])]
    added = LuckSums(whole.pairing, whole.bot, halves[0].sums + halves[1].sums)
    assert added.sums == pytest.approx(whole.sums)
    assert adjust(added).bots()[0].adjusted == pytest.approx(adjust(whole).bots()[0].adjusted)


def test_an_empty_pool_has_no_lines() -> None:
    fit = adjust(LuckSums.from_matches([]))
    assert (fit.coefficient, fit.pairings(), fit.bots()) == (0.0, (), ())


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ((0, 0, 0, 0.0, 0.0), "without a game"),
        ((0, 0, 2, 2.5, 0.0), "0 to games"),
        ((0, 0, 2, -0.5, 0.0), "0 to games"),
    ],
)
def test_what_cannot_have_happened_is_refused(row: MatchLuck, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        LuckSums.from_matches([row])


def test_columns_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="differ in length"):
        LuckSums(np.array([0, 1]), np.array([0]), np.ones((1, 10)))
