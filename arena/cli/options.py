"""Options that several commands share, and how their values are read."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import IO, Any, TypeVar

import click
import msgspec

from arena.errors import Trouble, UsageError
from arena.schedule import MASTER_BYTES, master_of_seed

_MASTER_FILE_BYTES = 1024

Command = TypeVar("Command", bound=Callable[..., Any])

DATABASE = Path("kseri.db")

db_option = click.option(
    "--db",
    "database",
    type=click.Path(path_type=Path),
    default=DATABASE,
    show_default=True,
    help="The database file.",
)
isolation_option = click.option(
    "--isolation",
    type=click.Choice(["auto", "bubblewrap", "landlock", "none"]),
    default="auto",
    show_default=True,
    help="What keeps bots apart from the machine.",
)


def secret_options(command: Command) -> Command:
    """`--seed` and `--master-file`."""
    seed = click.option(
        "--seed", type=click.IntRange(min=0), help="Repeatable practice games from this number."
    )
    master = click.option(
        "--master-file",
        metavar="FILE|-",
        help="Repeatable practice games from a secret of 64 hex digits in a file.",
    )
    return seed(master(command))


def read_master(seed: int | None, master_file: str | None) -> bytes | None:
    """The master secret that the user gave, or None. Raises `UsageError`."""
    if seed is not None and master_file is not None:
        raise UsageError("--seed and --master-file: give one of them")
    if seed is not None:
        return master_of_seed(seed)
    if master_file is None:
        return None
    text = _beginning(master_file).strip()
    if not re.fullmatch(rb"[0-9a-fA-F]{%d}" % (2 * MASTER_BYTES), text):
        raise UsageError(f"--master-file {master_file}: expected {2 * MASTER_BYTES} hex digits")
    return bytes.fromhex(text.decode("ascii"))


def _beginning(file: str) -> bytes:
    """The first bytes of a file or of standard input; enough to see that it is no secret."""
    try:
        if file == "-":
            if sys.stdin is None:
                raise UsageError("--master-file -: standard input is closed")
            return sys.stdin.buffer.read(_MASTER_FILE_BYTES)
        with Path(file).open("rb") as opened:
            return opened.read(_MASTER_FILE_BYTES)
    except OSError as error:
        raise UsageError(f"--master-file {file}: {error.strerror}") from None


MOST_FILE_BYTES = 1024 * 1024
"""The most that a file written by hand may have."""


def read_small_file(path: Path) -> bytes:
    """A file that somebody wrote by hand. Raises `UsageError` for one that is too large."""
    with path.open("rb") as file:
        data = file.read(MOST_FILE_BYTES + 1)
    if len(data) > MOST_FILE_BYTES:
        raise UsageError(f"{path}: larger than {MOST_FILE_BYTES} bytes")
    return data


def lines_of(file: IO[bytes], name: str, most_bytes: int) -> Iterator[bytes]:
    """The lines of a file.

    Raises `UsageError` for one that is longer than `most_bytes`, `Trouble` where the machine
    does not let it be read.
    """
    for number in count(1):
        try:
            line = file.readline(most_bytes + 1)
        except OSError as error:
            # It does not know the name of its file any more.
            raise Trouble(f"{name}, line {number}: {error.strerror}") from None
        if not line:
            return
        if len(line) > most_bytes:
            raise UsageError(f"{name}, line {number}: longer than {most_bytes} bytes")
        yield line


def read_overrides(settings: tuple[str, ...]) -> dict[str, Any]:
    """`--set field=value` as fields of a rule set; values are JSON, or text as it stands."""
    overrides: dict[str, Any] = {}
    for setting in settings:
        field, equals, value = setting.partition("=")
        if not equals:
            raise UsageError(f"--set {setting}: expected field=value, such as target=51")
        name, dot, key = field.partition(".")
        if not dot:
            overrides[name] = _value(value)
            continue
        table = overrides.setdefault(name, {})
        if not isinstance(table, dict):
            raise UsageError(f"--set {setting}: {name} is set as a whole already")
        table[key] = _value(value)
    return overrides


def _value(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
