"""What is told as damage of the database: what its rows hold, and no mistake of a calculation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.errors import Trouble
from arena.schedule import GameKey
from arena.standings import measured, pair_points, standings, time_signals
from arena.store import Reader, store_games, writing
from protocol.records import GameRecord
from tests.store.games import begin, items, played
from tests.store.test_counting import Played


@pytest.mark.parametrize("look", [measured, lambda record: time_signals([record])])
def test_a_record_that_does_not_follow_from_its_seed_is_said(
    tmp_path: Path, look: Callable[[GameRecord], object]
) -> None:
    made_up = Played(tmp_path / "games.db").game(("a", "b"), GameKey(1, 0, 0)).record
    with pytest.raises(Trouble, match=f"game {made_up.game} is damaged in the database"):
        look(made_up)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path, games = tmp_path_factory.mktemp("damage") / "games.db", played(faults_allowed=99)
    tournament_id = begin(path, games)
    with writing(path) as db:
        store_games(db, tournament_id, items(games))
    return path


CALCULATED: dict[str, Callable[[Reader], object]] = {
    "compute.fit": lambda reader: standings(reader, 1),
    "compute.fit_points": lambda reader: standings(reader, 1),
    "pairs.fit_points": lambda reader: pair_points(reader.points(1), "counter", "greedy"),
}


@pytest.mark.parametrize("which", CALCULATED)
def test_a_mistake_of_a_rating_is_no_damage(
    path: Path, monkeypatch: pytest.MonkeyPatch, which: str
) -> None:
    def mistaken(_: object) -> None:
        raise ValueError("mistaken")

    monkeypatch.setattr(f"arena.standings.{which}", mistaken)
    with pytest.raises(ValueError, match=r"^mistaken$"), Reader(path) as reader:
        CALCULATED[which](reader)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (f"UPDATE results SET matches = {2**62}", "a row of results"),
        ("UPDATE results SET matches = -1", "a row of results"),
        ("UPDATE results SET outcome = '[9]'", "a row of results of tournament 1"),
        (f"UPDATE points SET sums = '[1, 2, {2**200}]'", "a row of points"),
        ("UPDATE points SET sums = '[1]'", "a row of points"),
    ],
)
def test_rows_of_which_no_rating_can_follow_are_damage(
    tmp_path: Path, path: Path, change: str, what: str
) -> None:
    database = tmp_path / "games.db"
    database.write_bytes(path.read_bytes())
    with writing(database) as db:
        db.execute(change)
        db.conn.commit()
    with (
        pytest.raises(Trouble, match=f"{what} is damaged in the database"),
        Reader(database) as reader,
    ):
        standings(reader, 1)
