"""Who meets whom, who sits where, and in which chunks: by the tournament file alone."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.schedule import (
    MOST_REPLAYS,
    GameKey,
    chunks,
    labels_of,
    pairings,
    rotations_of,
    rules_of,
    seating,
)
from protocol.rules import PRESETS
from protocol.tournament import Tournament

ALONE = {"kseri": 2, "kseri-3": 3, "faro-4": 4, "faro-5": 5, "faro-6": 6}
"""Presets in which every seat is a side, by how many."""


def tournament(**settings: Any) -> Tournament:
    return Tournament(**{"name": "t", "bots": ["a", "b"], **settings})


def alone(seats: int) -> dict[str, Any]:
    """Settings of a game of so many seats, each a side of its own."""
    decks = 1 if seats < 5 else 2
    return {"overrides": {"seats": seats, "sides": seats, "decks": decks}}


def test_labels_are_names_with_a_number_where_a_bot_is_entered_again() -> None:
    assert labels_of(["a", "b", "a", "a"]) == ["a", "b", "a-2", "a-3"]
    assert labels_of(["a-2", "a", "a"]) == ["a-2", "a", "a-3"]
    assert labels_of(["a", "a", "a-2"]) == ["a", "a-2", "a-2-2"]


@given(st.lists(st.sampled_from(["a", "a-2", "a-2-2", "b"]), max_size=12))
def test_labels_are_unique(names: list[str]) -> None:
    assert len(set(labels_of(names))) == len(names)


def test_two_sides_meet_in_the_order_of_their_labels() -> None:
    for entered in permutations(["b", "a", "c"]):
        met = set(pairings(entered, tournament()))
        assert met == {("a", "b"), ("a", "c"), ("b", "c")}


@pytest.mark.parametrize("seats", range(3, 7))
def test_more_sides_sit_in_the_order_in_which_they_were_entered(seats: int) -> None:
    labels = ["g", "f", "e", "d", "c", "b", "a"]
    met = pairings(labels, tournament(**alone(seats)))
    assert met == list(combinations(labels, seats))


@pytest.mark.parametrize("seats", range(2, 7))
def test_everybody_alone_sits_on_every_seat_once(seats: int) -> None:
    settings = tournament(**alone(seats))
    rules, pairing = rules_of(settings), tuple("abcdef"[:seats])
    assert rotations_of(settings, rules) == seats
    games = [seating(pairing, rotation, rules) for rotation in range(seats)]
    for rotation, labels in enumerate(games):
        for seat, label in enumerate(pairing):
            assert labels[(seat + rotation) % seats] == label
    assert all(len(set(column)) == seats for column in zip(*games, strict=True))


@pytest.mark.parametrize("preset", [name for name in PRESETS if name not in ALONE])
def test_a_bot_plays_all_seats_of_its_side(preset: str) -> None:
    settings = tournament(rules=preset)
    rules = rules_of(settings)
    assert rotations_of(settings, rules) == rules.sides
    for rotation in range(rules.sides):
        labels = seating(("a", "b", "c", "d", "e", "f")[: rules.sides], rotation, rules)
        for side in range(rules.sides):
            assert len({labels[s] for s in range(rules.seats) if rules.side_of[s] == side}) == 1
        assert labels[rotation % rules.seats] == "a"


def test_partners_change_sides() -> None:
    rules = rules_of(tournament(rules="kseri-partners"))
    assert seating(("a", "b"), 0, rules) == ["a", "b", "a", "b"]
    assert seating(("a", "b"), 1, rules) == ["b", "a", "b", "a"]


def test_a_file_may_ask_for_fewer_rotations() -> None:
    settings = tournament(rules="kseri-3", rotations=2)
    assert rotations_of(settings, rules_of(settings)) == 2


KEYS = st.builds(
    GameKey, match=st.integers(1, 20), replay=st.integers(0, 2), rotation=st.integers(0, 2)
)
REPLAYS = st.dictionaries(st.integers(1, 20), st.integers(1, MOST_REPLAYS + 1), max_size=5)


@given(st.integers(1, 20), st.integers(1, 8), st.sets(KEYS, max_size=40), REPLAYS)
def test_chunks_are_cut_by_the_schedule_alone_and_skip_what_is_done(
    matches: int, size: int, done: set[GameKey], replays: dict[int, int]
) -> None:
    settings = tournament(rules="kseri-3", matches=matches, chunk_matches=size)
    found = list(chunks(settings, ("a", "b", "c"), done, replays))
    for chunk in found:
        assert {(key.match - 1) // size for key in chunk.games} == {chunk.number}
        order = [(key.rotation, key.match) for key in chunk.games]
        assert order == sorted(order)
        ends = {key.match: key for key in chunk.games}
        assert chunk.last == set(ends.values())
    wanted = {
        GameKey(match, replays.get(match, 0), rotation)
        for match in range(1, matches + 1)
        for rotation in range(3)
        if replays.get(match, 0) <= MOST_REPLAYS
    }
    planned = [key for chunk in found for key in chunk.games]
    assert len(planned) == len(set(planned))
    assert set(planned) == wanted - done


@given(st.integers(1, 20), st.integers(1, 20))
def test_more_matches_leave_the_first_chunks_where_they_are(few: int, more: int) -> None:
    settings = {"chunk_matches": 4}
    short = list(chunks(tournament(matches=few, **settings), ("a", "b")))
    long = list(chunks(tournament(matches=few + more, **settings), ("a", "b")))
    whole = few // 4
    assert short[:whole] == long[:whole]
