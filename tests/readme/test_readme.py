"""README.md tells the truth: its generated parts, its bot, its commands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena.bots import SINGLE_FILES
from arena.bots.limits import MAX_BUILT_BYTES, MAX_FILES, mib
from arena.cli.token import new
from arena.sandbox.build import BUILD_SECONDS
from arena.sandbox.build_watch import DISK_MB, MEMORY_MB
from arena.store import MOST_UPLOAD_BYTES
from protocol.codec import decode_file
from protocol.manifest import Manifest
from protocol.tournament import Tournament
from tests.readme.generate import README, filled, sections

TEXT = README.read_text("utf-8")


@pytest.mark.parametrize("file", sections(), ids=lambda file: file.name)
def test_generated_parts_are_up_to_date(file: Path) -> None:
    parts = sections()[file]
    assert filled(file, parts) == file.read_text("utf-8"), "run python -m tests.readme.generate"


def blocks(language: str) -> list[str]:
    """The code blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.S)


def test_the_seven_line_bot_plays_without_a_fault(tmp_path: Path) -> None:
    bot = tmp_path / "mybot.py"
    (source,) = blocks("python")
    assert len(source.splitlines()) <= 7
    bot.write_text(source)
    command = ["play", "mybot.py", "greedy", "--matches", "2"]
    result = kseri(*command, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert re.search(r"mybot .* 4 |mybot.* 0  ", result.stdout), result.stdout
    assert "4 of 4 games" in result.stdout
    assert "No such games." in kseri("games", "--faults", cwd=tmp_path).stdout


def test_the_files_shown_are_valid() -> None:
    manifest, tournament = blocks("toml")
    assert decode_file(manifest, Manifest).name == "mybot"
    assert decode_file(tournament, Tournament).matches == 50


def test_the_bounds_told_are_those_of_the_code() -> None:
    build = re.search(r"its build is bounded .*? \|", TEXT)
    assert build
    assert f"{BUILD_SECONDS // 60} minutes" in build[0]
    assert f"{MEMORY_MB // 1024} GiB of memory" in build[0]
    assert f"{DISK_MB // 1024} GiB of disk" in build[0]
    assert f"keep {mib(MAX_BUILT_BYTES)} in {MAX_FILES:,} files" in build[0]
    assert f"{mib(MOST_UPLOAD_BYTES)} at most" in TEXT
    options = {option.name: option.default for option in new.params}
    told = f"{options['quota']} submissions a day and {options['most_bots']} bots"
    assert told in TEXT.replace("\n", " ")


def test_the_endings_of_single_files_are_told() -> None:
    *most, last = SINGLE_FILES
    assert f"ends in {', '.join(most)} or {last}," in " ".join(TEXT.split())


@pytest.mark.parametrize("line", sorted(set(re.findall(r"^python3 run\.py (.*)$", TEXT, re.M))))
def test_every_command_shown_exists(line: str) -> None:
    words = line.split("#")[0].split(">")[0].split()
    if words[0] in ("test", "develop"):
        return
    name = words[:2] if words[0] == "tournament" else words[:1]
    help_text = kseri(*name, "--help").stdout
    for option in (word for word in words if word.startswith("--")):
        assert option in help_text, line


def kseri(*words: str, cwd: Path = README.parent) -> subprocess.CompletedProcess[str]:
    """Run the command."""
    return subprocess.run(
        [sys.executable, "-m", "arena.cli", *words],
        cwd=cwd,
        env={"PYTHONPATH": str(README.parent), "PATH": "/usr/bin:/bin", "HOME": str(cwd)},
        capture_output=True,
        text=True,
        check=False,
    )
