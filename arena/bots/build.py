"""Makes bots ready to start: builds them in their sandbox and keeps the copies by their hash."""

from __future__ import annotations

import atexit
import functools
import os
import re
import signal
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import msgspec

from arena.bots.archive import File, is_program
from arena.bots.files import BotFiles, Unreadable
from arena.bots.kept import (
    NEW,
    UNGUARDED,
    copy_files,
    drop_copy,
    find_kept,
    keep_copy,
    make_cache_folder,
    place_of,
    places_of,
    write_copy,
    write_files,
)
from arena.bots.limits import MAX_BUILT_BYTES, MAX_FILES, mib
from arena.bots.names import BadName, check_path, is_ignored
from arena.errors import BotCannotStart, Trouble, UsageError
from arena.play import Bot
from arena.sandbox import (
    BUILD_FILE_BYTES,
    TreeError,
    can_hold_processes,
    find_command,
    is_own_file,
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


@dataclass(frozen=True)
class Copy:
    """A built copy of a bot."""

    bot: Bot
    """Ready to start from where the copy is, as long as the block lasts."""
    is_kept: bool
    """Whether what it is copied from is kept already."""
    clean: Path
    """The copy that no program has been run from."""
    place: Path
    """Where that one belongs."""

    def keep(self) -> Path:
        """Keep the copy for later games, in one step; where its files are. Raises `Trouble`."""
        return self.clean if self.is_kept else keep_copy(self.clean.parent, self.place)

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Keep the copy as by `keep`, but only where what is done in the block succeeds."""
        self.keep()
        try:
            yield
        except BaseException:
            if not self.is_kept:
                drop_copy(self.place)
            raise


def prepare(bot: BotFiles, isolation: str) -> Bot:
    """A copy of the bot, built in its sandbox; it stays as it is whatever the original becomes.

    Without isolation the bot could change what it is started from: it gets a copy of its own, that
    vanishes with this process. Raises like `built_copy`.
    """
    if isinstance(bot, Unreadable):
        raise UsageError(bot.why)
    _refuse_processes(bot.manifest, isolation)
    place = place_of(bot, isolation)
    files = find_kept(place)
    if files is None:
        with built_copy(bot, isolation) as copy:
            files = copy.keep()
    return _ready(bot, _for_this_process(files) if isolation == "none" else files)


def prepare_known(bot: Bot, isolation: str) -> Bot | None:
    """A bot that was made ready elsewhere, from the copy that is kept here; None where none is.

    Raises `UsageError` for a bot that this machine can't hold, `Trouble`.
    """
    _refuse_processes(bot, isolation)
    for place in places_of(bot.hash, isolation):
        files = find_kept(place)
        if files:
            folder = _for_this_process(files) if isolation == "none" else files
            return msgspec.structs.replace(bot, folder=str(folder))
    return None


def _for_this_process(files: Path) -> Path:
    folder = _own_folder(files.parents[1], os.getpid()) / files.parent.name
    with _troubles(folder):
        return folder if folder.is_dir() else copy_files(files, folder)


@functools.cache
def _own_folder(cache: Path, pid: int) -> Path:
    """The folder of this process for copies that are run without isolation."""
    ends = ExitStack()
    atexit.register(ends.close)
    return ends.enter_context(scratch_folder(cache, UNGUARDED))


@contextmanager
def built_copy(bot: BotFiles, isolation: str) -> Iterator[Copy]:
    """A copy of the bot, built in its sandbox; gone at the end of the block unless it is kept.

    Raises `CannotBuild` with the end of the build's output, `UsageError` for a bot that this
    machine can't hold, `Trouble` where there is no room for the copy.
    """
    _refuse_processes(bot.manifest, isolation)
    place = place_of(bot, isolation)
    with _troubles(place.parent):
        cache = make_cache_folder()
    with scratch_folder(cache, NEW) as scratch:
        kept = find_kept(place)
        with _troubles(place.parent):
            clean = kept or _made(bot, isolation, scratch / "copy")
            runs = copy_files(clean, scratch / "run") if isolation == "none" else clean
        yield Copy(_ready(bot, runs), kept is not None, clean, place)


def _made(bot: BotFiles, isolation: str, folder: Path) -> Path:
    return write_copy(_built(bot, isolation) if bot.manifest.build else bot.files, folder)


def _refuse_processes(bot: Manifest | Bot, isolation: str) -> None:
    if bot.processes > 1 and not can_hold_processes(isolation):
        raise UsageError(
            f"bot {bot.name}: wants {bot.processes} processes; that takes control "
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
        batch=manifest.batch,
        processes=manifest.processes,
    )


@contextmanager
def _troubles(folder: Path) -> Iterator[None]:
    """Turns what the system refuses into the machine's trouble, which is in or with `folder`."""
    try:
        yield
    except OSError as error:
        where = error.filename or folder
        raise Trouble(f"a bot's copy: {where}: {error.strerror or error}") from error


def _built(bot: BotFiles, isolation: str) -> dict[str, File]:
    """The bot's files with what its build command made of them.

    Built where every user may enter who knows the name: as root it is somebody else who builds,
    and who is given the folder within.
    """
    with scratch_folder(Path(tempfile.gettempdir()), "kseri-build-") as scratch:
        scratch.chmod(0o711)
        work = scratch / unused_name("bot-")
        work.mkdir(0o700)
        write_files(bot.files, work)
        _build(bot.manifest, work, isolation)
        try:
            made = read_tree(work, MAX_FILES, MAX_BUILT_BYTES, is_ignored)
            for name in made:
                check_path(name)
        except (TreeError, BadName) as error:
            raise CannotBuild(f"bot {bot.manifest.name}: its build left {error}") from None
        except OSError as error:
            raise CannotBuild(
                f"bot {bot.manifest.name}: its build left no folder to read: {error.strerror}"
            ) from None
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
            f"bot {manifest.name}: {' '.join(command)} {_ending(result.returncode, isolation)}"
            f"{_without_network(command, output) if result.returncode > 0 else ''}",
            output,
        )


def _ending(returncode: int, isolation: str) -> str:
    if returncode > 0:
        return f"failed with exit status {returncode}"
    number = -returncode
    names = {each.value: f" ({each.name})" for each in signal.Signals}
    is_limited = number == signal.SIGXFSZ and isolation != "none"
    limit = f"; a file may have {mib(BUILD_FILE_BYTES)} at most" if is_limited else ""
    return f"was ended by signal {number}{names.get(number, '')}{limit}"


def _without_network(command: Sequence[str], output: str) -> str:
    """What is said where the lack of a network may be why a build failed."""
    words = chain(*(word.split() for word in command))
    wants_it = any(_FETCHERS.fullmatch(Path(word).name) for word in words)
    if not wants_it and not _NETWORK.search(output):
        return ""
    return " (a build has no network: put all that it needs into the bot's folder)"


def toolchain_missing(bot: BotFiles) -> str | None:
    """What this machine lacks to build or run the bot; None where it has all."""
    manifest = bot.manifest
    commands = [command[0] for command in (manifest.build, manifest.run) if command]
    return command_missing([name for name in commands if not is_own_file(name)])


def command_missing(names: Iterable[str]) -> str | None:
    """Why the first of these programs that can't be had can't; None where all are here."""
    for name in names:
        try:
            find_command(name, Path())
        except BotCannotStart as error:
            return str(error)
    return None
