"""Copies of bots that are kept for later games, each with the hash of what it was when built."""

from __future__ import annotations

import fcntl
import os
import platform
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from arena.bots.archive import File
from arena.bots.files import BotFiles, digest_of
from arena.bots.limits import MAX_BUILT_BYTES, MAX_FILES, MAX_KEPT_BYTES, MAX_KEPT_COPIES
from arena.errors import Trouble
from arena.sandbox import TreeError, disk_usage, read_tree, scratch_folder

NEW = "new-"
"""What the names of unfinished copies begin with."""
UNGUARDED = "none-"
"""And those of folders with copies to be run without isolation."""
_FILES, _DIGEST = "bot", "built.sha256"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_held: dict[Path, int] = {}
"""Copies that this process uses, and the descriptors by which it holds them locked."""


def cache_folder() -> Path:
    """Where copies of bots lie, built and ready to start."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "kseri-arena" / "bots"


def make_cache_folder() -> Path:
    """The folder of all copies, made if need be. Raises `OSError`."""
    folder = cache_folder()
    # Whoever hands in a bot need not show it to the other users of the machine.
    folder.mkdir(0o700, parents=True, exist_ok=True)
    return folder


def place_of(bot: BotFiles, isolation: str) -> Path:
    """Where the copy of a bot belongs that is built so, on this kind of machine.

    What was built without isolation, by a program that could do anything, is played only so.
    """
    return _place(bot.hash, bool(bot.manifest.build) and isolation == "none")


def places_of(digest: str, isolation: str) -> list[Path]:
    """Where the copy of a bot may be of which only the hash is known."""
    return [_place(digest, unguarded) for unguarded in (False, True)[: 1 + (isolation == "none")]]


def _place(digest: str, unguarded: bool) -> Path:
    return cache_folder() / f"{digest}-{platform.machine()}{'-none' if unguarded else ''}"


def write_copy(files: Mapping[str, File], folder: Path) -> Path:
    """Make a copy that can be kept in a folder that is new; returns the folder of its files."""
    write_files(files, folder / _FILES)
    (folder / _DIGEST).write_text(digest_of(files), "ascii")
    return folder / _FILES


def write_files(files: Mapping[str, File], folder: Path) -> None:
    """Write a bot's files into a folder, which is made if need be."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (executable, data) in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(0o755 if executable else 0o644)


def copy_files(folder: Path, to: Path) -> Path:
    """Copy a bot's files to be run without isolation: it may change those that it runs from."""
    return Path(shutil.copytree(folder, to, symlinks=True))


def find_kept(place: Path) -> Path | None:
    """The files of the copy that is kept there, held until this process ends.

    None where there is none, or where it is not what was built: changed, incomplete, a link.
    """
    try:
        opened = os.open(place, _FOLDER)
    except OSError:
        return None
    if not _lock(opened, fcntl.LOCK_SH) or _why_not_as_built(place):
        os.close(opened)
        return None
    before = _held.pop(place, None)
    if before is not None:
        os.close(before)
    _held[place] = opened
    # When it was used last: the least recently used is removed first.
    with suppress(OSError):
        os.utime(opened)
    return place / _FILES


def _lock(opened: int, kind: int) -> bool:
    """Whether nobody has a lock against it; on a file system without locks nobody can have."""
    try:
        fcntl.flock(opened, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return kind == fcntl.LOCK_SH
    return True


def _why_not_as_built(place: Path) -> str:
    """Why the copy that lies there is not what was built; empty where it is."""
    try:
        files = read_tree(place / _FILES, MAX_FILES, MAX_BUILT_BYTES)
        is_same = digest_of(files) == (place / _DIGEST).read_text("ascii")
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    except TreeError as error:
        return str(error)
    except ValueError:
        is_same = False
    return "" if is_same else "changed while it was kept"


def keep_copy(folder: Path, place: Path) -> Path:
    """Keep what `write_copy` made, in one step; returns the folder of its files, as `find_kept`.

    Raises `Trouble`.
    """
    problem = ""
    for _ in range(3):
        try:
            os.rename(folder, place)
            problem = ""
        except OSError as error:
            problem = error.strerror or ""
        # Another process may have kept its own copy of the same files meanwhile.
        kept = find_kept(place)
        if kept:
            _prune()
            return kept
        # There is no second copy to try again with.
        is_over = not problem
        problem = problem or _why_not_as_built(place) or "in use by another process"
        _put_away(place)
        if is_over:
            break
    raise Trouble(f"{place}: {problem}")


def drop_copy(place: Path) -> None:
    """Take away the copy that this process has kept, unless another uses it already."""
    held = _held.pop(place, None)
    if held is not None:
        os.close(held)
    _put_away_unused(place)


def _put_away(place: Path) -> None:
    """Take away whatever lies there, if it can be."""
    with scratch_folder(place.parent, NEW) as scratch, suppress(OSError):
        os.rename(place, scratch / "old")


def _prune() -> None:
    """Take away the copies that were not used for longest, where there are too many."""
    total = 0
    for number, (_, place) in enumerate(sorted(_copies(), reverse=True)):
        try:
            total += disk_usage(place)[0]
        except TreeError:
            total += MAX_KEPT_BYTES
        if number >= MAX_KEPT_COPIES or total > MAX_KEPT_BYTES:
            _put_away_unused(place)


def _copies() -> list[tuple[int, Path]]:
    """All copies, and when each was used last."""
    found = []
    for place in cache_folder().iterdir():
        if not place.name.startswith((NEW, UNGUARDED)):
            # Others prune, too.
            with suppress(FileNotFoundError):
                found.append((place.lstat().st_mtime_ns, place))
    return found


def _put_away_unused(place: Path) -> None:
    try:
        opened = os.open(place, _FOLDER)
    except OSError:
        return
    try:
        if _lock(opened, fcntl.LOCK_EX):
            _put_away(place)
    finally:
        os.close(opened)
