"""Rounds in the database: pairings in their order, secrets by round, what came of each pairing."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.errors import Trouble
from arena.pairing import Met, Pairing
from arena.schedule import GameKey
from arena.store import (
    Reader,
    begin_round,
    depart,
    finish_round,
    met_in,
    note_decision,
    pairings_of,
    rounds_of,
    store_games,
    undisturbed,
    writing,
)
from arena.store.entrants import Departure
from tests.store.test_counting import Played

ROTATIONS = 2
SECRET = bytes(range(32))


@pytest.fixture
def league(tmp_path: Path) -> Played:
    return Played(tmp_path / "games.db", kind="league", seed=None)


def drawn(league: Played, *pairings: Pairing, master: bytes | None = None) -> None:
    with writing(league.database) as db, undisturbed(db):
        for pairing in pairings:
            begin_round(db, league.id, [pairing], master)


def test_pairings_come_back_by_round_in_the_order_in_which_they_were_made(league: Played) -> None:
    pairings = [
        Pairing(1, ("b", "c"), 1, 3),
        Pairing(1, ("a",), 1, 0),
        Pairing(2, ("a", "aa"), 1, 3),
        Pairing(10, ("a", "b", "c"), 1, 3),
    ]
    for pairing in (pairings[0], pairings[2], pairings[1], pairings[3]):
        drawn(league, pairing)
    with writing(league.database) as db:
        assert pairings_of(db, league.id) == pairings
        assert [each.number for each in rounds_of(db, league.id)] == [1, 2, 10]


def test_a_round_has_the_secret_it_began_with(league: Played) -> None:
    drawn(league, Pairing(1, ("a", "b"), 1, 1), master=SECRET)
    drawn(league, Pairing(1, ("a", "c"), 1, 1), master=bytes(32))
    with writing(league.database) as db:
        [found] = rounds_of(db, league.id)
    assert (found.master, found.finished) == (SECRET.hex(), None)
    assert found.master_commitment == hashlib.sha256(SECRET).hexdigest()


def test_no_two_rounds_have_the_same_secret(league: Played) -> None:
    drawn(league, Pairing(1, ("a", "b"), 1, 1), master=SECRET)
    with pytest.raises(Trouble, match="UNIQUE"):
        drawn(league, Pairing(2, ("a", "b"), 2, 1), master=SECRET)
    with writing(league.database) as db:
        assert [each.number for each in rounds_of(db, league.id)] == [1]
        assert len(pairings_of(db, league.id)) == 1


def test_a_round_is_closed_once(league: Played) -> None:
    drawn(league, Pairing(1, ("a", "b"), 1, 1))
    with writing(league.database) as db:
        finish_round(db, league.id, 1)
        [found] = rounds_of(db, league.id)
        assert found.finished
        db.execute("UPDATE rounds SET finished = '2000-01-01T00:00:00Z'")
        finish_round(db, league.id, 1)
        [found] = rounds_of(db, league.id)
    assert found.finished == "2000-01-01T00:00:00Z"


def stored(league: Played, pairing: Pairing, matches: Sequence[int]) -> None:
    """Store whole matches of a pairing."""
    keys = [GameKey(match, 0, rotation) for match in matches for rotation in range(ROTATIONS)]
    games = [league.game(pairing.entrants, key, pairing.round) for key in keys]
    with writing(league.database) as db:
        store_games(db, league.id, [(game.record, game.logs) for game in games])


def met(league: Played) -> list[Met]:
    with Reader(league.database) as reader:
        found = reader.met(league.id)
        with writing(league.database) as db:
            assert found == met_in(db, league.id, pairings_of(db, league.id), ROTATIONS)
    return found


def test_what_came_of_a_pairing_is_counted_from_its_own_matches(league: Played) -> None:
    first, extra = Pairing(1, ("a", "b"), 1, 2), Pairing(1, ("a", "b"), 3, 1)
    again, rest = Pairing(2, ("a", "b"), 4, 2), Pairing(2, ("c",), 1, 0)
    drawn(league, first, extra, again, rest)
    stored(league, first, range(1, 6))
    found = met(league)
    assert [one.pairing for one in found] == [first, extra, again, rest]
    assert [one.games for one in found] == [4, 2, 4, 0]
    with Reader(league.database) as reader:
        records = list(reader.records(league.id))
    for one in found[:3]:
        own = range(one.pairing.first, one.pairing.first + one.pairing.matches)
        sides = [(r, [s.bot for s in r.seats].index("a")) for r in records if r.match in own]
        won = sum(0.5 if r.winner is None else float(r.winner == side) for r, side in sides)
        margin = sum(r.scores[side] - r.scores[1 - side] for r, side in sides)
        assert (one.score, one.margin) == (won, margin)


def left(league: Played, label: str, departure: Departure) -> None:
    with writing(league.database) as db:
        depart(db, league.id, label, departure, "a test")
        note_decision(db, league.id, "withdraw", label, "a test")


@pytest.mark.parametrize("departure", ["forfeited", "set aside", "replaced"])
def test_what_a_leaver_left_unplayed_in_its_last_round_is_won_by_its_opponent(
    league: Played, departure: Departure
) -> None:
    first, last = Pairing(1, ("a", "b"), 1, 2), Pairing(2, ("b", "c"), 1, 3)
    drawn(league, first, last)
    stored(league, first, [1])
    stored(league, last, [1])
    before = met(league)
    left(league, "b", departure)
    after = met(league)
    assert after[0] == before[0], "a match that is missing there has nothing to do with it"
    assert (after[1].games, after[1].score) == (6, before[1].score), "c won the other four"
    assert after[1].margin == before[1].margin


def test_whose_games_are_annulled_has_lost_them_all(league: Played) -> None:
    first, last = Pairing(1, ("a", "b"), 1, 2), Pairing(2, ("b", "c"), 1, 3)
    drawn(league, first, last)
    left(league, "b", "annulled")
    stored(league, first, [1, 2])
    assert [(one.games, one.score) for one in met(league)] == [(4, 4.0), (6, 0.0)]


@pytest.mark.parametrize("first", ["a", "b"])
def test_of_two_leavers_the_first_to_leave_has_lost_the_rest(league: Played, first: str) -> None:
    pairing, rest = Pairing(1, ("a", "b"), 1, 2), Pairing(1, ("c",), 1, 0)
    drawn(league, pairing, rest)
    stored(league, pairing, [1])
    before = met(league)
    for label in sorted("abc", key=f"{first}cab".index):
        left(league, label, "forfeited")
    after = met(league)
    assert (after[0].games, after[0].score - before[0].score) == (4, 2.0 * (first == "b"))
    assert after[1] == before[1]
