"""`kseri submit --league`, and wrong use of `kseri serve --league`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from arena.store import Reader
from tests.cli.conftest import Here
from tests.cli.program import bot, complaint, kseri, tournament_file
from tests.tournament.memory import InMemory, entered, played

SHORT = {"target": 11}


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "arena.db"
    entered(path, "greedy", "random", name="cup", kind="league", seed=None, overrides=SHORT)
    entered(path, "greedy", "random", name="other", seed=2)
    return path


@pytest.fixture
def untried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots are taken in without a game; the check has tests of its own."""
    monkeypatch.setattr("arena.submission._check", lambda *_: "Checked: no.")


def versions(folder: Path, code: str) -> Path:
    """The same bot as version 2, with other code."""
    place = folder / "second"
    place.mkdir()
    return bot(place, "mine", code, version='"2.0"')


def test_a_new_version_takes_the_place_of_the_one_before_and_is_tested_against_it(
    here: Here, database: Path, tmp_path: Path
) -> None:
    words = ["--league", "cup", "--db", database, "--isolation", "none"]
    first = here("submit", bot(tmp_path, "mine", version='"1.0"'), *words)
    assert first.returncode == 0, first.stderr
    assert first.stdout.endswith("Entered: mine plays from the next round on.\n")
    assert "Compared" not in first.stdout

    # It never captures if it can help it: so much weaker that few matches show it.
    last = "play = {'type': 'play', 'turn': turn, **message['legal'][-1]}"
    folder = versions(tmp_path, last)
    second = kseri("submit", folder, *words)
    assert second.returncode == 0, second.stderr
    text = " ".join(second.stdout.split())
    assert "Entered: mine@2.0 plays from the next round on, in the place of mine." in text
    assert "Compared with 1.0, in 500 matches at most:" in text
    found = re.search(r"mine 2.0 v mine-2 1.0, \[0, 20\] Elo: (H0|H1) accepted after (\d+)", text)
    assert found, text
    assert 20 <= int(found[2]) <= 500
    with Reader(database) as reader:
        gone = {each.label: each.departure for each in reader.entrants(1)}
    assert gone == {"greedy": None, "random": None, "mine": "replaced", "mine@2.0": None}


@pytest.mark.usefixtures("untried")
def test_a_league_that_has_played_its_rounds_promises_no_next_one(
    here: Here, tmp_path: Path
) -> None:
    path = tmp_path / "arena.db"
    settings: dict[str, Any] = {"seed": None, "rounds": 1, "matches": 1, "overrides": SHORT}
    played(
        path, entered(path, "greedy", "random", name="cup", kind="league", **settings), InMemory()
    )
    words = ["--league", "cup", "--db", path, "--isolation", "none"]
    given = here("submit", bot(tmp_path, "mine"), *words)
    text = " ".join(given.stdout.split())
    assert text.endswith(
        "Entered: mine plays once the league has more rounds (all of them are played)."
    )


@pytest.mark.usefixtures("untried")
def test_the_test_can_be_left_out_and_submitting_again_changes_nothing(
    here: Here, database: Path, tmp_path: Path
) -> None:
    words = ["--league", "cup", "--no-compare", "--db", database, "--isolation", "none"]
    assert here("submit", bot(tmp_path, "mine"), *words).returncode == 0
    folder = versions(tmp_path, "pass")
    assert "Compared" not in here("submit", folder, *words).stdout
    again = here("submit", folder, *words)
    assert again.returncode == 0
    assert "mine@2.0 plays there already with these files" in again.stdout
    with Reader(database) as reader:
        assert len(reader.entrants(1)) == 4


def test_what_no_league_could_take_is_refused_before_it_is_built(
    here: Here, database: Path, tmp_path: Path
) -> None:
    at = ["--db", database, "--isolation", "none"]
    folder = bot(tmp_path, "mine", build='["false"]', rules='["kseri-3"]')
    complaint(here("submit", folder, "--league", "cup", *at), 2, "plays kseri-3, not kseri")
    complaint(here("submit", folder, "--league", "nope", *at), 2, "no tournament 'nope'")
    result = here("submit", folder, "--league", "other", *at)
    complaint(result, 2, "'other' is no league, but a round-robin; leagues: 'cup'")
    complaint(here("submit", folder, "--no-compare", *at), 2, "only with --league")
    with Reader(database) as reader:
        assert reader.submissions() == []


def test_a_league_must_be_one_to_be_served(here: Here, database: Path, tmp_path: Path) -> None:
    at = ["--db", database, "--isolation", "none"]
    complaint(here("serve", "--league", "nope", *at), 2, "no tournament 'nope'")
    complaint(here("serve", "--league", "other", *at), 2, "leagues: 'cup'")
    file = tournament_file(tmp_path, "greedy", "random", name="robin")
    complaint(here("serve", "--league", file, *at), 2, 'kind is "round-robin", expected "league"')
    file.write_text("nonsense")
    complaint(here("serve", "--league", file, *at), 2, str(file))
    complaint(here("serve", "--workers", 2, *at), 2, "--workers are a league's")
    complaint(here("serve", "--jobs", "--db", tmp_path / "none.db"), 2, "no such database")
    complaint(here("serve", "--proxy", "nginx", *at), 2, "--proxy", "expected an IP address")
    assert not (tmp_path / "none.db").exists()
