"""However many games there are, a list, an export and a resume read no rows that they do not need.

SQLite is asked how it answers the very queries that are made: no timing, and no large database.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.store import Database, Reader, store_games, stored_games, writing
from tests.store.games import begin, copies, items

SORTED = "USE TEMP B-TREE FOR ORDER BY"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("plans") / "games.db"
    games = copies(2)
    tournament_id = begin(path, games)
    with writing(path) as db:
        store_games(db, tournament_id, items(games))
    return path


def plan(db: Database, work: Callable[[], object]) -> list[str]:
    """How SQLite goes about what `work` asks of games."""
    asked: list[str] = []
    db.conn.set_trace_callback(asked.append)
    work()
    db.conn.set_trace_callback(None)
    found = []
    for query in asked:
        steps = [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {query}")]
        if any(step.split()[1] == "games" for step in steps):
            found += steps
    assert found
    return found


LISTS: dict[str, dict[str, object]] = {
    "of a tournament": {"tournament_id": 1},
    "of a tournament, older ones": {"tournament_id": 1, "before": 3},
    "of a bot": {"bot": "counter"},
    "of a bot in a tournament": {"bot": "counter", "tournament_id": 1},
    "with faults": {"faulty": True},
    "with faults, of a bot in a tournament": {"faulty": True, "bot": "greedy", "tournament_id": 1},
}


@pytest.mark.parametrize("name", LISTS)
def test_games_of_a_list_are_chosen_by_an_index(database: Path, name: str) -> None:
    with Reader(database) as reader:
        steps = plan(reader._db, lambda: reader.games(**LISTS[name]))
    assert "SCAN games" not in steps
    # Games with faults are few; all others come from their index in the order of the list.
    assert SORTED not in steps or any("faulty_games" in step for step in steps)


@pytest.mark.parametrize("canonical", [False, True])
def test_an_export_begins_at_once(database: Path, canonical: bool) -> None:
    with Reader(database) as reader:
        steps = plan(reader._db, lambda: next(reader.records(1, canonical)))
    assert "SCAN games" not in steps
    assert SORTED not in steps


def test_a_resume_reads_no_rows_of_games(database: Path) -> None:
    with writing(database) as db:
        [step] = plan(db, lambda: list(stored_games(db, 1)))
    assert "USING COVERING INDEX" in step


def test_the_games_of_a_match_are_found_without_those_of_others(database: Path) -> None:
    with Reader(database) as reader:
        games = reader.games()
        key = next(iter(reader.played_since(1, 0)))[0]
        match = (key.pairing, key.match, key.replay)
        steps = plan(reader._db, lambda: reader._before(1, match, len(games)))
    assert any("pairing=? AND match=? AND replay=?" in step for step in steps)
