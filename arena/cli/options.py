"""Options that several commands share, and how their values are read."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec

from arena.errors import UsageError
from arena.schedule import MASTER_BYTES, master_of_seed

Command = TypeVar("Command", bound=Callable[..., Any])

db_option = click.option(
    "--db",
    "database",
    type=click.Path(path_type=Path),
    default=Path("kseri.db"),
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
    text = (
        sys.stdin.read() if master_file == "-" else Path(master_file).read_text("ascii", "replace")
    )
    try:
        master = bytes.fromhex(text.strip())
    except ValueError:
        master = b""
    if len(master) != MASTER_BYTES:
        raise UsageError(f"--master-file {master_file}: expected 64 hex digits")
    return master


def read_overrides(settings: tuple[str, ...]) -> dict[str, Any]:
    """`--set field=value` as fields of a rule set; values are JSON, or text as it stands."""
    overrides: dict[str, Any] = {}
    for setting in settings:
        field, equals, value = setting.partition("=")
        if not equals:
            raise UsageError(f"--set {setting}: expected field=value, such as target=51")
        table, dot, key = field.partition(".")
        if dot:
            overrides.setdefault(table, {})[key] = _value(value)
        else:
            overrides[field] = _value(value)
    return overrides


def _value(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
