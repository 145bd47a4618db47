"""A writing process that is killed loses nothing it has acknowledged, and leaves nothing half."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from arena.store import Reader
from tests.store import write_for_ever
from tests.store.games import COUNTS, begin, copies, recount

ROOT = Path(__file__).parent.parent.parent


def killed_after(database: Path, tournament_id: int, seed: int) -> set[str]:
    """Run the writing program and kill it in the middle; returns what it acknowledged."""
    process = subprocess.Popen(
        [sys.executable, write_for_ever.__file__, database, str(tournament_id), str(seed)],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert process.stdout
    chance = random.Random(seed)
    acknowledged = []
    for _ in range(chance.randint(1, 8)):
        acknowledged.append(process.stdout.readline())
    for _ in range(chance.randint(0, 20_000)):
        pass  # somewhere in the next batch: its reading, its writing or its commit
    process.kill()
    acknowledged += process.stdout.readlines()
    process.stdout.close()
    process.wait()
    whole = [line for line in acknowledged if line.endswith(b"\n")]
    assert whole
    return {game for line in whole for game in line.decode().split()}


@pytest.mark.slow
def test_fifteen_kills_leave_a_sound_database(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    tournament_id = begin(database, copies(1))
    acknowledged: set[str] = set()
    for seed in range(15):
        acknowledged |= killed_after(database, tournament_id, seed)
        with closing(sqlite3.connect(database)) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert not db.execute("PRAGMA foreign_key_check").fetchall()
            assert acknowledged <= {game for (game,) in db.execute("SELECT game FROM games")}
    with Reader(database) as reader:
        counted = recount(reader.records(tournament_id), 2)
        totals = {row.label: row for row in reader.totals(tournament_id)}
        results = reader.results(tournament_id)
    assert counted
    for label, expected in counted.items():
        found = {name: getattr(totals[label], name) for name in COUNTS}
        assert found == pytest.approx(expected)
    assert sum(row.matches for row in results) == totals["counter"].matches
