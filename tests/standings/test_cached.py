"""Standings are of one moment, and those that were kept are shown for as long as they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.schedule import GameKey, VoidMatch
from arena.standings import cached_standings, refresh, standings
from arena.store import Reader, ResultRow, store_games, writing
from arena.tournament import withdraw
from tests.standings.test_history import games_of_a_tournament, store
from tests.tournament.made_up import MadeUp, by_order, entered, played
from tests.tournament.memory import Stopped


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def test_a_void_match_and_as_many_other_games_make_other_standings(path: Path) -> None:
    number, games = games_of_a_tournament(path, seed=1)
    first = games[0].record
    (second,) = (
        game
        for game in games[1:]
        if (game.record.pairing, game.record.match) == (first.pairing, first.match)
    )
    others = [game for game in games[1:] if game is not second]
    store(path, number, [games[0], second, *others[:40]])
    refresh(path, number)
    with Reader(path) as reader:
        before = cached_standings(reader, number)
    with writing(path) as db:
        key = GameKey(first.match, first.replay, 1)
        store_games(db, number, [VoidMatch(tuple(first.pairing), key, "the arena failed")])
    store(path, number, others[40:42])
    with Reader(path) as reader:
        assert reader.stored(number).games_played == before.games_played
        assert cached_standings(reader, number) == standings(reader, number) != before


def test_more_matches_are_more_walkovers_of_whoever_has_left(path: Path) -> None:
    labels = ("a", "b", "c")
    entry = entered(path, *labels, matches=2)
    with pytest.raises(Stopped):
        played(path, entry, MadeUp(by_order(*labels), stops_after=6))
    withdraw(path, 1, "a", "a test")
    # Both matches of a–b are complete, and none of a–c.
    for matches in (2, 4):
        entered(path, *labels, matches=matches)
        with Reader(path) as reader:
            won = [line.walkovers for line in cached_standings(reader, 1).lines]
        assert sum(won) == (matches + matches - 2) * 2


def test_games_that_are_stored_meanwhile_change_no_line(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number, games = games_of_a_tournament(path, seed=1)
    store(path, number, games[:40])
    with Reader(path) as reader:
        before = standings(reader, number)

    def results(reader: Reader, tournament_id: int) -> list[ResultRow]:
        store(path, number, games[40:])
        return read(reader, tournament_id)

    read = Reader.results
    monkeypatch.setattr(Reader, "results", results)
    with Reader(path) as reader:
        assert standings(reader, number) == before
        monkeypatch.undo()
        assert standings(reader, number).games_played == len(games)
