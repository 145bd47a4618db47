"""Which paths the files of a bot may have. Pure.

A bot is kept as a zip archive and written out on other machines: what only one kind of file
system can hold, or what leads out of the bot's folder, is no path of a bot's file.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain

from arena.bots.limits import MAX_DEPTH, MAX_ENTRIES, MAX_PATH_BYTES

_DRIVE = re.compile(r"[A-Za-z]:")


class BadName(ValueError):
    """A path that no file of a bot may have: the path and the reason."""


def check_path(path: str) -> None:
    """Refuse what is no plain path below the bot's folder. Raises `BadName`."""
    try:
        path.encode()
    except UnicodeEncodeError:
        raise BadName(f"{spelled(path)}: a file name that is not UTF-8") from None
    if not path.isprintable():
        raise BadName(f"{path!r}: a bot's file names must be plain text")
    if len(path.encode()) > MAX_PATH_BYTES:
        raise BadName(f"{path[:40]}…: a path of more than {MAX_PATH_BYTES} bytes")
    if "\\" in path:
        raise BadName(f"{path}: a backslash; folders are parted by /")
    if path.startswith("/") or _DRIVE.match(path):
        raise BadName(f"{path}: an absolute path; expected one below the bot's folder")
    if any(part in ("", ".", "..") for part in path.split("/")):
        raise BadName(f"{path!r}: no plain path below the bot's folder")


def spelled(name: str) -> str:
    """A name whose bytes may be no text: what is none of it as escapes, such as \\xff."""
    try:
        return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        return name.encode("utf-8", "backslashreplace").decode()


def is_ignored(path: str) -> bool:
    """Whether a path is nothing of the bot's: hidden, or left there by Python or macOS.

    A path that leads upwards is none that may be passed over.
    """
    return ".." not in re.split(r"[/\\]", path) and ignored_part(path) is not None


def ignored_part(path: str) -> str | None:
    """The first folder or file on a path that makes it nothing of the bot's; None where none."""
    at = ""
    for part in path.split("/"):
        at += part
        if at == "__MACOSX" or part == "__pycache__" or (part[:1] == "." and part != "."):
            return at
        at += "/"
    return None


def check_together(files: Sequence[str], folders: Sequence[str] = ()) -> None:
    """Refuse paths that can't stand beside each other on every machine. Raises `BadName`.

    Also too many of them, with the folders that they lead through, and too many of these in one
    another: whoever reads the files back from a folder counts them all.
    """
    _check_depth(files, folders)
    counts = Counter(files)
    above = set(folders).union(*map(_folders_of, (*files, *folders)))
    if len(above) + len(counts) > MAX_ENTRIES:
        raise BadName(f"more than {MAX_ENTRIES:,} files and folders")
    seen: dict[str, str] = {}
    for path in sorted(above.union(files)):
        other = seen.setdefault(unicodedata.normalize("NFC", path).casefold(), path)
        if other != path:
            raise BadName(f"{path}: differs from {other} only by case or accents")
        if counts[path] > 1:
            raise BadName(f"{path}: in it more than once")
        if counts[path] and path in above:
            raise BadName(f"{path}: both a file and a folder")


def _check_depth(files: Sequence[str], folders: Sequence[str]) -> None:
    for path, above in chain(((path, 0) for path in files), ((path, 1) for path in folders)):
        # The bot's own folder is the outermost.
        if 1 + above + path.count("/") > MAX_DEPTH:
            raise BadName(f"{path[:40]}…: more than {MAX_DEPTH} folders in one another")


def _folders_of(path: str) -> Iterator[str]:
    """Every folder that a path leads through."""
    return accumulate(path.split("/")[:-1], "{}/{}".format)
