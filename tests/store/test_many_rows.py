"""What goes through all games of a tournament: told once what they share, and what is damaged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.errors import Trouble
from arena.store import (
    Database,
    Reader,
    forfeited_games,
    games_that_count,
    keep_luck,
    recount,
    store_games,
    stored_games,
    undisturbed,
    writing,
)
from arena.store.rows import Played
from tests.store.games import begin, copies, items

BASELINE = 1


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path, games = tmp_path / "games.db", copies(2)
    tournament_id = begin(path, games)
    with writing(path) as db:
        store_games(db, tournament_id, items(games))
    return path


def counted_again(db: Database) -> None:
    with undisturbed(db):
        recount(db, 1)


def shown(db: Database) -> None:
    path = Path(db.execute("PRAGMA database_list").fetchone()[2])
    with Reader(path) as reader:
        assert len(list(reader.records(1))) == 4


LOOPS: dict[str, Callable[[Database], object]] = {
    "games that count": lambda db: list(games_that_count(db, 1)),
    "forfeited games": lambda db: list(forfeited_games(db, 1)),
    "a recount": counted_again,
    "records to show": shown,
}


@pytest.mark.parametrize("name", LOOPS)
def test_what_games_have_in_common_is_read_once(
    database: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    made: list[object] = []
    real = Played.of

    def of(row: dict[str, object]) -> Played:
        made.append(row)
        return real(row)

    monkeypatch.setattr(Played, "of", of)
    with writing(database) as db:
        LOOPS[name](db)
    assert len(made) == 1


def test_stored_games_are_read_some_at_a_time(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with writing(database) as db:
        whole = list(stored_games(db, 1))
        monkeypatch.setattr("arena.store.tournaments._ROWS", 3)
        assert list(stored_games(db, 1)) == whole
        assert len(whole) == 4
        db.execute("UPDATE games SET replay = 'x' WHERE id = 4")
        with pytest.raises(Trouble, match="a row of games is damaged in the database"):
            list(stored_games(db, 1))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("UPDATE games SET seats = '[{}]' WHERE id = 2", "missing required field `bot`"),
        ("UPDATE games SET pairing = x'41' WHERE id = 2", "bytes-like"),
        ("UPDATE games SET ranks = '[1, \"x\"]' WHERE id = 2", r"at `\$.ranks\[1\]`"),
        ("UPDATE luck SET luck = 'no' WHERE game_id = 2", "truncated"),
    ],
)
def test_the_row_of_damaged_luck_is_said(database: Path, change: str, why: str) -> None:
    with writing(database) as db:
        keep_luck(db, BASELINE, [(number, (0.25, -0.25)) for number in range(1, 5)])
    with Reader(database) as reader:
        assert [row.luck for row in reader.luck(1, BASELINE)] == [[0.25, -0.25]] * 4
    with writing(database) as db:
        db.execute(change)
        db.conn.commit()
    what = "row 2 of games or its row of luck is damaged in the database: .*"
    with pytest.raises(Trouble, match=what + why), Reader(database) as reader:
        list(reader.luck(1, BASELINE))
