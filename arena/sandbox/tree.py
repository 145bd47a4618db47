"""Trees of files that somebody else has made, maybe to do harm: read without trusting them."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from arena.sandbox.limits import MIB

MAX_DEPTH = 100
"""How many folders may be in one another."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class TreeError(ValueError):
    """A tree of files that can't be taken: links, devices, unreadable, too much; says where."""


def read_tree(
    folder: Path,
    max_files: int,
    max_bytes: int,
    is_ignored: Callable[[str], bool] = lambda path: False,
) -> dict[str, tuple[bool, bytes]]:
    """Every file below a folder, by relative path: whether it is executable, and what it holds.

    Follows no link, opens nothing but regular files. `is_ignored` is asked of every relative path;
    what it takes is neither read nor counted. Raises `TreeError`, and `OSError` where there is no
    such folder.
    """
    files: dict[str, tuple[bool, bytes]] = {}
    left = max_bytes
    entries = 0
    for name, folder_fd, path, found in _walk(folder, is_ignored):
        entries += 1
        if entries > 2 * max_files:
            raise TreeError(f"more than {2 * max_files:,} files and folders")
        if stat.S_ISDIR(found.st_mode):
            continue
        if len(files) >= max_files:
            raise TreeError(f"more than {max_files:,} files")
        is_executable, data = _content(name, folder_fd, path, found.st_mode, left)
        if len(data) > left:
            raise TreeError(f"more than {max_bytes // MIB} MiB of files")
        left -= len(data)
        files[path] = (is_executable, data)
    return files


def _content(name: str, folder_fd: int, path: str, mode: int, most: int) -> tuple[bool, bytes]:
    """One file: whether it is executable, and at most one byte more of it than is wanted."""
    if stat.S_ISLNK(mode):
        raise TreeError(f"{path}: a link; a bot's files must be files")
    _check_regular(path, mode)
    with _told(path), open(os.open(name, _FILE, dir_fd=folder_fd), "rb") as file:
        # Another may stand there by now.
        mode = os.fstat(file.fileno()).st_mode
        _check_regular(path, mode)
        return bool(mode & 0o111), file.read(most + 1)


def _check_regular(path: str, mode: int) -> None:
    if not stat.S_ISREG(mode):
        raise TreeError(f"{path}: neither file nor folder")


def _walk(
    folder: Path, is_ignored: Callable[[str], bool]
) -> Iterator[tuple[str, int, str, os.stat_result]]:
    """Every entry: its name, the descriptor of its folder, its relative path, what it is."""
    folder_fd = os.open(folder, _FOLDER)
    try:
        yield from _below(folder_fd, "", is_ignored, 1)
    finally:
        os.close(folder_fd)


def _below(
    folder_fd: int, above: str, is_ignored: Callable[[str], bool], depth: int
) -> Iterator[tuple[str, int, str, os.stat_result]]:
    for name in sorted(os.listdir(folder_fd)):
        path = above + name
        if is_ignored(path):
            continue
        with _told(path):
            found = os.stat(name, dir_fd=folder_fd, follow_symlinks=False)
        yield name, folder_fd, path, found
        if stat.S_ISDIR(found.st_mode):
            _check_depth(path, depth)
            with _told(path):
                inner_fd = os.open(name, _FOLDER, dir_fd=folder_fd)
            try:
                yield from _below(inner_fd, f"{path}/", is_ignored, depth + 1)
            finally:
                os.close(inner_fd)


def _check_depth(path: str, depth: int) -> None:
    if depth >= MAX_DEPTH:
        raise TreeError(f"{path[:40]}…: more than {MAX_DEPTH} folders in one another")


@contextmanager
def _told(path: str) -> Iterator[None]:
    """Says of what the system refuses which entry it was."""
    try:
        yield
    except OSError as error:
        raise TreeError(f"{path}: cannot be read: {error.strerror}") from None


def disk_usage(folder: Path) -> tuple[int, int]:
    """How many bytes of disk everything below a folder takes, and how many entries there are.

    Somebody may be changing it meanwhile: what is gone or closed is left out. Raises `TreeError`
    where folders are nested too deep.
    """
    total = entries = 0
    with suppress(OSError):
        folder_fd = os.open(folder, _FOLDER)
        try:
            total, entries = _used(folder_fd, "", 1)
        finally:
            os.close(folder_fd)
    return total, entries


def _used(folder_fd: int, above: str, depth: int) -> tuple[int, int]:
    total = entries = 0
    for name in os.listdir(folder_fd):
        with suppress(OSError):
            found = os.stat(name, dir_fd=folder_fd, follow_symlinks=False)
            # A file system may write later, or less than there is.
            total += max(found.st_size, found.st_blocks * 512)
            entries += 1
            if stat.S_ISDIR(found.st_mode):
                _check_depth(above + name, depth)
                inner_fd = os.open(name, _FOLDER, dir_fd=folder_fd)
                try:
                    more, inner = _used(inner_fd, f"{above}{name}/", depth + 1)
                finally:
                    os.close(inner_fd)
                total, entries = total + more, entries + inner
    return total, entries
