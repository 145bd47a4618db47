"""Bots as files: find one by name or path, read it, hash it, build it, make it ready to start."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from arena.errors import BotCannotStart, Trouble, UsageError
from arena.play import Bot
from arena.sandbox import (
    BUILD_SECONDS,
    TreeError,
    can_hold_processes,
    find_command,
    read_tree,
    run_build,
    select_backend,
)
from arena.text import NotText, utf8
from protocol.codec import FileError, decode_file
from protocol.manifest import Manifest

_MAX_FILES = 2_000
_MAX_BYTES = 64 * 1024 * 1024
_MAX_BUILT_BYTES = 256 * 1024 * 1024

_SINGLE_FILES: dict[str, tuple[list[str] | None, list[str]]] = {
    ".py": (None, ["python3", "{file}"]),
    ".js": (None, ["node", "{file}"]),
    ".mjs": (None, ["node", "{file}"]),
    ".pl": (None, ["perl", "{file}"]),
    ".rb": (None, ["ruby", "{file}"]),
    ".lua": (None, ["lua", "{file}"]),
    ".php": (None, ["php", "{file}"]),
    ".tcl": (None, ["tclsh", "{file}"]),
    ".sh": (None, ["bash", "{file}"]),
    ".c": (["cc", "-O2", "-o", "bot", "{file}", "-lm"], ["./bot"]),
    ".cpp": (["c++", "-O2", "-std=c++17", "-o", "bot", "{file}"], ["./bot"]),
    ".rs": (["rustc", "-O", "-o", "bot", "{file}"], ["./bot"]),
    ".go": (["go", "build", "-o", "bot", "{file}"], ["./bot"]),
    ".java": (["javac", "-d", ".", "{file}"], ["java", "-cp", ".", "{stem}"]),
}
"""How a bot of one file is built and started, by its ending."""


class CannotFind(UsageError):
    """A name that is neither a bot's nor a path of one."""


class CannotBuild(UsageError):
    """A bot whose build command fails, or whose toolchain is not on this machine."""


@dataclass(frozen=True)
class BotFiles:
    """A bot as it was handed in."""

    manifest: Manifest
    files: dict[str, tuple[bool, bytes]]
    """By path relative to its folder: whether it is executable, and what it holds."""
    is_shipped: bool = False
    """Whether it came with the arena, and can be trusted like it."""

    @property
    def hash(self) -> str:
        """SHA-256 over paths, modes and contents, in hex: the same files have the same hash."""
        digest = hashlib.sha256()
        for path, (executable, data) in sorted(self.files.items()):
            digest.update(f"{path}\0{int(executable)}\0{len(data)}\0".encode())
            digest.update(data)
        return digest.hexdigest()

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
    def from_zip(cls, archive: bytes) -> BotFiles:
        """The bot that `to_zip` packed."""
        with zipfile.ZipFile(io.BytesIO(archive)) as content:
            files = {
                entry.filename: (bool(entry.external_attr >> 16 & 0o100), content.read(entry))
                for entry in content.infolist()
            }
        return cls(_read_manifest(files["bot.toml"][1], "bot.toml"), files)


def shipped_bots() -> Path:
    """The folder of the bots that come with the arena."""
    installed = Path(__file__).parent / "_shipped" / "bots"
    return installed if installed.is_dir() else Path(__file__).parent.parent / "bots"


def shipped_names() -> list[str]:
    """The names of the bots that come with the arena."""
    return sorted(folder.parent.name for folder in shipped_bots().glob("*/bot.toml"))


def find_bot(name: str, beside: Path = Path()) -> BotFiles:
    """The bot called `name`, or the one whose folder or file has that path.

    Paths are taken from the folder `beside`. Raises `UsageError` with what was looked for.
    """
    path = beside / name
    try:
        if "/" not in name and not path.suffix:
            shipped = shipped_bots() / name
            if (shipped / "bot.toml").is_file():
                return replace(_read_folder(shipped), is_shipped=True)
        if path.is_dir():
            return _read_folder(path)
        if path.is_file():
            return _read_single_file(path)
    except OSError as error:
        raise CannotFind(f"{error.filename or path}: {error.strerror}") from None
    raise CannotFind(
        f"bot {name!r}: neither a bot that comes with the arena ({', '.join(shipped_names())}) "
        f"nor a folder or file"
    )


def _read_folder(folder: Path) -> BotFiles:
    manifest_path = folder / "bot.toml"
    if not manifest_path.is_file():
        raise UsageError(f"{folder}: no bot.toml in this folder; a bot's folder needs one")
    try:
        files = read_tree(folder, _MAX_FILES, _MAX_BYTES)
    except TreeError as error:
        raise UsageError(f"{folder}: {error}") from None
    for name in files:
        if not name.isprintable():
            raise UsageError(f"{folder}: {name!r}: a bot's file names must be plain text")
    return BotFiles(_read_manifest(files["bot.toml"][1], str(manifest_path)), files)


def _read_manifest(data: bytes, where: str) -> Manifest:
    try:
        return decode_file(utf8(data), Manifest)
    except (FileError, NotText) as error:
        raise UsageError(f"{where}: {error}") from None


