"""Tournaments from their first game to their last: failures of the arena, stop and go on."""

from __future__ import annotations

import multiprocessing
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest

from arena.errors import Trouble, UsageError
from arena.schedule import MOST_REPLAYS, GameKey
from arena.standings import standings
from arena.store import Reader, playing
from arena.verify import problems, secret_problems
from tests.cli.program import kseri
from tests.tournament.memory import InMemory, Stopped, entered, played

PAIR = ("greedy", "random")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def stored(database: Path) -> list[tuple[list[str], GameKey]]:
    with Reader(database) as reader:
        rows = reader.games(limit=10_000)
    return [(row.pairing, GameKey(row.match, row.replay, row.rotation)) for row in reversed(rows)]


def games_played(database: Path) -> int:
    with Reader(database) as reader:
        return reader.tournaments()[0].games_played


def test_a_round_robin_is_played_completely_and_closed(database: Path) -> None:
    executor = InMemory()
    entry = entered(database, "greedy", "random", "saver", matches=4, chunk_matches=2)
    progress = played(database, entry, executor)
    assert progress.done == progress.planned == 3 * 4 * 2
    with Reader(database) as reader:
        assert reader.tournament().finished
        assert {tuple(row.pairing) for row in reader.results(entry.stored.id)} == {
            ("greedy", "random"),
            ("greedy", "saver"),
            ("random", "saver"),
        }
        assert [row.matches for row in standings(reader, entry.stored.id).lines] == [8, 8, 8]
    # Every pairing's first chunk comes before any one's second.
    assert [chunk.number for chunk in executor.chunks] == [0, 0, 0, 1, 1, 1]


def test_a_match_that_the_arena_fails_is_played_again_on_fresh_decks(database: Path) -> None:
    failing = GameKey(2, 0, 1)
    executor = InMemory(fails=lambda pairing, key: key == failing)
    entry = entered(database, *PAIR)
    progress = played(database, entry, executor)
    keys = [key for _, key in stored(database)]
    assert GameKey(2, 0, 0) in keys, "it had ended; it is kept, and does not count"
    assert GameKey(2, 1, 0) in keys
    assert GameKey(2, 1, 1) in keys
    assert progress.done == progress.planned == 6
    with Reader(database) as reader:
        seeds = {(r.match, r.replay): r.seed for r in reader.records(entry.stored.id)}
        assert seeds[2, 0] != seeds[2, 1]
        assert reader.tournaments()[0].games_played == 6
        assert [row.matches for row in standings(reader, entry.stored.id).lines] == [3, 3]
        assert reader.unplayed(entry.stored.id) == 0
        secret = bytes.fromhex(reader.tournament().master)
        for record in reader.records(entry.stored.id):
            assert not problems(record) + secret_problems(record, secret)


def test_a_match_is_played_again_three_times_and_then_stays_unplayed(database: Path) -> None:
    tried: list[GameKey] = []

    def fails(pairing: tuple[str, ...], key: GameKey) -> bool:
        if key.match == 2:
            tried.append(key)
        return key.match == 2

    entry = entered(database, *PAIR)
    played(database, entry, InMemory(fails=fails))
    assert [key.replay for key in tried] == list(range(1 + MOST_REPLAYS))
    with Reader(database) as reader:
        assert reader.unplayed(entry.stored.id) == 1
        assert reader.tournament().finished
        assert [row.matches for row in standings(reader, entry.stored.id).lines] == [2, 2]
    said = kseri("standings", "--db", database).stdout
    assert "1 match failed for the arena's fault and stays unplayed." in said
    again = InMemory()
    played(database, entered(database, *PAIR), again)
    assert not again.played, "unplayed is final"


def test_what_stopped_goes_on_with_what_is_missing(database: Path) -> None:
    settings = {"matches": 5, "chunk_matches": 2}
    for stop in (3, 0, 4):
        entry = entered(database, "greedy", "random", "saver", **settings)
        with pytest.raises(Stopped):
            played(database, entry, InMemory(stops_after=stop))
        with Reader(database) as reader:
            assert not reader.tournament().finished
    before = stored(database)
    assert len(before) == 7
    entry = entered(database, "greedy", "random", "saver", **settings)
    assert games_played(database) == 7
    last = InMemory()
    played(database, entry, last)
    assert len(last.played) == 30 - 7
    assert len({(tuple(pairing), key) for pairing, key in stored(database)}) == 30


