"""Makes bots ready to start: builds them in their sandbox and keeps the copies by their hash."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from arena.bots.archive import File, is_program
from arena.bots.files import BotFiles
from arena.bots.limits import MAX_BUILT_BYTES, MAX_FILES
from arena.bots.names import BadName, check_path, is_ignored
from arena.errors import BotCannotStart, Trouble, UsageError
from arena.play import Bot
from arena.sandbox import (
    TreeError,
    can_hold_processes,
    find_command,
    read_tree,
    run_build,
    scratch_folder,
    select_backend,
    unused_name,
)
from arena.text import visible
from protocol.manifest import Manifest

_OUTPUT_CHARS = 2_000
"""How much is kept of what a build printed."""
_FETCHERS = re.compile(r"npm|npx|yarn|pip3?|cargo|gem|bundle|composer|mvn|gradle|curl|wget|git")
"""Programs that load what they need from elsewhere."""
_NETWORK = re.compile(
    r"resolv|ENOTFOUND|EAI_AGAIN|getaddrinfo|[Nn]etwork|ECONNREFUSED|dial tcp|socket|"
    r"name resolution|[Cc]ould not connect|[Ff]ailed to download"
)


class CannotBuild(UsageError):
    """A bot whose build command fails, or whose toolchain is not on this machine."""

    def __init__(self, text: str, output: str = "") -> None:
        """`output`: the end of what the build printed, safe for a terminal."""
        super().__init__(text)
        self.output = output


def cache_folder() -> Path:
    """Where copies of bots lie, each under its hash, built and ready to start."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "kseri-arena" / "bots"


@dataclass(frozen=True)
class Copy:
    """A built copy of a bot."""

    bot: Bot
    """Ready to start from where the copy is."""
    is_kept: bool
    """Whether the copy is one from before, that stays."""

    def keep(self) -> Bot:
        """Keep the copy for later games, in one step. Raises `Trouble`."""
        kept = cache_folder() / self.bot.hash
        if not self.is_kept:
            try:
                os.rename(self.bot.folder, kept)
            except OSError as error:
                # Another process may have kept its own copy of the same files meanwhile.
                if not kept.is_dir():
                    raise Trouble(f"{kept}: {error.strerror}") from error
        return msgspec.structs.replace(self.bot, folder=str(kept))


def prepare(bot: BotFiles, isolation: str) -> Bot:
    """A copy of the bot, built in its sandbox; it stays as it is whatever the original becomes.

    Raises like `built_copy`.
    """
    with built_copy(bot, isolation) as copy:
        return copy.keep()


@contextmanager
def built_copy(bot: BotFiles, isolation: str) -> Iterator[Copy]:
    """A copy of the bot, built in its sandbox; gone at the end of the block unless it is kept.

    Raises `CannotBuild` with the end of the build's output, `UsageError` for a bot that this
    machine can't hold, `Trouble` where there is no room for the copy.
    """
    _refuse_processes(bot.manifest, isolation)
    kept = cache_folder() / bot.hash
    if kept.is_dir():
        yield Copy(_ready(bot, kept), is_kept=True)
        return
    with _troubles():
        # Whoever hands in a bot need not show it to the other users of the machine.
        kept.parent.mkdir(0o700, parents=True, exist_ok=True)
    with scratch_folder(kept.parent, "new-") as folder:
        with _troubles():
            folder.chmod(0o755)
            _write_files(_built(bot, isolation) if bot.manifest.build else bot.files, folder)
        yield Copy(_ready(bot, folder), is_kept=False)


def _refuse_processes(manifest: Manifest, isolation: str) -> None:
    if manifest.processes > 1 and not can_hold_processes(isolation):
        raise UsageError(
            f"bot {manifest.name}: wants {manifest.processes} processes; that takes control "
            f"groups that the arena may make, and bubblewrap (here: {isolation}); this machine "
            "can hold bots of one process only"
        )


def _ready(bot: BotFiles, folder: Path) -> Bot:
    manifest = bot.manifest
    return Bot(
        name=manifest.name,
        version=manifest.version,
        hash=bot.hash,
        folder=str(folder),
        run=tuple(manifest.run),
        reuse=manifest.reuse,
        processes=manifest.processes,
    )


@contextmanager
def _troubles() -> Iterator[None]:
    """Turns what the system refuses into the machine's trouble."""
    try:
        yield
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise Trouble(f"a bot's copy: {where}{error.strerror}") from error


def _write_files(files: Mapping[str, File], folder: Path) -> None:
    for name, (executable, data) in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(0o755 if executable else 0o644)


def _built(bot: BotFiles, isolation: str) -> dict[str, File]:
    """The bot's files with what its build command made of them.

    Built where every user may enter who knows the name: as root it is somebody else who builds,
    and who is given the folder within.
    """
    with scratch_folder(Path(tempfile.gettempdir()), "kseri-build-") as scratch:
        scratch.chmod(0o711)
        work = scratch / unused_name("bot-")
        work.mkdir(0o700)
        _write_files(bot.files, work)
        _build(bot.manifest, work, isolation)
        try:
            made = read_tree(work, MAX_FILES, MAX_BUILT_BYTES, is_ignored)
            for name in made:
                check_path(name)
        except (TreeError, BadName) as error:
            raise CannotBuild(f"bot {bot.manifest.name}: its build left {error}") from None
        return {name: (mode or is_program(data), data) for name, (mode, data) in made.items()}


def _build(manifest: Manifest, folder: Path, isolation: str) -> None:
    command = list(manifest.build or [])
    try:
        result = run_build(select_backend(isolation), command, folder)
    except BotCannotStart as error:
        raise CannotBuild(f"bot {manifest.name}: cannot be built: {error}") from None
    output = visible(result.output).strip()[-_OUTPUT_CHARS:]
    if result.problem:
        raise CannotBuild(f"bot {manifest.name}: its build {result.problem}", output)
    if result.returncode:
        raise CannotBuild(
            f"bot {manifest.name}: {' '.join(command)} failed with exit status "
            f"{result.returncode}{_without_network(command, output)}",
            output,
        )


def _without_network(command: Sequence[str], output: str) -> str:
    """What is said where the lack of a network may be why a build failed."""
    wants_it = any(_FETCHERS.fullmatch(Path(word).name) for word in command)
    if output and not wants_it and not _NETWORK.search(output):
        return ""
    return " (a build has no network: put all that it needs into the bot's folder)"


def toolchain_missing(bot: BotFiles) -> str | None:
    """What this machine lacks to build or run the bot; None where it has all."""
    manifest = bot.manifest
    commands = [command[0] for command in (manifest.build, manifest.run) if command]
    return command_missing([name for name in commands if "/" not in name])


def command_missing(names: Iterable[str]) -> str | None:
    """Why the first of these programs that can't be had can't; None where all are here."""
    for name in names:
        try:
            find_command(name, Path())
        except BotCannotStart as error:
            return str(error)
    return None
