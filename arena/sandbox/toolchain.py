"""Finding the program behind a command's name, and what of the machine it needs to see."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from arena.errors import BotCannotStart

_NEED_PROC = ("java", "javac", "rustc", "kotlinc", "dotnet")
"""Programs that find their own libraries by /proc/self/exe."""
_JAVAS = ("java", "javac", "kotlinc")
_NEVER_SHOWN = tuple(
    map(Path, ("/", "/etc", "/home", "/root", "/run", "/sys", "/tmp", "/var", "/opt", "/srv"))
)
"""Folders that hold more than a toolchain."""
_SHOWN = ("/usr", "/bin", "/sbin")
"""Folders of programs that every sandbox shows."""

_PYTHON = re.compile(r"python[0-9.]*")
_PYTHON_FOLDERS = ("/usr/bin", "/usr/local/bin")
"""Where a program named like Python is Python."""
_ANSWER_S = 60.0
"""How long a program may take to say where its files are, on a machine under load."""

_SHOWN_CHARS = 80
"""Of a name that is none of a program's."""


@dataclass(frozen=True)
class Toolchain:
    """A program, and what must be visible for it to run."""

    program: str
    """Its absolute path."""
    folders: tuple[str, ...] = ()
    """Folders outside /usr that it needs, at the same place."""
    needs_proc: bool = False


def is_own_file(name: str) -> bool:
    """Whether a command's name is that of a file in the bot's folder."""
    return "/" in name and not os.path.isabs(name)


def find_command(name: str, folder: Path) -> str:
    """The absolute path of the program that `name` starts in `folder`, without any sandbox.

    Raises `BotCannotStart` where there is none.
    """
    if is_own_file(name):
        return find_own_file(name, folder)
    return _on_this_machine(name) if os.path.isabs(name) else find_toolchain(name).program


def find_own_file(name: str, folder: Path) -> str:
    """The absolute path of a file of the bot's. Raises `BotCannotStart` where there is none.

    A path that leads out of the folder is not even looked at: whether there is something would tell
    of other bots' files, and of the organiser's.
    """
    if os.path.isabs(name) or ".." in Path(name).parts:
        raise BotCannotStart(
            f"{_shown(name)}: no such file in the bot's folder: it leads out of it"
        )
    path = folder / name
    # Not as Path asks: the name may be longer than any file's.
    if not os.path.isfile(path):
        raise BotCannotStart(f"{_shown(name)}: no such file in the bot's folder (was it built?)")
    return str(path)


def refuse_unseen(name: str) -> None:
    """Raises `BotCannotStart` for the path of a program that no sandbox shows.

    What a bot names must neither be shown to it for that, nor be asked here what it needs: it may
    be another bot's file. A program that its bare name finds is the organiser's choice.
    """
    if shutil.which(Path(name).name) == name:
        return
    is_shown = ".." not in Path(name).parts and any(map(Path(name).is_relative_to, _SHOWN))
    if not is_shown or not _is_usr(Path(os.path.realpath(_on_this_machine(name)))):
        raise BotCannotStart(
            f"{_shown(name)}: lies where no bot can see it: beside its own folder it has /usr alone"
        )


def _on_this_machine(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise BotCannotStart(f"{_shown(name)}: no such command on this machine")
    return found


@functools.cache
def find_toolchain(name: str) -> Toolchain:
    """The program behind a name on the search path, and what it needs to see.

    A version manager's shell script is resolved to the program itself: the script would cost each
    start 70 ms and more. A path is to be refused before where a bot may not name it
    (`refuse_unseen`). Raises `BotCannotStart` where there is none, or none that can be shown.
    """
    found = _on_this_machine(name)
    if _is_python(name):
        return _python(found)
    program = _behind_shim(Path(name).name, found)
    real = os.path.realpath(program)
    folders = _java_folders(real) if Path(real).name in _JAVAS else ()
    root = _root_of(name, Path(real))
    if root:
        folders = (*folders, root)
    return Toolchain(real, folders, Path(real).name in _NEED_PROC)


def _is_python(name: str) -> bool:
    """Whether it can be asked where its files are: that runs it with all rights of the arena.

    A path may be any program's that is in /usr, by whatever name.
    """
    path = Path(name)
    if not path.is_absolute():
        return name.startswith("python")
    is_known = str(path.parent) in _PYTHON_FOLDERS or shutil.which(path.name) == name
    return is_known and _PYTHON.fullmatch(path.name) is not None


def _shown(name: str) -> str:
    """A name that leaves room for what is wrong with it: of a fault only so much is kept."""
    return name if len(name) <= _SHOWN_CHARS else f"{name[:_SHOWN_CHARS]}…"


def _python(found: str) -> Toolchain:
    """The interpreter behind `found`, with its own and, in a virtual environment, its base's files.

    It is asked itself, since links and scripts may stand between a name and an interpreter.
    """
    code = "import os, sys; print(sys.executable, sys.prefix, sys.base_prefix, sep='\\n')"
    answer = _ask([found, "-c", code])
    lines = answer.stdout.splitlines()
    if answer.returncode or len(lines) != 3:
        raise BotCannotStart(f"{found}: does not start")
    program, *prefixes = lines
    for prefix in prefixes:
        _check_shown(program, Path(prefix))
    folders = tuple(dict.fromkeys(prefix for prefix in prefixes if not _is_usr(Path(prefix))))
    return Toolchain(program, folders)


def _behind_shim(name: str, found: str) -> str:
    """What a version manager's script or link would start."""
    if os.path.basename(os.path.realpath(found)) == "rustup":
        program = _answer_of(["rustup", "which", name])
        if program is None:
            # By itself it does what its name says, and that is a compiler's here.
            raise BotCannotStart(f"{name}: rustup has no such toolchain (try: rustup which {name})")
        return program
    if Path(found).parent.name == "shims":
        return _answer_of(["pyenv", "which", name]) or found
    return found


def _answer_of(command: list[str]) -> str | None:
    if shutil.which(command[0]) is None:
        return None
    answer = _ask(command)
    return answer.stdout.strip() or None if answer.returncode == 0 else None


def _ask(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command for its answer, out of reach of the terminal: of its input, and of Ctrl-C.

    Raises `BotCannotStart` where none comes.
    """
    try:
        return subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            start_new_session=True,
            timeout=_ANSWER_S,
        )
    except subprocess.TimeoutExpired:
        why = f"no answer within {_ANSWER_S:g} s"
    except OSError as error:
        why = error.strerror or str(error)
    raise BotCannotStart(f"{command[0]}: does not start: {why}")


def _java_folders(real: str) -> tuple[str, ...]:
    """Where Debian keeps Java's settings: links in its own folder lead there."""
    return tuple(str(path) for path in sorted(Path("/etc").glob("java-*-openjdk")) if path.is_dir())


def _root_of(name: str, real: Path) -> str | None:
    """The folder to show of a program outside /usr. Raises `BotCannotStart` if none can be."""
    if _is_usr(real):
        return None
    root = real.parent.parent if real.parent.name == "bin" else real.parent
    _check_shown(name, root)
    return str(root)


def _check_shown(name: str, root: Path) -> None:
    if root in _NEVER_SHOWN or str(root) == os.path.expanduser("~"):
        raise BotCannotStart(
            f"{name}: lies in {root}, which holds more than a bot may see; install it in a "
            "folder of its own, or system-wide"
        )


def _is_usr(path: Path) -> bool:
    return path.is_relative_to("/usr") or path == Path("/usr")
