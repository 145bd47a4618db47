"""How every command ends: an exit status and, if need be, one line that says why."""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import suppress

import click

from arena.errors import ArenaError, UsageError
from arena.text import one_line

WRONG_USE, TROUBLE, INTERRUPTED = 2, 1, 130


def run(command: click.Command) -> int:
    """Run the command; returns its exit status."""
    try:
        status = command.main(standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except BrokenPipeError:
        # Whoever read the output has had enough; Python would complain once more at exit.
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return TROUBLE
    except click.exceptions.Exit as error:
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except click.ClickException as error:
        return _click_error(error)
    except BaseExceptionGroup as group:
        return _arena_error(_first(group))
    except (ArenaError, sqlite3.Error, OSError) as error:
        return _arena_error(error)


def _click_error(error: click.ClickException) -> int:
    context = error.ctx if isinstance(error, click.UsageError) else None
    path = context.command_path if context else "kseri"
    _say(f"{path}: {error.format_message()} (see {path} --help)")
    return WRONG_USE


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first error of a group, those of ours before others."""
    ours = group.subgroup((ArenaError, OSError, sqlite3.Error))
    error: BaseException = ours or group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _arena_error(error: BaseException) -> int:
    if isinstance(error, UsageError):
        _say(f"kseri: {error}")
        return WRONG_USE
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        _say(f"kseri: {where}{error.strerror or error}")
        return TROUBLE
    if isinstance(error, (ArenaError, sqlite3.Error)):
        _say(f"kseri: {error}")
        return TROUBLE
    raise error


def _say(text: str) -> None:
    print(one_line(text), file=sys.stderr)
