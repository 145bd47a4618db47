"""League batches: balance, placement of new bots, tables without two bots of one owner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.pairing import Member, Pairing
from arena.pairing.league import PLACEMENT, PLACEMENT_OPPONENTS, next_batch
from tests.pairing.played import labels_of, match_numbers

bounded = settings(deadline=None, max_examples=60)


class League:
    """A league of which every match is played."""

    def __init__(self, labels: Iterable[str], size: int = 2) -> None:
        self.members = {label: Member(label) for label in labels}
        self.size = size
        self.played: Counter[tuple[str, ...]] = Counter()
        self.pairings: list[Pairing] = []
        self.batches = 0

    def play(self, pairings: int, matches: int = 1) -> list[Pairing]:
        self.batches += 1
        batch = next_batch(
            list(self.members.values()), self.played, pairings, matches, self.batches, self.size
        )
        for pairing in batch:
            self.played[pairing.entrants] += matches
            for label in pairing.entrants:
                self._count(label, matches)
        self.pairings += batch
        return batch

    def _count(self, label: str, matches: int) -> None:
        old = self.members[label]
        self.members[label] = Member(label, old.rating, old.matches + matches, old.owners)

    def spread(self) -> int:
        """How many matches apart the first and the last are."""
        counts = [member.matches for member in self.members.values()]
        return max(counts) - min(counts)

    def met(self) -> Counter[frozenset[str]]:
        """How often each two sat at one table, those that never did too."""
        pairs = Counter({frozenset(pair): 0 for pair in combinations(self.members, 2)})
        for pairing in self.pairings:
            pairs.update(map(frozenset, combinations(pairing.entrants, 2)))
        return pairs


def established(count: int, matches: int = 100) -> list[Member]:
    """Bots with ratings 1400, 1410 ... that have played so many matches each."""
    return [
        Member(label, 1400.0 + 10 * number, matches)
        for number, label in enumerate(labels_of(count))
    ]


def opponents(batch: Iterable[Pairing], label: str) -> Counter[str]:
    return Counter(
        other
        for pairing in batch
        if label in pairing.entrants
        for other in pairing.entrants
        if other != label
    )


# --- balance ---


def test_four_bots_meet_in_rounds() -> None:
    league = League("abcd")
    for _ in range(3):
        batch = league.play(2)
        assert sorted(label for pairing in batch for label in pairing.entrants) == list("abcd")
    assert set(league.met().values()) == {1}


@bounded
@given(st.integers(2, 24), st.integers(1, 30), st.integers(1, 12), st.integers(1, 25))
def test_matches_stay_within_two_pairings_and_pairs_balanced(
    members: int, pairings: int, matches: int, batches: int
) -> None:
    league = League(labels_of(members))
    for _ in range(batches):
        assert len(league.play(pairings, matches)) == pairings
        assert league.spread() <= 2 * matches
    counts = league.met().values()
    assert max(counts) - min(counts) <= 2
    assert set(match_numbers(league.pairings).values()) == {1}
    assert all(pairing.entrants == tuple(sorted(pairing.entrants)) for pairing in league.pairings)


@bounded
@given(st.integers(3, 6), st.integers(0, 12), st.integers(1, 12), st.integers(1, 15))
def test_tables_of_more_stay_balanced_too(
    size: int, more: int, pairings: int, batches: int
) -> None:
    league = League(labels_of(size + more), size)
    for _ in range(batches):
        assert len(league.play(pairings)) == pairings
        assert league.spread() <= 3
    counts = league.met().values()
    assert max(counts) - min(counts) <= 5
    assert set(match_numbers(league.pairings).values()) == {1}


def test_a_bot_that_joins_late_catches_up_against_everybody() -> None:
    league = League(labels_of(12))
    for _ in range(20):
        league.play(6)
    league.members["new"] = Member("new")
    shares = [opponents(league.play(6), "new").total() for _ in range(20)]
    assert max(shares) == PLACEMENT_OPPONENTS
    assert league.spread() <= 2
    met = [count for pair, count in league.met().items() if "new" in pair]
    assert max(met) - min(met) <= 2


def test_bots_that_join_together_meet_the_others_as_often_as_each_other() -> None:
    league = League(labels_of(12))
    for _ in range(40):
        league.play(6)
    league.members |= {label: Member(label) for label in ("new1", "new2", "new3")}
    for _ in range(40):
        league.play(6)
    counts = league.met().values()
    assert max(counts) - min(counts) <= 2
    assert league.spread() <= 3


def test_a_bot_that_is_behind_plays_at_most_twice_its_share_of_a_batch() -> None:
    batch = next_batch([*established(10), Member("new")], {}, 55, 1, 1)
    counts = Counter(label for pairing in batch for label in pairing.entrants)
    assert counts["new"] == 20
    assert len(batch) == 55


def test_whoever_has_left_is_not_paired_any_more() -> None:
    league = League("abcde")
    league.play(10)
    del league.members["c"]
    batch = league.play(6)
    assert {label for pairing in batch for label in pairing.entrants} == set("abde")


def test_batches_depend_on_their_number_but_not_on_the_order_of_members() -> None:
    members = [Member(label) for label in labels_of(20)]
    first = next_batch(members, {}, 10, 1, 1)
    assert first == next_batch(members[::-1], {}, 10, 1, 1)
    second = next_batch(members, {}, 10, 1, 2)
    assert {one.entrants for one in first} != {one.entrants for one in second}


def test_matches_of_a_pair_are_numbered_on() -> None:
    members = [Member("a"), Member("b")]
    batch = next_batch(members, {("a", "b"): 7}, 2, 5, 3)
    assert batch == [Pairing(3, ("a", "b"), 8, 5), Pairing(3, ("a", "b"), 13, 5)]


@pytest.mark.parametrize("members", [[], [Member("a")]])
def test_too_few_members_have_no_pairing(members: list[Member]) -> None:
    assert next_batch(members, {}, 5, 1, 1) == []


# --- placement ---


def test_a_new_bot_is_placed_by_the_five_nearest_in_rating_in_turn() -> None:
    members = [*established(20), Member("new", 1500.0)]
    nearest = [f"b{number:03}" for number in range(8, 13)]  # 1480 to 1520
    placed = opponents(next_batch(members, {}, 20, 1, 1), "new")
    assert placed == dict.fromkeys(nearest, 1)


def test_the_five_change_with_its_rating_and_those_it_has_not_met_come_first() -> None:
    league = League([])
    league.members = {member.label: member for member in [*established(20), Member("new")]}
    league.play(20)
    league.members["new"] = Member("new", 1520.0, 5)
    batch = league.play(20)
    first = [pairing for pairing in batch if "new" in pairing.entrants][:2]
    assert set(opponents(first, "new")) == {"b013", "b014"}  # 1530 and 1540
    assert set(opponents(batch, "new")) <= {f"b{number:03}" for number in range(10, 15)}


def test_placement_goes_on_until_five_are_met_however_many_matches_that_takes() -> None:
    league = League([])
    league.members = {member.label: member for member in [*established(20, 1000), Member("new")]}
    placed: Counter[str] = Counter()
    while league.members["new"].matches < 5 * PLACEMENT:
        placed += opponents(league.play(1, PLACEMENT), "new")
    assert placed == dict.fromkeys([f"b{number:03}" for number in range(8, 13)], 1)


def test_after_its_placement_a_bot_meets_everybody() -> None:
    members = [*established(20), Member("b099", 1500.0, PLACEMENT)]
    played = {(f"b{number:03}", "b099"): 2 for number in range(8, 13)}
    met = opponents(next_batch(members, played, 20, 1, 1), "b099")
    assert met.keys().isdisjoint(f"b{number:03}" for number in range(8, 13))


def test_bots_place_a_new_one_only_if_they_are_not_new_themselves() -> None:
    new = [Member(f"new{number}", 1500.0, PLACEMENT - 1) for number in range(10)]
    placed = opponents(next_batch([*established(20), *new, Member("x")], {}, 20, 1, 1), "x")
    assert set(placed) == {f"b{number:03}" for number in range(8, 13)}


def test_where_too_few_can_place_it_a_new_bot_is_paired_as_all_are() -> None:
    members = [*established(PLACEMENT_OPPONENTS - 1), Member("new", 1400.0), Member("other")]
    batch = next_batch(members, {}, 5, 1, 1)
    assert batch[0].entrants == ("new", "other")


# --- tables of more than two ---


def test_bots_of_one_owner_sit_at_no_table_together() -> None:
    owners = {label: frozenset({f"owner{number // 3}"}) for number, label in enumerate("abcdefghi")}
    members = [Member(label, owners=owners[label]) for label in owners]
    batch = next_batch(members, {}, 30, 1, 1, size=3)
    assert len(batch) == 30
    for pairing in batch:
        assert len({name for label in pairing.entrants for name in owners[label]}) == 3


def test_two_of_one_owner_may_meet_alone() -> None:
    ann = frozenset({"ann"})
    (pairing,) = next_batch([Member("a", owners=ann), Member("b", owners=ann)], {}, 1, 1, 1)
    assert pairing.entrants == ("a", "b")


def test_a_batch_ends_where_owners_leave_no_table() -> None:
    ann = frozenset({"ann"})
    members = [Member("a", owners=ann), Member("b", owners=ann), Member("c")]
    assert next_batch(members, {}, 3, 1, 1, size=3) == []


def test_whoever_fits_no_table_does_not_keep_the_others_from_theirs() -> None:
    all_three = frozenset({"ann", "bob", "cy"})
    members = [Member("x", owners=all_three)]
    members += [Member(name[0], 1500, 50, frozenset({name})) for name in ("ann", "bob", "cy")]
    (pairing,) = next_batch(members, {}, 1, 1, 1, size=3)
    assert sorted(pairing.entrants) == ["a", "b", "c"]


def test_the_order_of_seats_changes_from_batch_to_batch_whoever_is_behind() -> None:
    members = [Member("a"), Member("b", matches=10), Member("c", matches=20)]
    batches = [next_batch(members, {}, 1, 1, number, size=3) for number in range(1, 41)]
    assert len({pairing.entrants for batch in batches for pairing in batch}) == 6


def test_matches_of_a_table_are_numbered_by_its_order_of_seats() -> None:
    members = [Member(label) for label in "abc"]
    (table,) = next_batch(members, {}, 1, 1, 9, size=3)
    played = {seats: 10 + place for place, seats in enumerate(permutations("abc"))}
    (again,) = next_batch(members, played, 1, 1, 9, size=3)
    assert again.entrants == table.entrants
    assert again.first == played[table.entrants] + 1
