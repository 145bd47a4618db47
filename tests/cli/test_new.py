"""`kseri new`: a whole bot or nothing, and one clear line that says why."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.bots import find_bot
from arena.sandbox import find_toolchain
from arena.templates import templates
from tests.cli.conftest import Here
from tests.cli.program import START, complaint, environment, kseri


def test_a_new_bot_is_whole_and_its_own_test_passes(here: Here, tmp_path: Path) -> None:
    result = here("new", "my-bot", "--lang", "python", "--folder", tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    assert str(tmp_path / "my-bot") in result.stdout
    assert "python3 -m unittest" in result.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["my-bot"]
    bot = find_bot(str(tmp_path / "my-bot"))
    assert bot.manifest.name == "my-bot"
    assert sorted(bot.files) == ["README.md", "bot.py", "bot.toml", "lines.jsonl", "test_bot.py"]
    test = [sys.executable, "-B", "-m", "unittest"]
    assert subprocess.run(test, cwd=tmp_path / "my-bot", capture_output=True).returncode == 0


def test_it_is_made_here_where_no_folder_is_named(tmp_path: Path) -> None:
    result = kseri("new", "heron-2", "--lang", "js", folder=tmp_path)
    assert "./heron-2" in result.stdout
    assert (tmp_path / "heron-2" / "bot.js").is_file()


@pytest.mark.parametrize(
    ("word", "file"), [("C++", "bot.cpp"), ("GO", "bot.go"), ("rb", "bot.rb"), ("Perl", "bot.pl")]
)
def test_a_language_has_its_name_and_its_ending(
    here: Here, tmp_path: Path, word: str, file: str
) -> None:
    assert here("new", "x", "--lang", word, "--folder", tmp_path).returncode == 0
    assert (tmp_path / "x" / file).is_file()


def test_the_list_has_every_language_and_what_it_needs(here: Here) -> None:
    result = here("new", "--list")
    assert (result.returncode, result.stderr) == (0, "")
    listed = re.findall(r"^(\w+) ", result.stdout, re.MULTILINE)
    assert listed == [template.name for template in templates()]
    assert len(listed) >= 14
    assert "Debian: golang-go" in result.stdout


def test_what_it_prints_can_be_pasted_into_one_shell(tmp_path: Path) -> None:
    """Line after line, in the folder where it was called."""
    words = shlex.join([*START, "new", "my-bot", "--lang", "python"])
    text = subprocess.run(
        words, shell=True, cwd=tmp_path, env=environment(), capture_output=True, text=True
    ).stdout
    test, check, play = (line.strip() for line in text.splitlines()[1:])
    readme = (tmp_path / "my-bot" / "README.md").read_text("utf-8")
    assert f"    {check}\n    {play}\n" in readme, "the same stands in its README.md"
    assert "kseri check" not in readme.replace(check, "")
    assert check.startswith(shlex.join(START))
    short = "--set target=11 --workers 1"
    script = f"{test} && {check} --isolation none && {play} --isolation none {short}"
    done = subprocess.run(
        script, shell=True, cwd=tmp_path, env=environment(), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "20 of 20 games" in done.stdout


def test_what_is_not_here_is_said(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find_toolchain.cache_clear()
    monkeypatch.setattr(shutil, "which", lambda *_: None)
    made = here("new", "x", "--lang", "lua", "--folder", tmp_path)
    assert made.returncode == 0
    assert made.stderr == (
        "It can't run here yet: lua: no such command on this machine. It needs Lua 5.1 or newer "
        "(Debian: lua5.4).\n"
    )
    rows = [line.split() for line in here("new", "--list").stdout.splitlines()]
    assert rows[0][:3] == ["--lang", "language", "here"]
    assert {row[2] for row in rows[1:] if row[0] in ("c", "go")} == {"no"}


WRONG = [
    (["x", "--lang", "cobol"], ["'cobol'", "bash, c, cpp", "python"]),
    (["My_Bot", "--lang", "c"], ["'My_Bot'", "small letters, digits and hyphens"]),
    (["../x", "--lang", "c"], ["'../x'", "small letters"]),
    (["x" * 40, "--lang", "c"], ["at most 39"]),
    (["x\n", "--lang", "c"], ["small letters"]),
    (["greedy", "--lang", "c"], ["'greedy' is a bot that comes with the arena"]),
    (["me", "--lang", "c"], ["'me' stands for the person"]),
    (["x"], ["--lang", "--list"]),
    (["--lang", "c"], ["NAME"]),
    ([], ["NAME"]),
]


@pytest.mark.parametrize(("words", "parts"), WRONG, ids=[" ".join(words) for words, _ in WRONG])
def test_wrong_use_makes_nothing(
    here: Here, tmp_path: Path, words: list[str], parts: list[str]
) -> None:
    complaint(here("new", *words, "--folder", tmp_path), 2, *parts)
    assert not list(tmp_path.iterdir())


def test_what_is_there_stays(here: Here, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("folder", "file", "link"):
        words = ["new", name, "--lang", "c", "--folder", tmp_path]
        complaint(here(*words), 2, str(tmp_path / name), "is there already")
    assert not list((tmp_path / "folder").iterdir())
    assert (tmp_path / "file").read_text() == "mine"


def test_a_folder_to_make_it_in_is_made(here: Here, tmp_path: Path) -> None:
    words = ["new", "x", "--lang", "c", "--folder"]
    result = here(*words, tmp_path / "no" / "such")
    assert (result.returncode, result.stderr) == (0, "")
    assert (tmp_path / "no" / "such" / "x" / "bot.c").is_file()
    (tmp_path / "file").touch()
    complaint(here(*words, tmp_path / "file"), 2, f"{tmp_path / 'file'}: no folder, but a file")


def test_nothing_half_written_is_left(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(source: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copymode", full)
    words = ["new", "x", "--lang", "c", "--folder", tmp_path]
    complaint(here(*words), 1, f"kseri: {tmp_path / 'x'}: No space left on device")
    assert not list(tmp_path.iterdir())
