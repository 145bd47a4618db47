"""The demo, as a real process: its bots, its standings, its proofs."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
from pathlib import Path

import pytest

from arena.bots import find_bot, shipped_names
from tests.cli.program import cache, kseri, started

__all__ = ["cache"]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    folder = tmp_path_factory.mktemp("demo")
    return folder, started("demo", "--no-serve", "--matches", 2, folder=folder)


def playable() -> list[str]:
    """The shipped bots whose language is on this machine."""
    commands = {
        name: find_bot(name).manifest.build or find_bot(name).manifest.run
        for name in shipped_names()
    }
    return [name for name, command in commands.items() if shutil.which(command[0])]


def test_every_playable_bot_plays_and_the_others_are_named(
    demo: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    _, result = demo
    assert result.returncode == 0, result.stderr
    entered = playable()
    games = len(entered) * (len(entered) - 1) // 2 * 4
    assert f"{games} of {games} games" in result.stdout
    for name in shipped_names():
        left_out = f"Left out {name}: " in result.stderr
        assert left_out != (name in entered), result.stderr


def test_its_languages_are_many_where_they_can_be_had() -> None:
    languages = {find_bot(name).manifest.run[0] for name in playable()}
    if len(languages) < 4:
        pytest.skip(f"only {len(languages)} languages on this machine")
    assert len(playable()) >= 8


def test_the_standings_order_the_bots_by_strength(
    demo: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    folder, _ = demo
    exported = kseri("export", "--standings", "--db", "demo.db", folder=folder).stdout
    rows = {row["label"]: row for row in csv.DictReader(io.StringIO(exported))}
    assert float(rows["counter"]["rating"]) > float(rows["random"]["rating"])
    assert float(rows["greedy"]["rating"]) > float(rows["random"]["rating"])
    assert all(row["faults"] == "0" for row in rows.values())


def test_all_its_games_pass_verify(
    demo: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    folder, _ = demo
    result = kseri("verify", "--tournament", "latest", "--db", "demo.db", folder=folder)
    assert result.returncode == 0, result.stdout
    assert " 0 wrong" in result.stdout
