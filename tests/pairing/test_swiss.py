"""Swiss rounds and their table: worked examples, then what must hold of every tournament."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.pairing import Met, NoPairing, Pairing, swiss
from tests.pairing.played import ROTATIONS, by_chance, favourites, labels_of, played, short, written

bounded = settings(deadline=None, max_examples=100)
seeds = st.integers(0, 2**32)


def next_round(labels: str | list[str], met: list[Met]) -> list[Pairing]:
    return swiss.next_round(labels, met, 1, ROTATIONS)


def met_before(*pairings: tuple[str, float]) -> list[Met]:
    """What came of two-letter pairings, each in a round of its own: what the first scored."""
    return [
        Met(Pairing(number, (pair[0], pair[1]), 1, 1), ROTATIONS, score, 0)
        for number, (pair, score) in enumerate(pairings, 1)
    ]


# --- worked by hand ---

FIVE = (
    (["a-c", "b-d", "e"], {("a", "c"): (2.0, 10.0), ("b", "d"): (1.0, 4.0)}),
    (["a-b", "d-e", "c"], {("a", "b"): (1.5, 3.0), ("d", "e"): (2.0, 6.0)}),
    (["a-d", "c-e", "b"], {("a", "d"): (1.0, -2.0), ("c", "e"): (2.0, 5.0)}),
)
"""Round by round the pairings and the results. Before round 2 a and e have 2, b and d 1 and have
met, so that one of each meets; before round 3 a has 3.5, d 3, c and e 2."""


def five() -> list[Met]:
    met: list[Met] = []
    for expected, results in FIVE:
        pairings = next_round("abcde", met)
        assert short(pairings) == expected
        met += played(pairings, written(results))
    return met


def test_five_bots_meet_and_rest_as_worked_out() -> None:
    assert {one.pairing.round for one in five()} == {1, 2, 3}


def test_the_table_of_five_as_worked_out() -> None:
    lines = swiss.table("abcde", five(), ROTATIONS)
    assert lines == [
        swiss.SwissLine(1, "a", 4.5, 11.5, 4 * 1 + 3.5 * 0.75 + 4 * 0.5, 11, 0),
        swiss.SwissLine(2, "c", 4.0, 10.5, 4.5 * 0 + 4 * 1 + 2 * 1, -5, 1),
        swiss.SwissLine(3, "d", 4.0, 10.0, 3.5 * 0.5 + 2 * 1 + 4.5 * 0.5, 4, 0),
        swiss.SwissLine(4, "b", 3.5, 12.0, 4 * 0.5 + 4.5 * 0.25 + 3.5 * 1, 1, 1),
        swiss.SwissLine(5, "e", 2.0, 10.0, 2 * 1 + 4 * 0 + 4 * 0, -11, 1),
    ]


def test_eight_bots_meet_upper_half_against_lower_half_of_each_group() -> None:
    met: list[Met] = []
    for expected in (
        ["a-e", "b-f", "c-g", "d-h"],
        ["a-c", "b-d", "e-g", "f-h"],
        ["a-b", "c-e", "d-f", "g-h"],
    ):
        pairings = next_round("abcdefgh", met)
        assert short(pairings) == expected
        met += played(pairings, favourites("abcdefgh"))
    lines = swiss.table("abcdefgh", met, ROTATIONS)
    assert [(line.label, line.score, line.buchholz, line.sonneborn_berger) for line in lines] == [
        ("a", 6, 10, 10),
        ("b", 4, 12, 6),
        ("c", 4, 10, 4),
        ("d", 4, 6, 2),
        ("e", 2, 12, 2),
        ("f", 2, 8, 0),
        ("g", 2, 6, 0),
        ("h", 0, 8, 0),
    ]
    assert [line.place for line in lines] == [1, 2, 3, 4, 5, 6, 7, 8]


def test_bots_that_nothing_tells_apart_share_a_place_in_seed_order() -> None:
    met = played(next_round("abcd", []), favourites("abcd"))
    lines = swiss.table("abcd", met, ROTATIONS)
    assert [(line.place, line.label) for line in lines] == [(1, "a"), (1, "b"), (3, "c"), (3, "d")]


def test_margin_decides_where_all_else_is_equal() -> None:
    met = played(next_round("abcd", []), written({("a", "c"): (2, 3), ("b", "d"): (2, 4)}))
    assert [line.label for line in swiss.table("abcd", met, ROTATIONS)] == ["b", "a", "c", "d"]


def test_buchholz_comes_before_sonneborn_berger() -> None:
    """a lost to x, which has 6, and beat z, which has 0; b lost to w and beat y, which have 2."""
    met = met_before(("ax", 0), ("az", 2), ("by", 2), ("bw", 0), ("xw", 2), ("yz", 2), ("vx", 0))
    lines = {line.label: line for line in swiss.table("bayzvwx", met, ROTATIONS)}
    assert (lines["a"].score, lines["a"].buchholz, lines["a"].sonneborn_berger) == (2, 6, 0)
    assert (lines["b"].score, lines["b"].buchholz, lines["b"].sonneborn_berger) == (2, 4, 2)
    assert lines["a"].place < lines["b"].place


def test_rounding_does_not_break_a_tie() -> None:
    """a takes 1, 2 and 3 games of 10 from opponents that all score 16, b the same backwards."""
    won = {"ax": 1, "ay": 2, "az": 3, "bx": 3, "by": 2, "bz": 1}
    met = [
        Met(Pairing(number, (pair[0], pair[1]), 1, 5), 10, score, 0)
        for number, (pair, score) in enumerate(won.items(), 1)
    ]
    lines = {line.label: line for line in swiss.table("abxyz", met, 10)}
    assert lines["a"].sonneborn_berger == lines["b"].sonneborn_berger == 9.6
    assert lines["a"].place == lines["b"].place == 4


def test_a_transposition_of_the_lower_half_avoids_a_rematch() -> None:
    met = played(next_round("abcd", []), lambda _: (1.0, 0.0))
    assert short(next_round("abcd", met)) == ["a-d", "b-c"]
    met += played(next_round("abcd", met), lambda _: (1.0, 0.0))
    assert short(next_round("abcd", met)) == ["a-b", "c-d"]


def test_whoever_is_left_over_in_a_group_is_paired_within_it() -> None:
    """a, b, c, d lead; c has met a and b, so that nobody else than d is left for it."""
    before = [("ac", 1), ("bc", 1), ("ax", 2), ("bx", 2), ("cx", 1), ("dx", 2), ("dy", 1)]
    assert short(next_round("abcdefgh", met_before(*before))) == ["a-b", "c-d", "e-g", "f-h"]


def test_whoever_is_left_over_at_the_end_changes_the_pair_of_the_nearest_score() -> None:
    before = [("ax", 2), ("bx", 2), ("cx", 1), ("dx", 1), ("ef", 0)]
    met = met_before(*before, ("ey", 0), ("fy", -2))
    assert short(next_round("abcdef", met)) == ["a-b", "c-e", "d-f"]


def test_whoever_has_left_is_paired_no_more_but_counts_as_an_opponent() -> None:
    met = played(next_round("abcd", []), favourites("abcd"))
    assert short(next_round("acd", met)) == ["a-d", "c"]
    assert [line.buchholz for line in swiss.table("acd", met, ROTATIONS)] == [0, 2, 2]


def test_fewer_games_than_planned_are_fewer_games() -> None:
    met = [Met(Pairing(1, ("a", "b"), 1, 2), 1, 1, 9), Met(Pairing(1, ("c", "d"), 1, 2), 0, 0, 0)]
    lines = {line.label: line for line in swiss.table("abcd", met, 4)}
    assert [lines[label].score for label in "abcd"] == [1, 0, 0, 0]
    assert lines["b"].buchholz == 1
    assert lines["c"].sonneborn_berger == 0


def test_after_everybody_has_met_everybody_there_is_no_round() -> None:
    met: list[Met] = []
    for _ in range(3):
        met += played(next_round("abcd", met), favourites("abcd"))
    with pytest.raises(NoPairing, match="round 4 of 4: no pairing without a rematch or second bye"):
        next_round("abcd", met)


def test_nobody_rests_twice() -> None:
    met = played(next_round("a", []), favourites("a"))
    assert short([one.pairing for one in met]) == ["a"]
    with pytest.raises(NoPairing):
        next_round("a", met)
    assert next_round("", []) == []


@pytest.mark.parametrize(
    ("entrants", "most", "usual"),
    [(2, 1, 1), (3, 2, 2), (4, 2, 2), (5, 3, 3), (8, 4, 3), (9, 5, 4), (16, 8, 4), (1000, 500, 10)],
)
def test_rounds_that_are_sure_and_rounds_that_are_usual(
    entrants: int, most: int, usual: int
) -> None:
    assert swiss.most_rounds(entrants) == most
    assert swiss.usual_rounds(entrants) == usual


# --- properties ---


def assert_is_a_round(pairings: list[Pairing], labels: list[str], met: list[Met]) -> None:
    """Everybody once, at most one bye and that last, nobody whom one has met."""
    assert sorted(label for one in pairings for label in one.entrants) == sorted(labels)
    assert [one.is_bye for one in pairings] == [False] * (len(labels) // 2) + [True] * (
        len(labels) % 2
    )
    before = {one.pairing.entrants for one in met}
    assert before.isdisjoint(one.entrants for one in pairings)
    number = 1 + max((one.pairing.round for one in met), default=0)
    for one in pairings:
        assert one == Pairing(number, tuple(sorted(one.entrants)), 1, 0 if one.is_bye else 1)


@bounded
@given(st.integers(1, 40), seeds, st.sampled_from([0.0, 0.5, 1.0]))
def test_up_to_the_bound_there_is_a_round_whatever_the_results(
    entrants: int, seed: int, draws: float
) -> None:
    labels, met = labels_of(entrants), list[Met]()
    judge = by_chance(Random(seed), draws)
    for _ in range(swiss.most_rounds(entrants)):
        pairings = next_round(labels, met)
        assert_is_a_round(pairings, labels, met)
        met += played(pairings, judge)
    assert max(Counter(one.pairing.entrants for one in met).values()) == 1


@bounded
@given(st.integers(1, 40), seeds)
def test_up_to_the_bound_there_is_a_round_whatever_the_rounds_before(
    entrants: int, seed: int
) -> None:
    """Earlier rounds by chance, in which some may have met twice; also with a bot entered late."""
    random, labels = Random(seed), labels_of(entrants)
    met: list[Met] = []
    for number in range(1, swiss.most_rounds(entrants)):
        order = random.sample(labels, entrants)
        pairs = [tuple(sorted(order[place : place + 2])) for place in range(0, entrants, 2)]
        round = [Pairing(number, pair, 1, len(pair) - 1) for pair in pairs]
        met += played(round, by_chance(random))
    pairings = next_round(labels, met)
    pairs_before = {one.pairing.entrants for one in met}
    assert pairs_before.isdisjoint(one.entrants for one in pairings)
    assert sorted(label for one in pairings for label in one.entrants) == labels


def can_be_paired(labels: list[str], met: set[tuple[str, ...]]) -> bool:
    """By trying everything, whether a round exists."""
    if not labels:
        return True
    first, *rest = labels
    if len(labels) % 2 and (first,) not in met and can_be_paired(rest, met | {("bye",)}):
        return True
    return any(
        (first, other) not in met
        and can_be_paired([label for label in rest if label != other], met)
        for other in rest
    )


@settings(deadline=None, max_examples=300)
@given(st.integers(2, 9), st.floats(0.2, 0.9), seeds)
def test_there_is_no_pairing_only_where_trying_everything_finds_none(
    entrants: int, share_met: float, seed: int
) -> None:
    random, labels = Random(seed), labels_of(entrants)
    pairs = [(a, b) for a in labels for b in labels if a < b] + [(label,) for label in labels]
    history = [
        Pairing(number, pair, 1, len(pair) - 1)
        for number, pair in enumerate(pairs, 1)
        if random.random() < share_met
    ]
    met = played(history, by_chance(random))
    try:
        pairings = next_round(labels, met)
    except NoPairing:
        assert not can_be_paired(labels, {one.entrants for one in history})
    else:
        assert_is_a_round(pairings, labels, met)


@bounded
@given(st.integers(2, 40), seeds)
def test_the_bye_is_for_the_lowest_that_had_none_and_boards_go_by_strength(
    entrants: int, seed: int
) -> None:
    labels, met = labels_of(entrants), list[Met]()
    judge = by_chance(Random(seed))
    for _ in range(swiss.most_rounds(entrants) - 1):
        lines = {line.label: line for line in swiss.table(labels, met, ROTATIONS)}
        rank = sorted(labels, key=lambda label: -lines[label].score)
        pairings = next_round(labels, met)
        if entrants % 2:
            resting = pairings[-1].entrants[0]
            assert resting == [label for label in rank if not lines[label].byes][-1]
        boards = [min(map(rank.index, one.entrants)) for one in pairings if not one.is_bye]
        assert boards == sorted(boards)
        met += played(pairings, judge)


@bounded
@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0]), min_size=2, max_size=40))
def test_where_nobody_has_met_groups_halve_and_one_of_an_odd_group_meets_the_next(
    score: list[float],
) -> None:
    """All have played one game, each against somebody who has left."""
    labels = labels_of(len(score))
    met = [
        Met(Pairing(1, (label, f"gone-{label}"), 1, 1), 2, won, 0)
        for label, won in zip(labels, score, strict=True)
    ]
    ranked = sorted(range(len(score)), key=lambda place: -score[place])
    expected, floater = [], []
    for points in sorted(set(score), reverse=True):
        group = floater + [place for place in ranked if score[place] == points]
        if floater and len(group) > 1:
            expected.append(group[:2])
            group = group[2:]
        half = len(group) // 2
        expected += [[group[place], group[half + place]] for place in range(half)]
        floater = group[2 * half :]
    expected.sort(key=lambda pair: ranked.index(pair[0]))
    wanted = [tuple(labels[place] for place in sorted(pair)) for pair in [*expected, floater]]
    assert [one.entrants for one in next_round(labels, met)] == [pair for pair in wanted if pair]


@bounded
@given(st.integers(2, 40), seeds)
def test_scores_of_the_table_add_up_to_the_games(entrants: int, seed: int) -> None:
    labels, met = labels_of(entrants), list[Met]()
    judge = by_chance(Random(seed))
    for _ in range(swiss.usual_rounds(entrants)):
        met += played(next_round(labels, met), judge)
    lines = swiss.table(labels, met, ROTATIONS)
    byes = sum(one.pairing.is_bye for one in met)
    assert sum(line.score for line in lines) == sum(one.games for one in met) + ROTATIONS * byes
    assert sum(line.margin for line in lines) == 0
    assert sum(line.byes for line in lines) == byes
    assert [line.place for line in lines] == sorted(line.place for line in lines)
