"""A bot as files: its manifest, its hash, and how it is read from a folder, a file or a zip."""

from __future__ import annotations

import codecs
import functools
import hashlib
import io
import os
import stat
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath

from arena.bots.archive import ArchiveError, File, read_archive
from arena.bots.limits import (
    MAX_ARCHIVE_BYTES,
    MAX_BYTES,
    MAX_FILES,
    MAX_MANIFEST_BYTES,
    MAX_RATIO,
    mib,
)
from arena.bots.names import BadName, check_path, check_together, ignored_part, is_ignored
from arena.bots.single import SINGLE_FILES, made_up_manifest
from arena.errors import UsageError
from arena.sandbox import TreeError, read_tree
from arena.text import NotText, utf8
from protocol.codec import FileError, decode_file
from protocol.manifest import Manifest

MANIFEST = "bot.toml"


@dataclass(frozen=True)
class BotFiles:
    """A bot as it was handed in."""

    manifest: Manifest
    files: Mapping[str, File]
    """By path relative to its folder: whether it is executable, and what it holds."""
    is_shipped: bool = False
    """Whether it came with the arena, and can be trusted like it."""
    left_out: tuple[str, ...] = ()
    """Hidden files and folders, and what Python or macOS left there: nothing of the bot's."""
    single: str = ""
    """The one file that was handed in, where its bot.toml is made up."""

    @functools.cached_property
    def hash(self) -> str:
        """SHA-256 over paths, modes and contents, in hex: the same files have the same hash."""
        return digest_of(self.files)

    @property
    def size(self) -> int:
        """All its files together, in bytes."""
        return sum(len(data) for _, data in self.files.values())

    def to_zip(self) -> bytes:
        """All files as a zip archive, the same bytes for the same files."""
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for path, (executable, data) in sorted(self.files.items()):
                entry = zipfile.ZipInfo(path)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = (0o100755 if executable else 0o100644) << 16
                archive.writestr(entry, data)
        return buffer.getvalue()

    @classmethod
    def from_zip(cls, archive: bytes, what: str = "a bot") -> BotFiles:
        """The bot that `to_zip` packed; read like a stranger's, for the database may be one's.

        `what`: names it in messages. Raises `UsageError`.
        """
        return _of_archive(archive, what, max_ratio=float("inf"))


@dataclass(frozen=True)
class Unreadable(BotFiles):
    """A bot of the database whose files can't be read any more; it has none here."""

    digest: str = ""
    why: str = ""
    """What is wrong with them, and whose they are."""

    @functools.cached_property
    def hash(self) -> str:
        """As it is known by in the database."""
        return self.digest


def digest_of(files: Mapping[str, File]) -> str:
    """SHA-256 over the paths, modes and contents of files, in hex."""
    digest = hashlib.sha256()
    for path, (executable, data) in sorted(files.items()):
        digest.update(f"{path}\0{int(executable)}\0{len(data)}\0".encode())
        digest.update(data)
    return digest.hexdigest()


def read_bot(path: Path, version: str | None = None) -> BotFiles:
    """The bot that is a folder, a zip archive or a single file of a known language.

    `version`: of a single file, which has no bot.toml that could say it. Raises `UsageError` with
    what is wrong and where, and `OSError`.
    """
    kind = stat.S_IFMT(path.stat().st_mode)
    is_zip = path.suffix.lower() == ".zip"
    if kind not in (stat.S_IFDIR, stat.S_IFREG):
        raise UsageError(f"{path}: neither file nor folder")
    if kind == stat.S_IFREG and not is_zip:
        return _read_single_file(path, version)
    if version is not None:
        raise UsageError(f"--version is for a single file; {path} has a bot.toml: set it there")
    if kind == stat.S_IFDIR:
        return _read_folder(path)
    return _of_archive(_read(path, MAX_ARCHIVE_BYTES), str(path))


