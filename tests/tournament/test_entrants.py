"""Bots that are entered: what can't be built or started, and files that change on the way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.program import bot, complaint, exported, kseri, tournament_file


@pytest.fixture
def words(tmp_path: Path) -> list[object]:
    return ["--db", tmp_path / "games.db", "--isolation", "none", "--workers", 1]


def test_a_build_that_fails_enters_nothing_and_can_be_mended(
    tmp_path: Path, words: list[object]
) -> None:
    place = bot(tmp_path, "built", build='["sh", "make.sh"]')
    (place / "make.sh").write_text("echo 'no \x1b[31mluck' >&2; exit 7", "utf-8")
    file = tournament_file(tmp_path, place, "greedy", matches=1)
    result = kseri("tournament", "run", file, *words)
    assert (result.returncode, result.stdout) == (2, "")
    first, *output = result.stderr.splitlines()
    assert first == "kseri: bot built: sh make.sh failed with exit status 7"
    assert len(output) == 1
    assert output[0].startswith("    no ")
    assert output[0].endswith("luck")
    assert "\x1b" not in result.stderr
    complaint(kseri("standings", "--db", tmp_path / "games.db"), 2, "no tournament")
    (place / "make.sh").write_text("touch made", "utf-8")
    assert kseri("tournament", "run", file, *words).returncode == 0
    assert not (place / "made").exists(), "it is built in a copy"


def test_a_build_tool_that_is_not_here_is_named(tmp_path: Path, words: list[object]) -> None:
    place = bot(tmp_path, "built", build='["no-such-compiler", "-O2"]')
    complaint(kseri("play", place, "greedy", *words), 2, "bot built: cannot be built: no-such-comp")


@pytest.mark.parametrize("run", ['["no-such-command"]', '["./not-built"]'])
def test_a_command_that_is_not_here_is_a_fault_of_the_bot(
    tmp_path: Path, words: list[object], run: str
) -> None:
    place = bot(tmp_path, "absent", run=run)
    result = kseri("play", place, "greedy", *words)
    assert result.returncode == 0, result.stderr
    for line in exported(tmp_path / "games.db"):
        record = json.loads(line)
        [fault] = record["faults"]
        assert (fault["kind"], record["reason"]) == ("boot", "forfeit")
        assert record["seats"][fault["seat"]]["bot"] == "absent"
    assert "2 (2 lost)" in result.stdout


def test_a_bot_that_does_not_play_these_rules_is_refused(
    tmp_path: Path, words: list[object]
) -> None:
    place = bot(tmp_path, "choosy", rules='["pisti"]')
    complaint(kseri("play", place, "greedy", *words), 2, "bot choosy: plays pisti, not kseri")


def test_a_begun_tournament_keeps_its_bots_as_they_were(
    tmp_path: Path, words: list[object]
) -> None:
    place = bot(tmp_path, "mine")
    file = tournament_file(tmp_path, place, "greedy", matches=1)
    assert kseri("tournament", "run", file, *words, "--seed", 1).returncode == 0
    (place / "bot.py").write_text("raise SystemExit('worse')", "utf-8")
    longer = tournament_file(tmp_path, place, "greedy", matches=2)
    result = kseri("tournament", "run", longer, *words, "--seed", 1)
    assert result.returncode == 0, result.stderr
    assert "mine has changed; its files are played as they were at the start" in result.stderr
    records = [json.loads(line) for line in exported(tmp_path / "games.db")]
    seats = [seat for record in records for seat in record["seats"] if seat["bot"] == "mine"]
    assert len(seats) == 4
    assert len({seat["hash"] for seat in seats}) == 1
    assert not any(record.get("faults") for record in records)


def test_matches_with_a_changed_bot_are_not_those_of_the_same_seed(
    tmp_path: Path, words: list[object]
) -> None:
    place = bot(tmp_path, "mine")
    play = ["play", place, "greedy", *words, "--seed", 1]
    assert kseri(*play).returncode == 0
    (place / "bot.py").write_text("raise SystemExit('worse')", "utf-8")
    complaint(kseri(*play), 2, "another value of bots")
    complaint(kseri("play", "random", "greedy", *words, "--seed", 1), 2, "another value of bots")


def test_the_same_bot_twice_plays_under_two_labels(tmp_path: Path, words: list[object]) -> None:
    result = kseri("play", "greedy", "greedy", *words, "--seed", 3)
    assert result.returncode == 0, result.stderr
    record = json.loads(exported(tmp_path / "games.db")[0])
    assert record["pairing"] == ["greedy", "greedy-2"]
