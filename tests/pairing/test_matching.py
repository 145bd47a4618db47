"""Pairs for those left over: exchanges keep near opponents, the search finds any way there is."""

from __future__ import annotations

from functools import cache
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.pairing.swiss.matching import Mates, augment, exchange


def met_of(players: int, *pairs: tuple[int, int]) -> list[set[int]]:
    """Whom each may not meet: itself, and the other of each of these pairs."""
    met = [{player} for player in range(players)]
    for a, b in pairs:
        met[a].add(b)
        met[b].add(a)
    return met


def met_unless_linked(players: int, links: set[tuple[int, int]]) -> list[set[int]]:
    """Whom each may not meet where only these pairs, the lower first, may meet."""
    pairs = [(a, b) for b in range(players) for a in range(b) if (a, b) not in links]
    return met_of(players, *pairs)


def mates_of(*pairs: tuple[int, int]) -> Mates:
    return {a: b for pair in pairs for a, b in (pair, pair[::-1])}


def met_by_chance(players: int, share: float, random: Random) -> list[set[int]]:
    pairs = [(a, b) for b in range(players) for a in range(b) if random.random() < share]
    return met_of(players, *pairs)


def can_be_perfect(met: list[set[int]]) -> bool:
    """By trying everything, whether all players can be paired."""

    @cache
    def rest(left: frozenset[int]) -> bool:
        if not left:
            return True
        first = min(left)
        return any(rest(left - {first, other}) for other in left - met[first])

    return rest(frozenset(range(len(met))))


def test_two_who_may_meet_are_paired() -> None:
    mates = mates_of((0, 1))
    assert exchange(mates, [2, 3], met_of(4), [2, 2, 0, 0]) == []
    assert mates == mates_of((0, 1), (2, 3))


def test_two_who_have_met_take_one_of_the_nearest_pair_each() -> None:
    mates = mates_of((0, 1), (2, 3))
    assert exchange(mates, [4, 5], met_of(6, (4, 5)), [6, 6, 3, 3, 2, 2]) == []
    assert mates[0] == 1
    assert {mates[4], mates[5]} == {2, 3}


def test_an_exchange_within_a_group_keeps_upper_half_against_lower_half() -> None:
    mates = mates_of((0, 3), (1, 4))
    assert exchange(mates, [2, 5], met_of(6, (2, 5)), [1] * 6) == []
    assert mates == mates_of((0, 3), (1, 5), (2, 4))


def test_whom_no_exchange_helps_stays_left() -> None:
    met = met_of(4, (2, 3), (2, 0), (2, 1))
    mates = mates_of((0, 1))
    assert exchange(mates, [2, 3], met, [0] * 4) == [2, 3]
    assert mates == mates_of((0, 1))
    assert not augment(mates, [2, 3], met)


def test_the_search_passes_an_odd_cycle() -> None:
    """The only way from 0 to 5 goes round the triangle 2, 3, 4 the long way."""
    met = met_unless_linked(6, {(0, 1), (1, 2), (2, 3), (2, 4), (3, 4), (3, 5)})
    mates = mates_of((1, 2), (3, 4))
    assert augment(mates, [0, 5], met)
    assert mates == mates_of((0, 1), (2, 4), (3, 5))


def test_the_search_goes_on_from_both_sides_of_an_odd_cycle() -> None:
    links = {(0, 1), (0, 2), (1, 2), (1, 3), (0, 4), (1, 4), (3, 4), (0, 5)}
    mates: Mates = {}
    assert augment(mates, range(6), met_unless_linked(6, links))
    assert mates == mates_of((0, 5), (1, 2), (3, 4))


@settings(deadline=None, max_examples=400)
@given(st.integers(1, 7), st.floats(0.3, 0.95), st.integers(0, 2**32), st.booleans())
def test_the_search_finds_pairs_for_all_exactly_where_there_are_any(
    half: int, share: float, seed: int, exchanged_before: bool
) -> None:
    players = 2 * half
    met = met_by_chance(players, share, Random(seed))
    mates: Mates = {}
    left = list(range(players))
    if exchanged_before:
        left = exchange(mates, left, met, [0.0] * players)
    assert augment(mates, left, met) == can_be_perfect(met)
    assert all(mates[mate] == player and mate not in met[player] for player, mate in mates.items())


@settings(deadline=None, max_examples=100)
@given(st.integers(1, 30), st.integers(0, 2**32))
def test_exchanges_leave_nobody_where_all_may_meet_half_of_the_players(
    half: int, seed: int
) -> None:
    """Rounds are taken away as long as everybody keeps half of the players to meet."""
    random, players = Random(seed), 2 * half
    met = met_of(players)
    for _ in range(half - 1):
        order = random.sample(range(players), players)
        for a, b in zip(order[::2], order[1::2], strict=True):
            met[a].add(b)
            met[b].add(a)
    score = [float(random.randint(0, 3)) for _ in range(players)]
    mates: Mates = {}
    assert exchange(mates, list(range(players)), met, score) == []
    assert len(mates) == players