def _read_single_file(path: Path) -> BotFiles:
    """A bot that is one file of a known language: a manifest is made up for it."""
    if path.suffix not in _SINGLE_FILES:
        known = " ".join(_SINGLE_FILES)
        raise UsageError(f"{path}: a single file needs one of these endings: {known}")
    build, run = _SINGLE_FILES[path.suffix]
    name = path.stem.lower().replace("_", "-")

    def filled(command: list[str]) -> list[str]:
        return [word.format(file=path.name, stem=path.stem) for word in command]

    fields = {"name": name, "run": filled(run), "build": filled(build) if build else None}
    try:
        manifest = msgspec.convert(fields, Manifest)
    except msgspec.ValidationError:
        raise UsageError(
            f"{path}: its name must begin with a letter or digit and have only letters, digits, "
            "hyphens and underscores, 39 at most"
        ) from None
    files = {
        "bot.toml": (False, _toml_of(manifest)),
        path.name: (os.access(path, os.X_OK), path.read_bytes()),
    }
    return BotFiles(manifest, files)


def _toml_of(manifest: Manifest) -> bytes:
    """The few keys of a made-up manifest; JSON's strings and arrays of strings are TOML's too."""
    lines = [f'name = "{manifest.name}"']
    if manifest.build:
        lines.append(f"build = {msgspec.json.encode(manifest.build).decode()}")
    lines.append(f"run = {msgspec.json.encode(manifest.run).decode()}")
    return ("\n".join(lines) + "\n").encode()


def cache_folder() -> Path:
    """Where copies of bots lie, each under its hash, built and ready to start."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "kseri-arena" / "bots"


def prepare(bot: BotFiles, isolation: str) -> Bot:
    """A copy of the bot, built in its sandbox; it stays as it is whatever the original becomes.

    Raises `CannotBuild` with the last lines of the build's output, `Trouble` where there is no
    room for the copy.
    """
    manifest = bot.manifest
    if manifest.processes > 1 and not can_hold_processes():
        raise UsageError(
            f"bot {manifest.name}: wants {manifest.processes} processes; this machine lets the "
            "arena make no control groups, and can hold bots of one process only"
        )
    folder = cache_folder() / bot.hash
    if not folder.is_dir():
        try:
            _make_copy(bot, folder, isolation)
        except OSError as error:
            raise Trouble(f"{folder}: {error.strerror}") from error
    return Bot(
        name=manifest.name,
        version=manifest.version,
        hash=bot.hash,
        folder=str(folder),
        run=tuple(manifest.run),
        reuse=manifest.reuse,
        processes=manifest.processes,
    )


def _make_copy(bot: BotFiles, folder: Path, isolation: str) -> None:
    """Build and copy beside `folder`, then move there in one step."""
    # Whoever hands in a bot need not show it to the other users of the machine.
    folder.parent.mkdir(0o700, parents=True, exist_ok=True)
    files = _built(bot, isolation) if bot.manifest.build else bot.files
    work = Path(tempfile.mkdtemp(prefix="new-", dir=folder.parent))
    try:
        _write_files(files, work)
        if not folder.is_dir():
            work.rename(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _write_files(files: Mapping[str, tuple[bool, bytes]], folder: Path) -> None:
    folder.chmod(0o755)
    for name, (executable, data) in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(0o755 if executable else 0o644)


def _built(bot: BotFiles, isolation: str) -> dict[str, tuple[bool, bytes]]:
    """The bot's files with what its build command made of them.

    Built where every user may enter: as root it is somebody else who builds.
    """
    work = Path(tempfile.mkdtemp(prefix="kseri-build-"))
    try:
        _write_files(bot.files, work)
        _build(bot.manifest, work, isolation)
        made = read_tree(work, _MAX_FILES, _MAX_BUILT_BYTES)
        return {name: (mode or _is_program(data), data) for name, (mode, data) in made.items()}
    except TreeError as error:
        raise CannotBuild(f"bot {bot.manifest.name}: its build left {error}") from None
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _is_program(data: bytes) -> bool:
    """Whether a file wants to be executable; one sandbox lets no build change modes."""
    return data.startswith((b"\x7fELF", b"#!"))


def _build(manifest: Manifest, folder: Path, isolation: str) -> None:
    command = list(manifest.build or [])
    try:
        result = run_build(select_backend(isolation), command, folder)
    except BotCannotStart as error:
        raise CannotBuild(f"bot {manifest.name}: cannot be built: {error}") from None
    if result.returncode is None:
        raise CannotBuild(f"bot {manifest.name}: its build took more than {BUILD_SECONDS} s")
    if result.returncode:
        raise CannotBuild(
            f"bot {manifest.name}: {' '.join(command)} failed with exit status "
            f"{result.returncode}: {result.output.strip()[-2_000:]}"
        )


def toolchain_missing(bot: BotFiles) -> str | None:
    """What this machine lacks to build or run the bot; None where it has all."""
    manifest = bot.manifest
    for command in (manifest.build, manifest.run):
        if command and "/" not in command[0]:
            try:
                find_command(command[0], Path())
            except BotCannotStart as error:
                return str(error)
    return None
