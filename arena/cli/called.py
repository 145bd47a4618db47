"""The command line as this program was called, for commands that are printed to be pasted."""

from __future__ import annotations

import functools
import os
import re
import shlex
import shutil
import sys
from pathlib import Path

import click

from arena.cli.options import DATABASE


@functools.cache
def called() -> str:
    """The words that start this program from the folder where it was started."""
    path = sys.argv[0]
    if Path(path).name == "__main__.py" and "-m" in sys.orig_argv:
        return shlex.join(sys.orig_argv[: sys.orig_argv.index("-m") + 2])
    if Path(path).parent == Path(__file__).parent:
        return "kseri"  # one of its parts, which nobody starts by hand
    found = shutil.which("kseri")
    if "/" not in path or (found and os.path.realpath(found) == os.path.realpath(path)):
        return "kseri"
    if os.path.isabs(path) and Path(path).is_relative_to(Path.cwd()):
        path = str(Path(path).relative_to(Path.cwd()))
    return shlex.quote(path)


def at_database(database: Path) -> str:
    """The option for a database, with a blank before it; empty for the one that is the default."""
    return "" if database == DATABASE else f" --db {shlex.quote(str(database))}"


def as_called(text: str) -> str:
    """A text with every `kseri COMMAND` in it as this program was called."""
    return _commands().sub(lambda _: f"{called()} ", text)


@functools.cache
def _commands() -> re.Pattern[str]:
    from arena.cli import kseri

    names = kseri.list_commands(click.Context(kseri))
    return re.compile(rf"(?<![\w./-])kseri (?=(?:{'|'.join(names)}|--help)\b)")
