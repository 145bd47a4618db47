"""The history of ratings: what was known after so many matches, however often it was looked at."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.play import FinishedGame
from arena.rating import online_elo
from arena.schedule import Chunk, GameKey
from arena.standings import refresh, standings
from arena.standings.history import FEWEST
from arena.store import RatingPoint, Reader, Snapshot, keep_snapshots, store_games, writing
from arena.store.history import MOST_SNAPSHOTS
from arena.tournament.stage import load_stage
from tests.tournament.made_up import by_chance, entered, made_up

LABELS = ("a", "b", "c", "d")
MATCHES = 12


def games_of_a_tournament(path: Path, seed: int) -> tuple[int, list[FinishedGame]]:
    """A tournament that is entered, and all its games in an order that mixes matches."""
    entry = entered(path, *LABELS, matches=MATCHES)
    judge = by_chance(seed)
    with writing(path) as db:
        plan = entry.plan(load_stage(db, entry.stored.id))
    chance = random.Random(seed)
    keys = [
        (pairing, GameKey(match, 0, rotation))
        for pairing in combinations(LABELS, 2)
        for match in range(1, MATCHES + 1)
        for rotation in (0, 1)
    ]
    chance.shuffle(keys)
    chunks = ((Chunk(pairing, 0, (key,)), key) for pairing, key in keys)
    return entry.stored.id, [made_up(plan, one, key, judge(one, key)) for one, key in chunks]


def store(path: Path, number: int, games: Sequence[FinishedGame]) -> None:
    with writing(path) as db:
        store_games(db, number, [(game.record, game.logs) for game in games])


def history(path: Path, number: int) -> list[tuple[int, list[RatingPoint | None]]]:
    with Reader(path) as reader:
        return reader.rating_history(number, range(len(LABELS)))


@pytest.mark.parametrize("seed", [1, 2])
def test_every_point_is_the_rating_of_a_tournament_that_ended_there(
    tmp_path: Path, seed: int
) -> None:
    number, games = games_of_a_tournament(tmp_path / "whole.db", seed)
    store(tmp_path / "whole.db", number, games)
    refresh(tmp_path / "whole.db", number)
    found = history(tmp_path / "whole.db", number)
    assert len(found) >= FEWEST
    short = tmp_path / "short.db"
    assert games_of_a_tournament(short, seed)[0] == number
    stored, wanted = 0, {matches: points for matches, points in found[::6]}
    for game in games:
        store(short, number, [game])
        with Reader(short) as reader:
            matches = sum(row.matches for row in reader.results(number))
            if matches in wanted and matches > stored:
                stored = matches
                lines = {line.label: line for line in standings(reader, number).lines}
                for label, point in zip(LABELS, wanted[matches], strict=True):
                    assert point is not None
                    assert point.rating == pytest.approx(lines[label].rating, abs=0.01)
                    assert point.error == pytest.approx(lines[label].error, abs=0.01)
    assert stored == max(wanted)


@settings(deadline=None, max_examples=25)
@given(st.data())
def test_online_elo_is_the_same_however_often_it_is_looked_at(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("history") / "games.db"
    number, games = games_of_a_tournament(path, 3)
    games = games[:40]
    looks = data.draw(st.lists(st.integers(1, len(games)), min_size=1, max_size=4).map(sorted))
    done = 0
    for look in looks:
        store(path, number, games[done:look])
        refresh(path, number)
        done = look
    matches: dict[tuple[str, ...], list[FinishedGame]] = {}
    order = []
    for game in games[:done]:
        key = (*game.record.pairing, str(game.record.match))
        matches.setdefault(key, []).append(game)
        if len(matches[key]) == 2:
            order.append(matches[key])
    expected: dict[str, float] = {}
    for point in online_elo([_pair(match)] for match in order):
        expected[point.bot] = point.rating
    found = history(path, number)
    assert [matches for matches, _ in found][-1:] == [len(order)] * bool(order)
    for label, last in zip(LABELS, found[-1][1] if found else [None] * 4, strict=True):
        online = last.online if last else None
        assert online == pytest.approx(expected.get(label), abs=0.01)


def _pair(match: Sequence[FinishedGame]) -> tuple[str, str, int, float]:
    a, b = match[0].record.pairing
    score = 0.0
    for game in match:
        winner = game.record.winner
        won = None if winner is None else game.record.seats[winner].bot
        score += 0.5 if won is None else float(won == a)
    return a, b, 2, score


def test_a_look_at_nothing_new_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    number, games = games_of_a_tournament(path, 1)
    refresh(path, number)
    assert history(path, number) == []
    store(path, number, games)
    refresh(path, number)
    before = history(path, number)
    refresh(path, number)
    assert history(path, number) == before


@settings(deadline=None, max_examples=15)
@given(st.lists(st.integers(1, 10_000), min_size=2, max_size=400, unique=True))
def test_a_long_history_is_thinned_evenly_and_keeps_its_ends(
    tmp_path_factory: pytest.TempPathFactory, times: list[int]
) -> None:
    path = tmp_path_factory.mktemp("history") / "games.db"
    number = entered(path, *LABELS).stored.id
    point = RatingPoint(1500.5, None, 1480.25)
    with writing(path) as db:
        for matches in sorted(times):
            keep_snapshots(db, number, [Snapshot(matches, matches, [point] * 4)], afresh=False)
    found = history(path, number)
    kept = [matches for matches, _ in found]
    assert set(kept) <= set(times)
    assert len(kept) == min(len(times), MOST_SNAPSHOTS)
    assert (kept[0], kept[-1]) == (min(times), max(times))
    assert found[0][1] == [point] * 4


def test_who_entered_later_has_no_points_before(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    number = entered(path, *LABELS).stored.id
    with writing(path) as db:
        points = [RatingPoint(1500.0, None, None)] * 3
        keep_snapshots(db, number, [Snapshot(7, 14, points)], afresh=False)
    assert history(path, number) == [(7, [*points, None])]
