"""Who meets whom, who sits where, and in which chunks: by the tournament file alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.pairing import Pairing
from arena.schedule import (
    MOST_REPLAYS,
    Chunk,
    GameKey,
    chunks,
    labels_of,
    rotations_of,
    rules_of,
    seating,
)
from arena.tournament.done import Done
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
    assert labels_of(["a", "a-3", "a", "a", "a"]) == ["a", "a-3", "a-2", "a-4", "a-5"]


@given(st.lists(st.sampled_from(["a", "a-2", "a-2-2", "b"]), max_size=12))
def test_labels_are_unique(names: list[str]) -> None:
    assert len(set(labels_of(names))) == len(names)


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


def done_of(keys: set[GameKey], replays: dict[int, int], rotations: int) -> Done:
    """The stored games of one pairing, and which replays of its matches count."""
    done = Done(rotations)
    for match, replay in replays.items():
        done.void("a,b,c", match, replay - 1)
    for key in keys:
        done.add("a,b,c", key)
    return done


KEYS = st.builds(
    GameKey, match=st.integers(1, 20), replay=st.integers(0, 2), rotation=st.integers(0, 2)
)
REPLAYS = st.dictionaries(st.integers(1, 20), st.integers(1, MOST_REPLAYS + 1), max_size=5)


@given(st.integers(1, 20), st.integers(1, 8), st.sets(KEYS, max_size=40), REPLAYS)
def test_chunks_are_cut_by_the_schedule_alone_and_skip_what_is_done(
    matches: int, size: int, stored: set[GameKey], replays: dict[int, int]
) -> None:
    settings = tournament(rules="kseri-3", matches=matches, chunk_matches=size)
    # Of a game, the replays before the one that counts are stored as well.
    stored = {key for key in stored if key.replay <= replays.get(key.match, 0)}
    done = done_of(stored, replays, 3)
    pairing = Pairing(1, ("a", "b", "c"), 1, matches)
    found = list(chunks(settings, pairing, done.still_to_play("a,b,c")))
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
    assert set(planned) == wanted - stored
    counted = {key for key in stored if key.replay == replays.get(key.match, 0)}
    assert done.count == len(counted)


def chunks_of(matches: int, **settings: Any) -> list[Chunk]:
    pairing = Pairing(1, ("a", "b"), 1, matches)
    return list(chunks(tournament(**settings), pairing, Done(2).still_to_play("a,b")))


@given(st.integers(1, 20), st.integers(1, 20))
def test_more_matches_leave_the_first_chunks_where_they_are(few: int, more: int) -> None:
    whole = few // 4
    short, long = chunks_of(few, chunk_matches=4), chunks_of(few + more, chunk_matches=4)
    assert short[:whole] == long[:whole]


def test_further_matches_of_a_pair_are_numbered_on() -> None:
    [chunk] = chunks(tournament(), Pairing(3, ("a", "b"), 11, 2), Done(2).still_to_play("a,b"))
    assert chunk.round == 3
    assert [(key.match, key.rotation) for key in chunk.games] == [
        (11, 0),
        (12, 0),
        (11, 1),
        (12, 1),
    ]


def test_a_game_of_an_earlier_replay_is_not_taken_for_one_that_counts() -> None:
    done = Done(2)
    assert done.add("a,b", GameKey(1, 0, 0))
    assert not done.add("a,b", GameKey(1, 0, 0)), "it is known"
    assert done.void("a,b", 1, 0) == 1
    assert not done.add("a,b", GameKey(1, 0, 1)), "it comes too late"
    assert done.add("a,b", GameKey(1, 1, 0))
    assert done.count == 1


def test_an_annulled_match_is_never_played_again() -> None:
    done = Done(2)
    done.add("a,b", GameKey(2, 0, 0))
    done.annul("a,b", 2)
    assert done.count == 0
    assert done.still_to_play("a,b")(GameKey(2, 0, 1)) is None
