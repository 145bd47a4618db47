"""What moved a rating, against equations solved in another way."""

from __future__ import annotations

import math
import random
from itertools import combinations
from pathlib import Path

import pytest

from arena.rating import strength
from arena.standings import (
    Explanation,
    expected_share,
    explain,
    pair_points,
    pair_scores,
    pair_strength,
    residual,
    standings,
)
from arena.store import Meeting, PointsRow, Reader, ResultRow
from tests.tournament.made_up import MadeUp, Verdict, entered, played

LABELS = tuple("abcdef")
STRENGTH = dict(zip(LABELS, (300, 180, 120, 0, -60, -200), strict=True))


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament whose better bots win more often; c cannot cope with f."""
    path = tmp_path_factory.mktemp("explain") / "games.db"
    chance = random.Random(5)

    def judge(chunk: object, key: object) -> Verdict:
        a, b = chunk.pairing  # type: ignore[attr-defined]
        ahead = STRENGTH[a] - STRENGTH[b] - 500 * ((a, b) == ("c", "f"))
        return Verdict(a if chance.random() < expected_share(ahead, 0) else b, 10)

    played(path, entered(path, *LABELS, matches=30), MadeUp(judge))
    return path


def explained(path: Path, label: str, *without: str) -> Explanation:
    with Reader(path) as reader:
        found = explain(reader, standings(reader, 1), 1, label, without)
    assert found is not None
    return found


@pytest.mark.parametrize("label", LABELS)
def test_the_rating_that_is_explained_is_that_of_the_standings(path: Path, label: str) -> None:
    with Reader(path) as reader:
        lines = {line.label: line for line in standings(reader, 1).lines}
    found = explained(path, label)
    assert found.rating == pytest.approx(lines[label].rating, abs=1e-3)
    assert found.games == lines[label].games
    assert found.score == lines[label].wins + lines[label].draws / 2
    assert found.opponents == len(found.influences) == 5


def by_bisection(path: Path, meetings: list[tuple[float, Meeting]]) -> float:
    """The rating at which games won are those expected, with one virtual game half won."""
    with Reader(path) as reader:
        [scale] = standings(reader, 1).scales
    low, high = -2000.0, 5000.0
    for _ in range(200):
        middle = (low + high) / 2
        beyond = 0.5 - expected_share(middle, scale.phantom)
        for rating, row in meetings:
            beyond += row.score - row.games * expected_share(middle, rating)
        low, high = (middle, high) if beyond > 0 else (low, middle)
    return low


@pytest.mark.parametrize("label", LABELS)
def test_without_an_opponent_it_is_the_rating_that_its_other_games_give(
    path: Path, label: str
) -> None:
    found = explained(path, label)
    met = [(one.rating, one.meeting) for one in found.influences]
    for one in found.influences:
        others = [(rating, row) for rating, row in met if row.b != one.meeting.b]
        assert found.rating - one.moved == pytest.approx(by_bisection(path, others), abs=1e-4)
    two = [row.b for _, row in met[:2]]
    left = [(rating, row) for rating, row in met if row.b not in two]
    assert explained(path, label, *two).rating_without == pytest.approx(
        by_bisection(path, left), abs=1e-4
    )


def test_the_opponent_it_cannot_cope_with_lowered_its_rating_most(path: Path) -> None:
    found = explained(path, "c")
    assert found.influences[-1].meeting.b == "f"
    assert found.influences[-1].moved < -20
    assert found.influences[-1].residual < -3
    assert [one.moved for one in found.influences] == sorted(
        (one.moved for one in found.influences), reverse=True
    )


def test_one_game_more_moves_it_as_was_said(path: Path) -> None:
    found = explained(path, "b")
    for one in found.influences:
        for won, said in ((1, one.win_moves), (0, one.loss_moves)):
            met = []
            for other in found.influences:
                row = other.meeting
                extra = other is one
                more = Meeting(
                    row.a, row.b, row.matches, row.games + extra, row.wins + won * extra, row.draws
                )
                met.append((other.rating, more))
            assert by_bisection(path, met) - found.rating == pytest.approx(said, rel=0.05)


def test_all_opponents_left_out_leave_nothing_to_rate(path: Path) -> None:
    assert explained(path, "a").rating_without is None
    assert explained(path, "a", *LABELS).rating_without is None
    assert explained(path, "a", "nobody").without == []


def test_nobody_is_explained_who_has_no_rating(path: Path) -> None:
    with Reader(path) as reader:
        assert explain(reader, standings(reader, 1), 1, "nobody") is None


def test_a_pair_is_measured_like_by_fishtest() -> None:
    counts = [34, 54, 63, 64, 75]
    rows = [ResultRow(["a", "b"], [n / 2], count) for n, count in enumerate(counts)]
    found = pair_strength(pair_scores(rows, "a", "b", 2), 2)
    known = strength(counts)
    assert found is not None
    assert found.elo == pytest.approx(known.elo)
    assert found.superiority == pytest.approx(known.los)
    assert found.elo_high is not None
    assert found.elo_low is not None
    assert (found.elo_high - found.elo_low) / 2 == pytest.approx(known.elo_error)
    turned = pair_strength(pair_scores(rows, "b", "a", 2), 2)
    assert turned is not None
    assert turned.elo == pytest.approx(-55.5798, abs=1e-4)
    assert turned.share + found.share == pytest.approx(1)


def test_what_few_or_equal_matches_do_not_tell() -> None:
    assert pair_strength({}, 2) is None
    few = pair_strength({2.0: 3, 0.0: 3}, 2)
    assert few is not None
    assert (few.share, few.error, few.superiority) == (0.5, None, None)
    won = pair_strength({2.0: 30}, 2)
    assert won is not None
    assert (won.share, won.elo, won.error) == (1.0, None, None)


def test_partners_are_not_each_others_opponents() -> None:
    rows = [ResultRow(["a", "b", "c"], [None, 1.0, 2.0], 4)]
    assert pair_scores(rows, "a", "b", 3) == {}
    assert pair_scores(rows, "c", "a", 3) == {2.0: 4}


def test_points_of_two_at_a_larger_table_are_those_of_the_two_alone() -> None:
    chance = random.Random(2)
    sums, products = [0] * 4, [0] * 10
    pair_sums, pair_products = [0] * 3, [0] * 6
    for _ in range(20):
        z = [chance.randrange(40, 120) for _ in range(3)] + [chance.randrange(3, 9)]
        for place, (u, v) in enumerate((u, v) for i, u in enumerate(z) for v in z[i:]):
            products[place] += u * v
        sums = [total + one for total, one in zip(sums, z, strict=True)]
        two = [z[2], z[0], z[3]]
        for place, (u, v) in enumerate((u, v) for i, u in enumerate(two) for v in two[i:]):
            pair_products[place] += u * v
        pair_sums = [total + one for total, one in zip(pair_sums, two, strict=True)]
    found = pair_points([PointsRow(["a", "b", "c"], 20, sums, products)], "c", "a")
    alone = pair_points([PointsRow(["c", "a"], 20, pair_sums, pair_products)], "c", "a")
    assert found == alone
    assert found is not None
    assert found.margin == pytest.approx((pair_sums[0] - pair_sums[1]) / pair_sums[2])
    assert pair_points([], "a", "b") is None


def test_a_residual_counts_standard_deviations() -> None:
    assert residual(60, 100, 0.5) == pytest.approx(2)
    assert residual(10, 100, 0.2) == pytest.approx(-10 / math.sqrt(16))


def test_all_pairs_of_the_summary_are_the_games_that_were_won(path: Path) -> None:
    with Reader(path) as reader:
        rows = {(row.a, row.b): row for row in reader.meetings(1)}
        assert set(rows) == set(combinations(LABELS, 2))
        for label in LABELS:
            own = reader.meetings(1, label)
            assert {row.b for row in own} == {*LABELS} - {label}
            for row in own:
                pair = tuple(sorted((label, row.b)))
                kept = rows[pair]  # type: ignore[index]
                assert row == (kept if kept.a == label else kept.turned())
                assert reader.meeting(1, label, row.b) == row
                assert row.wins + row.draws + row.losses == row.games == 60
