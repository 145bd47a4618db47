"""Which files are looked at, and which programs asked, to start what a manifest names."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.check.trial import Trial
from arena.errors import BotCannotStart
from arena.sandbox import find_own_file, find_toolchain, toolchain
from protocol.messages import Limits
from tests.check.tried import manifest_of, started_by

OUT = ["./../secret", "../secret", "./data/../../secret", "/{folder}/../secret", "../nothing"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A bot's folder, beside a file that is none of its business."""
    (tmp_path / "secret").write_text("#!/secret", "utf-8")
    bot = tmp_path / "bot"
    (bot / "data").mkdir(parents=True)
    (bot / "data" / "table").write_text("own", "utf-8")
    return bot


@pytest.mark.parametrize("name", OUT)
def test_a_path_that_leads_out_of_the_bots_folder_is_not_looked_at(folder: Path, name: str) -> None:
    name = name.format(folder=folder)
    with pytest.raises(BotCannotStart) as raised:
        find_own_file(name, folder)
    assert str(raised.value).endswith("no such file in the bot's folder: it leads out of it")


def test_a_check_reads_no_file_outside_the_bots_folder(folder: Path) -> None:
    bot = started_by(*OUT, "./data/table", "data/table", "data", "x" * 5000, "\0", folder=folder)
    trial = Trial(None, bot, manifest_of(bot), Limits())  # type: ignore[arg-type]
    assert trial.program.files == {"./data/table": b"own", "data/table": b"own"}
    assert trial.program.interpreter == ""


def program(path: Path, *lines: str) -> str:
    """A program that does this."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]), "utf-8")
    path.chmod(0o755)
    return str(path)


@contextmanager
def typed_from(file: Path) -> Iterator[None]:
    """What this process and those that it starts read as their input."""
    before = os.dup(0)
    with file.open("rb") as opened:
        os.dup2(opened.fileno(), 0)
    try:
        yield
    finally:
        os.dup2(before, 0)
        os.close(before)


@pytest.mark.parametrize("name", ["python3", "python-tells", "python3.99"])
def test_a_program_that_is_no_python_by_its_place_is_not_asked(tmp_path: Path, name: str) -> None:
    path = program(tmp_path / "own" / "bin" / name, f"touch {tmp_path}/asked")
    assert find_toolchain(path).program == path
    assert not (tmp_path / "asked").exists()


def test_a_program_that_only_begins_like_python_is_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toolchain, "_PYTHON_FOLDERS", (str(tmp_path),))
    path = program(tmp_path / "python-tells", f"touch {tmp_path}/asked")
    assert find_toolchain(path).program == path
    assert not (tmp_path / "asked").exists()


def test_who_is_asked_reads_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    program(tmp_path / "python3.98", 'read typed; echo "<$typed>"', "echo /usr", "echo /usr")
    (tmp_path / "typed").write_text("for the arena\n", "utf-8")
    with typed_from(tmp_path / "typed"):
        assert find_toolchain("python3.98").program == "<>"


def test_who_gives_no_answer_cannot_be_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(toolchain, "_ANSWER_S", 0.1)
    path = program(tmp_path / "python3.97", "exec sleep 1000")
    with pytest.raises(BotCannotStart) as raised:
        find_toolchain("python3.97")
    assert str(raised.value) == f"{path}: does not start: no answer within 0.1 s"


def test_who_has_no_interpreter_cannot_be_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    path = Path(program(tmp_path / "python3.96"))
    path.write_text("#!/no/such/program\n", "utf-8")
    with pytest.raises(BotCannotStart) as raised:
        find_toolchain("python3.96")
    assert str(raised.value) == f"{path}: does not start: No such file or directory"
