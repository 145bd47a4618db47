"""Double elimination: by hand to the reset, then what holds of every one."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.pairing import Met, Pairing, Place
from arena.pairing.knockout import Slot, Source, bracket, next_round, places
from tests.pairing.played import (
    NO_END,
    Judge,
    by_chance,
    favourites,
    labels_of,
    match_numbers,
    played,
    short,
)

MATCHES = 2
bounded = settings(deadline=None, max_examples=150)


def play(labels: str | list[str], judge: Judge) -> tuple[list[list[str]], list[Met]]:
    met: list[Met] = []
    rounds = []
    while pairings := next_round(labels, met, MATCHES, True):
        assert len(met) < NO_END
        rounds.append(short(pairings))
        met += played(pairings, judge)
    return rounds, met


@pytest.mark.parametrize(
    ("labels", "rounds"),
    [
        ("ab", [["a-b"], ["a-b"]]),
        ("abc", [["b-c", "a"], ["a-b", "c"], ["b-c"], ["a-b"]]),
        ("abcd", [["a-d", "b-c"], ["a-b", "c-d"], ["b-c"], ["a-b"]]),
        (
            "abcde",
            [
                ["d-e", "a", "b", "c"],
                ["a-d", "b-c", "e"],
                ["a-b", "c-e", "d"],
                ["c-d"],
                ["b-c"],
                ["a-b"],
            ],
        ),
        (
            "abcdefgh",
            [
                ["a-h", "d-e", "b-g", "c-f"],
                ["a-d", "b-c", "e-h", "f-g"],
                ["a-b", "c-e", "d-f"],
                ["c-d"],
                ["b-c"],
                ["a-b"],
            ],
        ),
    ],
)
def test_losers_meet_each_other_and_then_those_who_lose_later(
    labels: str, rounds: list[list[str]]
) -> None:
    """The better seed always wins; d has beaten e, so that it meets f of the other half first."""
    assert play(labels, favourites(labels))[0] == rounds


def test_the_grand_final_is_played_again_if_the_winner_of_the_losers_bracket_won_it() -> None:
    finals = iter([(1.0, -3.0), (2.5, 3.0)])

    def judge(pairing: Pairing) -> tuple[float, float]:
        if pairing.round < 4:
            return favourites("abcd")(pairing)
        return next(finals)

    _, met = play("abcd", judge)
    assert [one.pairing for one in met[-2:]] == [
        Pairing(4, ("a", "b"), 3, 2),
        Pairing(5, ("a", "b"), 5, 2),
    ]
    first, second = bracket("abcd", met, True).ties[-2:]
    assert (first.slot, first.winner) == (Slot("final", 4, 1), "b")
    assert (second.slot, second.winner) == (Slot("final", 5, 1), "a")
    assert [side.label for side in second.sides] == ["a", "b"]
    assert places("abcd", met, True) == [
        Place("a", 1, 1),
        Place("b", 2, 2),
        Place("c", 3, 3),
        Place("d", 4, 4),
    ]


def test_there_is_no_second_final_in_the_bracket_until_it_is_to_be_played() -> None:
    _, met = play("abcd", favourites("abcd"))
    assert [tie.slot for tie in bracket("abcd", met, True).ties if tie.slot.bracket == "final"] == [
        Slot("final", 4, 1)
    ]
    assert places("abcd", met[:-1], True) == [Place("c", 3, 3), Place("d", 4, 4)]


def test_a_drawn_tie_of_two_who_met_before_is_numbered_on() -> None:
    met = played(next_round("ab", [], 2, True), favourites("ab"))
    met += played(next_round("ab", met, 2, True), lambda _: (2.0, 0.0))
    assert next_round("ab", met, 2, True) == [Pairing(2, ("a", "b"), 5, 1)]


def test_of_five_losers_of_byes_are_nobody() -> None:
    """The ties of the losers' bracket in their order: who is in them, by what they are decided."""
    _, met = play("abcde", favourites("abcde"))
    ties = [tie for tie in bracket("abcde", met, True).ties if tie.slot.bracket == "losers"]
    assert [
        (tie.slot.round, tie.slot.place, [side.label for side in tie.sides], tie.decided)
        for tie in ties
    ] == [
        (2, 1, [None, "e"], "bye"),
        (3, 1, ["e", "c"], "score"),
        (3, 2, [None, "d"], "bye"),
        (4, 1, ["c", "d"], "score"),
        (5, 1, ["c", "b"], "score"),
    ]