def test_a_void_match_stays_void_over_a_stop(database: Path) -> None:
    executor = InMemory(fails=lambda pairing, key: key == GameKey(1, 0, 1), stops_after=4)
    entry = entered(database, *PAIR)
    with pytest.raises(Stopped):
        played(database, entry, executor)
    entry = entered(database, *PAIR)
    assert games_played(database) == 3, "of four games the one of the void match does not count"
    assert played(database, entry, InMemory()).done == 6


def test_what_another_process_did_meanwhile_is_not_done_again(database: Path) -> None:
    early = entered(database, *PAIR)
    played(database, entered(database, *PAIR), InMemory())
    played(database, entered(database, *PAIR, matches=5), InMemory(stops_after=20))
    late = InMemory()
    progress = played(database, early, late)
    assert not late.played
    assert progress.done == progress.planned == 10


def test_processes_that_begin_at_once_begin_one_tournament(database: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        assert set(pool.map(_enter, [database] * 4)) == {1}


def _enter(database: Path) -> int:
    return entered(database, *PAIR, seed=None).stored.id


def test_more_matches_extend_a_tournament_that_goes_on(database: Path) -> None:
    with pytest.raises(Stopped):
        played(database, entered(database, *PAIR, seed=None), InMemory(stops_after=2))
    longer = entered(database, *PAIR, seed=None, matches=5)
    progress = played(database, longer, InMemory())
    assert progress.done == progress.planned == 10


def test_a_published_secret_deals_no_further_cards(database: Path) -> None:
    played(database, entered(database, *PAIR, seed=None), InMemory())
    with pytest.raises(UsageError, match="secret published"):
        entered(database, *PAIR, seed=None, matches=5)
    played(database, entered(database, *PAIR, seed=7), InMemory())
    longer = entered(database, *PAIR, seed=7, matches=5)
    assert played(database, longer, InMemory()).done == 10, "practice may go on"


def test_practice_of_the_same_name_is_another_tournament(database: Path) -> None:
    own = entered(database, *PAIR, seed=None)
    practice = entered(database, *PAIR, seed=1)
    assert practice.stored.id != own.stored.id
    assert entered(database, *PAIR, seed=None).stored.id == own.stored.id


@pytest.mark.parametrize(
    ("names", "settings", "said"),
    [
        (("greedy", "saver"), {}, "begun there without saver"),
        (("greedy", "random", "saver"), {}, "begun there without saver"),
        (PAIR, {"rules": "kseri-short"}, "another value of rules;"),
        (PAIR, {"overrides": {"target": 51}}, "another value of overrides;"),
        (PAIR, {"rotations": 1}, "another value of rotations;"),
        (PAIR, {"faults_allowed": 1}, "another value of faults_allowed;"),
        (PAIR, {"matches": 2}, "another value of matches;"),
        (PAIR, {"rated": False}, "another value of rated;"),
    ],
)
def test_the_same_seed_with_other_settings_is_refused(
    database: Path, names: tuple[str, ...], settings: dict[str, object], said: str
) -> None:
    entered(database, *PAIR)
    with pytest.raises(UsageError, match=said):
        entered(database, *names, **settings)


def test_nobody_extends_a_tournament_that_another_process_plays(database: Path) -> None:
    entry = entered(database, *PAIR)
    # A process has its own locks only against others: a child holds this one.
    context = multiprocessing.get_context("spawn")
    ready, end = context.Event(), context.Event()
    child = context.Process(target=_hold, args=(database, entry.stored.id, ready, end))
    child.start()
    try:
        assert ready.wait(60)
        with pytest.raises(Trouble, match="being played by another process"):
            entered(database, *PAIR, matches=9)
    finally:
        end.set()
        child.join()
    assert entered(database, *PAIR).stored.definition.matches == 3


def _hold(database: Path, tournament_id: int, ready: Event, end: Event) -> None:
    with playing(database, tournament_id, "t"):
        ready.set()
        end.wait(60)
