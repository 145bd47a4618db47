"""What stands below the standings of whoever has left, and what only may be told of it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from arena.cli.caption import tell_caption
from arena.standings import standings
from arena.store import Reader, depart, writing
from tests.tournament.made_up import MadeUp, Verdict, entered, played
from tests.tournament.memory import Stopped


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A match of two games of two, and one game more: b has forfeited all, and is set aside."""
    path = tmp_path / "games.db"
    executor = MadeUp(lambda chunk, key: Verdict(forfeits="b"), stops_after=3)
    with pytest.raises(Stopped):
        played(path, entered(path, "a", "b", matches=2, chunk_matches=1), executor)
    change(path, "set aside")
    return path


def change(database: Path, departure: str, sql: str = "") -> None:
    with writing(database) as db, db.atomic():
        depart(db, 1, "b", departure, "a test")  # type: ignore[arg-type]
        if sql:
            db.execute(sql)


def told(database: Path) -> str:
    out = Console(file=io.StringIO(), width=200)
    with Reader(database) as reader:
        tell_caption(out, reader, reader.stored(1), standings(reader, 1))
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue()


def games(database: Path) -> list[str]:
    with Reader(database) as reader:
        return [row.game for row in reader.games()]


def test_a_game_is_named_that_may_be_shown(database: Path) -> None:
    text, (latest, *earlier) = told(database), games(database)
    assert "It has forfeited 3 games, also those that do not count; most often (3) by" in text
    assert latest not in text, "its match is not over"
    assert text.count(" log ") == 1
    assert sum(f" log {game} " in text for game in earlier) == 1


def test_no_game_is_named_while_none_may_be_shown(database: Path) -> None:
    change(database, "set aside", "DELETE FROM games WHERE match = 1 AND rotation = 0")
    text = told(database)
    assert "It has forfeited 2 games" in text
    assert " log " not in text
    assert "Why" not in text
    assert "games --faults" in text


@pytest.mark.parametrize("damage", ["plays = x'ff'", "faults = 'no JSON'", "scores = 'no JSON'"])
def test_a_damaged_game_keeps_nothing_from_being_told(database: Path, damage: str) -> None:
    change(database, "set aside", f"UPDATE games SET {damage} WHERE match = 2")
    text = told(database)
    assert "b has left: set aside: a test." in text
    assert "games --faults" in text


def test_only_the_latest_games_are_looked_at(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.cli.caption._LOOKED_AT", 2)
    assert "It has forfeited at least 2 games" in told(database)


def test_who_was_replaced_is_not_told(database: Path) -> None:
    change(database, "replaced")
    assert "b has left" not in told(database)