def test_whoever_leaves_loses_in_both_brackets() -> None:
    met = played(next_round("abcd", [], 2, True), favourites("abcd"))
    assert short(next_round("abcd", met, 2, True, ["a"])) == ["c-d"]
    met += played(next_round("abcd", met, 2, True, ["a"]), favourites("abcd"))
    assert short(next_round("abcd", met, 2, True, ["a"])) == ["b-c"]
    assert places("abcd", met, True, ["a"])[0] == Place("a", 3, 3)


# --- properties ---


@bounded
@given(st.integers(1, 33), st.integers(0, 2**32), st.sampled_from([0.0, 0.4, 1.0]), st.booleans())
def test_every_one_ends_with_one_winner_and_all_others_lost_twice(
    entrants: int, seed: int, draws: float, some_leave: bool
) -> None:
    random, labels = Random(seed), labels_of(entrants)
    judge = by_chance(random, draws)
    met: list[Met] = []
    gone: list[str] = []
    while pairings := next_round(labels, met, MATCHES, True, gone):
        assert len(met) < NO_END
        entered = [label for pairing in pairings for label in pairing.entrants]
        assert len(set(entered)) == len(entered)
        met += played(pairings, judge)
        if some_leave and len(gone) < entrants - 1:
            gone.append(random.choice([label for label in labels if label not in gone]))
    found = bracket(labels, met, True, gone)
    assert found.winner is not None
    losses = Counter(tie.loser for tie in found.ties if tie.loser is not None)
    assert losses.pop(found.winner, 0) <= 1
    assert losses == dict.fromkeys(set(labels) - {found.winner}, 2)
    assert set(match_numbers([one.pairing for one in met]).values()) <= {1}
    rounds = [one.pairing.round for one in met]
    assert rounds == sorted(rounds)


@bounded
@given(st.integers(2, 20), st.integers(0, 2**32))
def test_what_is_decided_stays_as_it_is_whoever_leaves_later(entrants: int, seed: int) -> None:
    random, labels = Random(seed), labels_of(entrants)
    judge = by_chance(random, draws=0.5)
    met: list[Met] = []
    gone: list[str] = []
    decided: dict[Slot, str] = {}
    while pairings := next_round(labels, met, MATCHES, True, gone):
        assert len(met) < NO_END
        met += played(pairings, judge)
        left = random.choice(labels)
        for leavers in (gone, [*gone, left] if left not in gone else gone):
            ties = bracket(labels, met, True, leavers).ties
            now = {tie.slot: tie.winner for tie in ties if tie.winner is not None}
            assert decided.items() <= now.items()
            decided = now
            gone = leavers


FIRST_REMATCH = {4: 3, 8: 4, 16: 5, 32: 6, 64: 8}
"""The first round in which two of the losers' bracket may have met, by number of entrants."""


@bounded
@given(st.sampled_from(list(FIRST_REMATCH)), st.integers(0, 2**32))
def test_losers_cross_over_so_that_rematches_come_late(entrants: int, seed: int) -> None:
    labels = labels_of(entrants)
    _, met = play(labels, by_chance(Random(seed)))
    ties = [tie for tie in bracket(labels, met, True).ties if tie.slot.bracket != "final"]
    pairs = Counter(frozenset(side.label for side in tie.sides) for tie in ties)
    again = [tie for tie in ties if pairs[frozenset(side.label for side in tie.sides)] > 1]
    rounds = [tie.slot.round for tie in again if tie.slot.bracket == "losers"]
    assert min(rounds, default=99) >= FIRST_REMATCH[entrants]


def test_where_a_rematch_can_not_be_put_off_it_is_one_of_the_first_round() -> None:
    """Of sixteen, losers of the semi-finals find the losers of both halves: each its own first."""
    ties = {tie.slot: tie for tie in bracket(labels_of(16), [], True).ties}
    for place in (1, 2):
        sources = [side.source for side in ties[Slot("losers", 5, place)].sides]
        assert sources[1] == Source("loser", Slot("winners", 3, place))
