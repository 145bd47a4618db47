"""Bots are read whole or refused: what their files may be, and what is said of those that may not.

Archives have tests of their own.
"""

from __future__ import annotations

import os
import subprocess
import sysconfig
import zipfile
from pathlib import Path
from typing import Any

import pytest

from arena.bots import BotFiles, files, read_bot
from arena.bots.limits import MAX_ENTRIES
from arena.errors import UsageError
from arena.sandbox import read_tree
from tests.cli.program import ROOT, bot
from tests.sandbox.ordinary import USERS, as_user, check_modules, open_folder

READS = """
import sys
from pathlib import Path
from arena.bots import read_bot
from arena.errors import UsageError
try:
    print(sorted(read_bot(Path(sys.argv[1])).files))
except UsageError as error:
    print(error)
"""


@pytest.mark.parametrize("path", ["data", "data/table", "a/b/c"])
@pytest.mark.parametrize("user", USERS)
def test_what_can_not_be_read_is_refused_with_its_path(user: str, path: str) -> None:
    """Never left out without a word; root may read everything."""
    python, identity = as_user(user)
    variables = {"PYTHONPATH": f"{ROOT}:{sysconfig.get_path('purelib')}", "PATH": os.defpath}
    if identity:
        check_modules(python, variables)
    with open_folder() as base:
        folder = bot(base, "mine")
        (folder / "data").mkdir()
        (folder / "data" / "table").touch()
        (folder / "a" / "b" / "c").mkdir(parents=True)
        for made in (base, *base.rglob("*")):
            os.chown(made, identity.get("user", -1), identity.get("user", -1))
        (folder / path).chmod(0)
        command = [python, "-c", READS, str(folder)]
        done = subprocess.run(
            command, env=variables, cwd=ROOT, capture_output=True, text=True, check=True, **identity
        )
        may_read = os.geteuid() == 0 and not identity
        expected = "['bot.py', 'bot.toml', 'data/table']"
        refused = f"{folder}: {path}: cannot be read: Permission denied"
        assert done.stdout.strip() == (expected if may_read else refused)


def zipped(folder: Path) -> Path:
    """The same bot as a zip, links as links."""
    path = folder.with_suffix(".zip")
    with zipfile.ZipFile(path, "w") as archive:
        for entry in sorted(folder.rglob("*")):
            info = zipfile.ZipInfo(str(entry.relative_to(folder)) + "/" * entry.is_dir())
            info.external_attr = entry.lstat().st_mode << 16
            if not (entry.is_dir() or entry.is_symlink()):
                archive.writestr(info, entry.read_bytes())
            else:
                archive.writestr(info, b"")
    return path


def both(folder: Path) -> list[BotFiles]:
    return [read_bot(folder), read_bot(zipped(folder))]


def test_a_folder_and_a_zip_of_it_leave_out_the_same(tmp_path: Path) -> None:
    folder = bot(tmp_path, "mine")
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / ".venv" / "bin" / "python").symlink_to("/usr/bin/python3")
    (folder / ".env").touch()
    (folder / "lib" / "__pycache__").mkdir(parents=True)
    (folder / "lib" / "__pycache__" / "x.pyc").touch()
    (folder / "__MACOSX").mkdir()
    (folder / "__MACOSX" / "x").touch()
    for read in both(folder):
        assert sorted(read.files) == ["bot.py", "bot.toml"]
        assert set(read.left_out) == {".venv", ".env", "lib/__pycache__", "__MACOSX"}


def test_what_is_left_out_does_not_count(tmp_path: Path) -> None:
    folder = bot(tmp_path, "mine")
    (folder / ".git").mkdir()
    for number in range(MAX_ENTRIES + 1):
        (folder / ".git" / str(number)).touch()
    for read in both(folder):
        assert sorted(read.files) == ["bot.py", "bot.toml"]
        assert read.left_out == (".git",)


def test_a_link_to_a_bots_folder_is_that_folder(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(bot(tmp_path, "mine"))
    assert sorted(read_bot(link).files) == ["bot.py", "bot.toml"]


def test_a_byte_order_mark_is_told_as_such(tmp_path: Path) -> None:
    folder = bot(tmp_path, "mine")
    text = (folder / "bot.toml").read_bytes()
    (folder / "bot.toml").write_bytes(b"\xef\xbb\xbf" + text)
    for path in (folder, zipped(folder)):
        with pytest.raises(UsageError, match=r"bot\.toml: begins with a byte-order mark"):
            read_bot(path)


def test_a_manifest_that_is_taken_away_meanwhile_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = bot(tmp_path, "mine")

    def read(*arguments: Any) -> dict[str, Any]:
        (folder / "bot.toml").rename(folder / "away.toml")
        return dict(read_tree(*arguments))

    monkeypatch.setattr(files, "read_tree", read)
    with pytest.raises(UsageError, match="in this folder; a bot's folder needs one"):
        read_bot(folder)


def test_the_hash_is_computed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = read_bot(bot(tmp_path, "mine"))
    found = mine.hash
    monkeypatch.delattr(files, "digest_of")
    assert mine.hash == found


@pytest.mark.parametrize("name", ["one.c", "one.cpp", "one.rs"])
def test_a_bot_of_one_file_is_built_for_a_debugger(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    assert "-g" in (read_bot(tmp_path / name).manifest.build or [])