def read_upload(file: str, data: bytes, version: str | None = None) -> BotFiles:
    """The bot that somebody has sent as a file of that name: a zip archive or a single file.

    Nothing of it is written anywhere. Raises `UsageError` like `read_bot`.
    """
    if not file.lower().endswith(".zip"):
        return _of_single_file(file, file, False, data, version)
    if version is not None:
        raise UsageError(f"{file}: a zip has a bot.toml: set the version there")
    return _of_archive(data, file)


def _read_folder(folder: Path) -> BotFiles:
    missing = UsageError(f"{folder}: no bot.toml in this folder; a bot's folder needs one")
    if not (folder / MANIFEST).is_file():
        raise missing
    left_out: list[str] = []

    def is_left_out(path: str) -> bool:
        if is_ignored(path):
            left_out.append(path)
        return is_ignored(path)

    try:
        files = read_tree(folder.resolve(), MAX_FILES, MAX_BYTES, is_left_out)
        for name in files:
            check_path(name)
        check_together(list(files))
    except (BadName, TreeError) as error:
        raise UsageError(f"{folder}: {error}") from None
    if MANIFEST not in files:
        # Taken away while the folder was read.
        raise missing
    manifest = _read_manifest(files[MANIFEST][1], str(folder / MANIFEST))
    return BotFiles(manifest, files, left_out=tuple(left_out))


def _of_archive(archive: bytes, where: str, max_ratio: float = MAX_RATIO) -> BotFiles:
    left_out: dict[str, None] = {}
    try:
        files = read_archive(
            archive, max_ratio, lambda path: left_out.setdefault(ignored_part(path) or path)
        )
    except ArchiveError as error:
        raise UsageError(f"{where}: {error}") from None
    if MANIFEST not in files:
        raise UsageError(f"{where}: no bot.toml in it, or in the one folder in it")
    manifest = _read_manifest(files[MANIFEST][1], f"{where}: {MANIFEST}")
    return BotFiles(manifest, files, left_out=tuple(left_out))


def _read_manifest(data: bytes, where: str) -> Manifest:
    if len(data) > MAX_MANIFEST_BYTES:
        raise UsageError(f"{where}: {len(data):,} bytes; at most {MAX_MANIFEST_BYTES:,}")
    if data.startswith(codecs.BOM_UTF8):
        raise UsageError(f"{where}: begins with a byte-order mark; save it as UTF-8 without one")
    try:
        return decode_file(utf8(data), Manifest)
    except (FileError, NotText) as error:
        raise UsageError(f"{where}: {error}") from None


def _read_single_file(path: Path, version: str | None) -> BotFiles:
    # First: an endless file of a wrong kind need not be read.
    _check_ending(path.name, str(path))
    data = _read(path, MAX_BYTES)
    return _of_single_file(path.name, str(path), os.access(path, os.X_OK), data, version)


def _check_ending(name: str, where: str) -> None:
    if name in SINGLE_FILES:
        raise UsageError(f"{where}: an ending alone; a bot's name is what stands before it")
    if PurePath(name).suffix not in SINGLE_FILES:
        known = " ".join(SINGLE_FILES)
        raise UsageError(f"{where}: a single file needs one of these endings: {known} (or .zip)")


def _of_single_file(
    name: str, where: str, is_executable: bool, data: bytes, version: str | None
) -> BotFiles:
    _check_ending(name, where)
    try:
        check_path(name)
        manifest, text = made_up_manifest(name, version)
    except ValueError as error:
        raise UsageError(f"{where}: {error}") from None
    if len(text) + len(data) > MAX_BYTES:
        raise UsageError(f"{where}: larger than {mib(MAX_BYTES)}, with its bot.toml")
    files = {MANIFEST: (False, text), name: (is_executable, data)}
    return BotFiles(manifest, files, single=name)


def _read(path: Path, most: int) -> bytes:
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise UsageError(f"{path}: larger than {mib(most)}")
    return data
