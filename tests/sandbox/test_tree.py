"""Trees of files that strangers made: what is read of them, and what is said of the rest."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.sandbox import TreeError, disk_usage, read_tree, remove_tree

FILES, BYTES = 100, 1 << 20
TOO_DEEP = 150


def deep(folder: Path) -> None:
    folder_fd = os.open(folder, os.O_RDONLY)
    for _ in range(TOO_DEEP):
        os.mkdir("d", dir_fd=folder_fd)
        inner_fd = os.open("d", os.O_RDONLY, dir_fd=folder_fd)
        os.close(folder_fd)
        folder_fd = inner_fd
    os.close(folder_fd)


def link(folder: Path) -> None:
    (folder / "a").mkdir()
    (folder / "a" / "x").symlink_to("/etc/passwd")


def link_to_a_folder(folder: Path) -> None:
    (folder / "x").symlink_to("/etc")


def pipe(folder: Path) -> None:
    os.mkfifo(folder / "x")


def listening(folder: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(folder / "x"))


def many_files(folder: Path) -> None:
    for number in range(FILES + 1):
        (folder / str(number)).touch()


def many_folders(folder: Path) -> None:
    for number in range(2 * FILES + 1):
        (folder / str(number)).mkdir()


def much(folder: Path) -> None:
    for name in "xy":
        (folder / name).write_bytes(bytes(BYTES // 2 + 1))


REFUSED: list[tuple[Callable[[Path], None], str]] = [
    (deep, "d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/…: more than 100 folders in one another"),
    (link, "a/x: a link; a bot's files must be files"),
    (link_to_a_folder, "x: a link; a bot's files must be files"),
    (pipe, "x: neither file nor folder"),
    (listening, "x: neither file nor folder"),
    (many_files, "more than 100 files"),
    (many_folders, "more than 200 files and folders"),
    (much, "more than 1 MiB of files"),
]


@pytest.mark.parametrize(("make", "text"), REFUSED, ids=[make.__name__ for make, _ in REFUSED])
def test_what_is_not_taken_is_said_in_one_line(
    tmp_path: Path, make: Callable[[Path], None], text: str
) -> None:
    folder = tmp_path / "tree"
    folder.mkdir()
    make(folder)
    with pytest.raises(TreeError) as told:
        read_tree(folder, FILES, BYTES)
    assert str(told.value) == text
    remove_tree(folder)


@pytest.mark.parametrize(("make", "text"), REFUSED, ids=[make.__name__ for make, _ in REFUSED])
def test_what_is_ignored_may_be_anything(
    tmp_path: Path, make: Callable[[Path], None], text: str
) -> None:
    folder = tmp_path / "tree"
    (folder / ".hidden").mkdir(parents=True)
    (folder / "file").write_text("taken")
    make(folder / ".hidden")
    asked: list[str] = []

    def is_ignored(path: str) -> bool:
        asked.append(path)
        return path == ".hidden"

    assert read_tree(folder, FILES, BYTES, is_ignored) == {"file": (False, b"taken")}
    assert asked == [".hidden", "file"]
    remove_tree(folder)


@pytest.mark.parametrize("make", [pipe, listening, link_to_a_folder])
def test_what_takes_the_place_of_a_file_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], None]
) -> None:
    folder, file = tmp_path / "tree", tmp_path / "tree" / "x"
    folder.mkdir()
    file.write_text("a file")
    looked_at, opened = os.stat, os.open
    writers = []

    def stat(name: str, **keys: Any) -> os.stat_result:
        found = looked_at(name, **keys)
        if name == "x" and not writers:
            file.unlink()
            make(folder)
            writers.append(opened(file, os.O_RDWR) if make is pipe else -1)
        return found

    monkeypatch.setattr(os, "stat", stat)
    with pytest.raises(TreeError, match=r"^x: (neither file nor folder|cannot be read: )"):
        read_tree(folder, FILES, BYTES)
    monkeypatch.undo()
    assert writers
    if make is pipe:
        os.close(writers[0])


def test_disk_usage_counts_everything(tmp_path: Path) -> None:
    assert disk_usage(tmp_path) == (0, 0)
    (tmp_path / ".a" / "b").mkdir(parents=True)
    (tmp_path / ".a" / "b" / "c").write_bytes(bytes(100_000))
    used, entries = disk_usage(tmp_path)
    assert 100_000 <= used < 200_000
    assert entries == 3
    assert disk_usage(tmp_path / "gone") == (0, 0)


def test_disk_usage_has_an_end(tmp_path: Path) -> None:
    folder = tmp_path / "tree"
    folder.mkdir()
    deep(folder)
    with pytest.raises(TreeError, match="more than 100 folders"):
        disk_usage(folder)
    remove_tree(folder)
    assert not folder.exists()
