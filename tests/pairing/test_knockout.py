"""Single elimination: brackets by hand, drawn ties, leavers; then what holds of every one."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.pairing import Met, Pairing, Place
from arena.pairing.knockout import (
    MOST_EXTRA_MATCHES,
    Side,
    Slot,
    Source,
    Tie,
    bracket,
    next_round,
    places,
)
from tests.pairing.played import (
    NO_END,
    by_chance,
    favourites,
    labels_of,
    match_numbers,
    played,
    short,
)

MATCHES = 2
bounded = settings(deadline=None, max_examples=150)


def rounds_of(labels: str) -> list[list[str]]:
    """What is played where the better seed always wins."""
    met: list[Met] = []
    rounds = []
    while pairings := next_round(labels, met, MATCHES, False):
        assert len(met) < NO_END
        rounds.append(short(pairings))
        met += played(pairings, favourites(labels))
    return rounds


def one(entrants: str, score: float, margin: float = 0, first: int = 1, matches: int = 2) -> Met:
    """What came of a pairing of round 1, of as many games as it was to have."""
    pairing = Pairing(1, (entrants[0], entrants[1]), first, matches)
    return Met(pairing, 2 * matches, score, margin)


def drawn(extra: int, margin: float = 0) -> list[Met]:
    """a-b drawn, and drawn again in so many extra matches, with a margin in the first of all."""
    again = [one("ab", 1, 0, 3 + number, 1) for number in range(extra)]
    return [one("ab", 2, margin), *again]


@pytest.mark.parametrize(
    ("labels", "rounds"),
    [
        ("a", []),
        ("ab", [["a-b"]]),
        ("abc", [["b-c", "a"], ["a-b"]]),
        ("abcde", [["d-e", "a", "b", "c"], ["a-d", "b-c"], ["a-b"]]),
        ("abcdef", [["d-e", "c-f", "a", "b"], ["a-d", "b-c"], ["a-b"]]),
        ("abcdefgh", [["a-h", "d-e", "b-g", "c-f"], ["a-d", "b-c"], ["a-b"]]),
    ],
)
def test_the_best_seed_meets_the_worst_and_the_best_rest_first(
    labels: str, rounds: list[list[str]]
) -> None:
    assert rounds_of(labels) == rounds


def test_pairings_have_the_round_and_all_matches_of_a_tie() -> None:
    assert next_round("cab", [], 5, False) == [
        Pairing(1, ("a", "b"), 1, 5),
        Pairing(1, ("c",), 1, 0),
    ]


def test_the_bracket_of_three_tells_who_comes_from_where() -> None:
    first = Tie(Slot("winners", 1, 1), (Side("a", None), Side(None, None, True)), "a", "bye")
    second = Tie(Slot("winners", 1, 2), (Side("b", None), Side("c", None)))
    sources = Source("winner", first.slot), Source("winner", second.slot)
    final = Tie(Slot("winners", 2, 1), (Side("a", sources[0]), Side(None, sources[1])))
    found = bracket("abc", [], False)
    assert found.ties == (first, second, final)
    assert found.winner is None


def test_the_bracket_of_a_decided_knockout_has_scores_and_the_winner() -> None:
    met = [one("bc", 1)]
    met.append(Met(Pairing(2, ("a", "c"), 1, 2), 4, 2.5, 0))
    found = bracket("abc", met, False)
    assert [(tie.winner, tie.decided) for tie in found.ties] == [
        ("a", "bye"),
        ("c", "score"),
        ("a", "score"),
    ]
    assert [[side.score for side in tie.sides] for tie in found.ties] == [
        [0, 0],
        [1, 3],
        [2.5, 1.5],
    ]
    assert [tie.loser for tie in found.ties] == [None, "b", "c"]
    assert found.winner == "a"
    assert next_round("abc", met, MATCHES, False) == []


# --- drawn ties ---


def test_a_drawn_tie_gets_one_match_more_while_the_round_waits() -> None:
    met = [one("ad", 2), one("bc", 4)]
    assert next_round("abcd", met, 2, False) == [Pairing(1, ("a", "d"), 3, 1)]
    met.append(one("ad", 1, 0, 3, 1))
    assert next_round("abcd", met, 2, False) == [Pairing(1, ("a", "d"), 4, 1)]
    met.append(one("ad", 0.5, 0, 4, 1))
    assert short(next_round("abcd", met, 2, False)) == ["b-d"]
    assert bracket("abcd", met, False).ties[0].decided == "score"


def test_an_extra_match_goes_beside_ties_of_its_round_that_are_still_to_be_played() -> None:
    assert next_round("abcd", [one("ad", 2)], 2, False) == [
        Pairing(1, ("a", "d"), 3, 1),
        Pairing(1, ("b", "c"), 1, 2),
    ]


@pytest.mark.parametrize("extra", range(MOST_EXTRA_MATCHES))
def test_extra_matches_go_on_to_the_last(extra: int) -> None:
    met = drawn(extra, margin=5)
    assert next_round("ab", met, 2, False) == [Pairing(1, ("a", "b"), 3 + extra, 1)]
    assert bracket("ab", met, False).ties[0].decided is None


@pytest.mark.parametrize(("margin", "winner"), [(1, "a"), (-1, "b")])
def test_after_the_last_extra_match_points_decide(margin: float, winner: str) -> None:
    met = drawn(10, margin)
    assert next_round("ab", met, 2, False) == []
    (tie,) = bracket("ab", met, False).ties
    assert (tie.winner, tie.decided) == (winner, "points")


@pytest.mark.parametrize("labels", ["ab", "ba"])
def test_after_equal_points_the_better_seed_decides(labels: str) -> None:
    (tie,) = bracket(labels, drawn(10), False).ties
    assert (tie.winner, tie.decided) == (labels[0], "seed")


def test_the_better_seed_may_stand_lower_in_the_bracket() -> None:
    met = [one("ad", 0), one("bc", 4)]
    final = [Met(Pairing(2, ("b", "d"), 1 + number, 1), 2, 1, 0) for number in range(11)]
    tie = bracket("abcd", met + final, False).ties[-1]
    assert [side.label for side in tie.sides] == ["d", "b"]
    assert (tie.winner, tie.decided) == ("b", "seed")


def test_a_tie_without_games_is_drawn() -> None:
    annulled = Met(Pairing(1, ("a", "b"), 1, 2), 0, 0, 0)
    assert next_round("ab", [annulled], 2, False) == [Pairing(1, ("a", "b"), 3, 1)]


def test_a_bye_does_not_come_again_with_an_extra_match() -> None:
    met = played(next_round("abc", [], 2, False), lambda _: (2.0, 0.0))
    assert short([one.pairing for one in met]) == ["b-c", "a"]
    assert short(next_round("abc", met, 2, False)) == ["b-c"]


# --- bots that leave ---


def test_whoever_has_left_loses_the_tie_that_is_open() -> None:
    met = [one("bc", 4)]
    assert short(next_round("abcd", met, 2, False, ["a"])) == ["b-d"]
    tie = bracket("abcd", met, False, ["a"]).ties[0]
    assert (tie.winner, tie.decided) == ("d", "withdrawn")


def test_a_drawn_tie_is_open_and_a_won_one_is_not() -> None:
    met = [one("ad", 2), one("bc", 4)]
    ties = bracket("abcd", met, False, ["d", "b"]).ties
    assert [(tie.winner, tie.decided) for tie in ties] == [
        ("a", "withdrawn"),
        ("b", "score"),
        ("a", "withdrawn"),
    ]


def test_of_two_who_have_left_the_first_to_leave_loses() -> None:
    for gone in (["a", "b"], ["b", "a"]):
        assert bracket("ab", [], False, gone).winner == gone[1]


def test_a_tie_that_points_decided_stays_decided() -> None:
    (tie,) = bracket("ab", drawn(10, 1), False, ["a"]).ties
    assert (tie.winner, tie.decided) == ("a", "points")


def test_a_bye_goes_to_nobody_who_has_left() -> None:
    assert short(next_round("abcde", [], 2, False, ["b"])) == ["d-e", "a", "c"]


# --- places ---


def test_those_knocked_out_in_one_round_share_its_places() -> None:
    met: list[Met] = []
    for expected in (
        [],
        [Place("e", 5, 6), Place("f", 5, 6)],
        [Place("c", 3, 4), Place("d", 3, 4), Place("e", 5, 6), Place("f", 5, 6)],
    ):
        assert places("abcdef", met, False) == expected
        met += played(next_round("abcdef", met, 2, False), favourites("abcdef"))
    assert places("abcdef", met, False)[:3] == [
        Place("a", 1, 1),
        Place("b", 2, 2),
        Place("c", 3, 4),
    ]


def test_places_of_a_round_that_is_not_over_are_those_of_the_whole_round() -> None:
    assert places("abcd", [one("bc", 4)], False) == [Place("c", 3, 4)]


def test_who_is_alone_has_won() -> None:
    assert places("a", [], False) == places("a", [], True) == [Place("a", 1, 1)]
    assert bracket("", [], True).winner is None


# --- properties ---


@bounded
@given(st.integers(1, 33), st.integers(0, 2**32), st.sampled_from([0.0, 0.4, 1.0]), st.booleans())
def test_every_knockout_ends_with_one_winner_and_all_others_lost_once(
    entrants: int, seed: int, draws: float, some_leave: bool
) -> None:
    random, labels = Random(seed), labels_of(entrants)
    judge = by_chance(random, draws)
    met: list[Met] = []
    gone: list[str] = []
    while pairings := next_round(labels, met, MATCHES, False, gone):
        assert len(met) < NO_END
        assert pairings == next_round(labels, met, MATCHES, False, gone)
        entered = [label for pairing in pairings for label in pairing.entrants]
        assert len(set(entered)) == len(entered)
        assert {pairing.entrants for pairing in pairings}.isdisjoint({(label,) for label in gone})
        met += played(pairings, judge)
        if some_leave and len(gone) < entrants - 1:
            gone.append(random.choice([label for label in labels if label not in gone]))
    found = bracket(labels, met, False, gone)
    assert found.winner is not None
    losses = Counter(tie.loser for tie in found.ties if tie.loser is not None)
    assert losses == dict.fromkeys(set(labels) - {found.winner}, 1)
    assert set(match_numbers([one.pairing for one in met]).values()) <= {1}


@bounded
@given(st.integers(2, 33), st.integers(0, 2**32))
def test_the_two_best_seeds_meet_in_the_last_round_or_never(entrants: int, seed: int) -> None:
    labels, met = labels_of(entrants), list[Met]()
    judge = by_chance(Random(seed))
    while pairings := next_round(labels, met, MATCHES, False):
        assert len(met) < NO_END
        met += played(pairings, judge)
    ties = bracket(labels, met, False).ties
    best = set(labels[:2])
    assert all({side.label for side in tie.sides} != best for tie in ties[:-1])


@bounded
@given(st.integers(1, 33), st.integers(0, 2**32), st.booleans())
def test_places_in_the_end_are_all_places_once(entrants: int, seed: int, double: bool) -> None:
    labels, met = labels_of(entrants), list[Met]()
    judge = by_chance(Random(seed), draws=0.2)
    while pairings := next_round(labels, met, MATCHES, double):
        assert len(met) < NO_END
        met += played(pairings, judge)
    found = places(labels, met, double)
    assert sorted(place.label for place in found) == labels
    shared = Counter((place.best, place.worst) for place in found)
    ranks = sorted(rank for best, worst in shared for rank in range(best, worst + 1))
    assert ranks == list(range(1, entrants + 1))
    assert all(count == worst - best + 1 for (best, worst), count in shared.items())
