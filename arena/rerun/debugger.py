"""Starts a bot under a debugger that keeps the terminal while the bot reads from a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from arena.errors import UsageError
from arena.rerun import pdb_at_terminal
from arena.transcript import Event, sent_bytes


def input_text(events: Sequence[Event]) -> bytes:
    """All that the bot is to read: the lines of its game, then the end of its input."""
    return sent_bytes(list(events))


def debugger_command(
    debugger: Sequence[str], run: Sequence[str], input_file: Path
) -> tuple[list[str], bool]:
    """The command that debugs `run`, and whether the file must be its standard input.

    A debugger reads its commands from the terminal, so the bot must not. gdb is told to start the
    bot with its input from the file, before whatever else it is told: that may start the bot. pdb
    is Python's own and would share the bot's standard input: it is started by `pdb_at_terminal`,
    which opens the terminal for it. Any other program (a tracer, a profiler) is put before the bot
    and gets the file. Raises `UsageError` for a bot that pdb can't debug.
    """
    if Path(debugger[0]).name == "gdb":
        options = [word for word in debugger[1:] if word != "--args"]
        redirect = f"set args {' '.join(map(quote, run[1:]))} < {quote(str(input_file))}"
        return [debugger[0], "-ex", redirect, *options, run[0]], False
    if list(debugger[1:]) == ["-m", "pdb"]:
        return [debugger[0], *_with_pdb(run)], True
    return [*debugger, *run], True


def _with_pdb(run: Sequence[str]) -> list[str]:
    """The words after the interpreter, with our program before the bot's file.

    The bot's own interpreter is left out: pdb runs in the one that the user named.
    """
    words = iter(run[1:])
    options: list[str] = []
    for word in words:
        if not word.startswith("-"):
            return [*options, pdb_at_terminal.__file__, word, *words]
        if word[:2] in ("-m", "-c"):
            break
        options.append(word)
        if word in ("-X", "-W"):
            options.append(next(words, ""))
    raise UsageError(f"--debugger: pdb needs a bot that is a Python file, not {' '.join(run)}")
