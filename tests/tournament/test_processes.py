"""Tournaments of real processes that are stopped, killed and begun twice: the games stay the same.

Whatever happens to a run, the next one with the same seed plays what is missing, and the whole
comes to what an undisturbed run by one worker comes to.
"""

from __future__ import annotations

import json
import os
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from arena.verify import problems
from protocol.records import GameRecord
from tests.cli.program import complaint, exported, kseri, started, tournament_file
from tests.tournament.processes import GAMES, Running, goes_on, stored, words


def test_the_games_do_not_depend_on_workers_and_how_much_they_do_at_once(
    cup: Path, undisturbed: list[bytes], tmp_path: Path
) -> None:
    busy = tmp_path / "cup.toml"
    busy.write_text(cup.read_text("utf-8") + "concurrency = 3\n", "utf-8")
    goes_on(busy, tmp_path / "games.db", undisturbed, 3)


STOPS: dict[str, Callable[[int], None]] = {
    "Ctrl-C": lambda pid: os.killpg(pid, signal.SIGINT),
    "SIGINT": lambda pid: os.kill(pid, signal.SIGINT),
    "SIGTERM": lambda pid: os.kill(pid, signal.SIGTERM),
}


@pytest.mark.parametrize("stop", STOPS)
def test_a_run_that_is_stopped_keeps_whole_games_and_goes_on(
    cup: Path, undisturbed: list[bytes], tmp_path: Path, running: Running, stop: str
) -> None:
    running.has_played_some()
    started = time.monotonic()
    STOPS[stop](running.process.pid)
    status, said = running.ended()
    print(f"{stop}: ended after {time.monotonic() - started:.2f} s")
    running.wait_until_gone()
    assert status == 130
    assert "Traceback" not in said
    found = re.search(rf"Stopped: (\d+) of {GAMES} games are stored", said)
    assert found, said
    database = tmp_path / "games.db"
    assert stored(database) == int(found[1])
    for line in exported(database):
        record = json.loads(line)
        if "seed" in record:
            assert not problems(msgspec.convert(record, GameRecord))
    if stop == "Ctrl-C":
        goes_on(cup, database, undisturbed, 1)


def test_a_killed_arena_leaves_nothing_running_and_goes_on(
    cup: Path, undisturbed: list[bytes], tmp_path: Path, running: Running
) -> None:
    running.has_played_some()
    assert running.workers()
    running.process.kill()
    running.ended()
    running.wait_until_gone()
    assert stored(tmp_path / "games.db") < GAMES
    goes_on(cup, tmp_path / "games.db", undisturbed, 2)


def test_a_killed_worker_is_replaced_and_its_bots_end(
    cup: Path, undisturbed: list[bytes], tmp_path: Path, running: Running
) -> None:
    running.has_played_some()
    os.kill(running.workers()[0], signal.SIGKILL)
    status, said = running.ended()
    assert status == 0, said
    assert "1 worker process(es) died and were replaced" in said
    running.wait_until_gone()
    assert exported(tmp_path / "games.db", "--canonical") == undisturbed


def test_nobody_else_plays_the_same_tournament_meanwhile(
    cup: Path, tmp_path: Path, running: Running
) -> None:
    running.has_played_some()
    other = kseri(*words(cup, tmp_path / "games.db", 1))
    complaint(other, 1, "'cup' is being played by another process", after=1)
    status, said = running.ended()
    assert status == 0, said
    assert stored(tmp_path / "games.db") == GAMES


def test_a_finished_tournament_only_shows_its_standings(tmp_path: Path) -> None:
    file = tournament_file(tmp_path, "greedy", "random", matches=1)
    run = ["tournament", "run", file, "--db", tmp_path / "games.db", "--isolation", "none"]
    first = kseri(*run)
    assert first.returncode == 0, first.stderr
    second = kseri(*run)
    assert (second.returncode, second.stdout, second.stderr) == (0, first.stdout, "")
    file.write_text(file.read_text("utf-8").replace("matches = 1", "matches = 2"), "utf-8")
    complaint(kseri(*run), 2, "'t' is over and its secret published")


def test_files_of_the_folder_it_is_started_in_are_not_taken_for_modules(tmp_path: Path) -> None:
    for name in ("random", "trio", "json", "msgspec", "arena"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('taken for a module')", "utf-8")
    words = ["--isolation", "none", "--rules", "kseri-short", "--workers", 1]
    result = started("play", "greedy", "random", *words, folder=tmp_path)
    assert result.returncode == 0, result.stderr
