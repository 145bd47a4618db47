"""Round robin and gauntlet: which sets of entrants meet, in which order."""

from __future__ import annotations

from itertools import combinations, permutations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.pairing import Pairing, gauntlet, round_robin

TEAMS = {
    "a": frozenset({"ann"}),
    "b": frozenset({"ann", "bob"}),
    "c": frozenset({"cy"}),
    "d": frozenset({"bob"}),
}


def entrants(pairings: list[Pairing]) -> list[str]:
    return ["".join(pairing.entrants) for pairing in pairings]


def test_two_meet_by_label_whatever_the_order_of_entry() -> None:
    for entered in permutations("bac"):
        assert round_robin(entered, 2, 7) == [
            Pairing(1, ("a", "b"), 1, 7),
            Pairing(1, ("a", "c"), 1, 7),
            Pairing(1, ("b", "c"), 1, 7),
        ]


@pytest.mark.parametrize("size", range(3, 7))
def test_more_sit_in_the_order_of_entry(size: int) -> None:
    met = round_robin("gfedcba", size, 1)
    assert [pairing.entrants for pairing in met] == list(combinations("gfedcba", size))


def test_fewer_entrants_than_seats_have_no_pairing() -> None:
    assert round_robin("ab", 3, 1) == []


def test_owners_keep_entrants_from_tables_of_more_than_two() -> None:
    assert entrants(round_robin("abcd", 3, 1, TEAMS)) == ["acd"]
    assert entrants(round_robin("abcd", 2, 1, TEAMS)) == entrants(round_robin("abcd", 2, 1))


def test_whoever_has_no_owner_sits_with_anybody() -> None:
    assert entrants(round_robin("abx", 3, 1, {"a": TEAMS["a"]})) == ["abx"]


def test_challengers_meet_all_others_but_not_each_other() -> None:
    met = gauntlet("cadb", 2, 2, 5)
    assert entrants(met) == ["cd", "bc", "ad", "ab"]
    assert {(pairing.round, pairing.first, pairing.matches) for pairing in met} == {(1, 1, 5)}


def test_a_table_of_a_gauntlet_has_one_challenger() -> None:
    assert entrants(gauntlet("zyabc", 2, 3, 1)) == ["zab", "zac", "zbc", "yab", "yac", "ybc"]


def test_owners_keep_entrants_from_tables_of_a_gauntlet() -> None:
    assert entrants(gauntlet("cabd", 1, 3, 1, TEAMS)) == ["cad"]


@pytest.mark.parametrize("challengers", [0, 3, 4])
def test_a_gauntlet_needs_a_challenger_and_somebody_to_meet(challengers: int) -> None:
    with pytest.raises(ValueError, match="gauntlet of 3 has 1 to 2 challengers"):
        gauntlet("abc", challengers, 2, 1)


@given(st.permutations("abcdefg"), st.integers(1, 6), st.integers(2, 5))
def test_every_set_with_one_challenger_meets_once(
    labels: list[str], challengers: int, size: int
) -> None:
    met = gauntlet(labels, challengers, size, 1)
    assert len({frozenset(pairing.entrants) for pairing in met}) == len(met)
    assert len(met) == challengers * comb(7 - challengers, size - 1)
    first = set(labels[:challengers])
    assert all(len(first & set(pairing.entrants)) == 1 for pairing in met)
