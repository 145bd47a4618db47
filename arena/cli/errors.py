"""How every command ends: an exit status and, if need be, one line that says why."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress

import click

from arena.bots import spelled
from arena.cli.called import as_called
from arena.errors import ArenaError, UsageError
from arena.text import one_line, visible

WRONG_USE, TROUBLE, INTERRUPTED = 2, 1, 130


def run(command: click.Command) -> int:
    """Run the command; returns its exit status."""
    _write_what_the_terminal_can()
    try:
        status = command.main(prog_name="kseri", standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except BrokenPipeError:
        _forget_output()
        return TROUBLE
    except click.exceptions.Exit as error:
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return WRONG_USE
    except click.ClickException as error:
        return _click_error(error)
    except BaseExceptionGroup as group:
        return _arena_error(_first(group))
    except UnicodeEncodeError as error:
        # Python lets bytes that are no text pass through names; a database or JSON can't have them.
        _say(f"kseri: {spelled(str(error.object))}: not UTF-8 text")
        return WRONG_USE
    except (ArenaError, OSError) as error:
        return _arena_error(error)


def _write_what_the_terminal_can() -> None:
    """Escape what the locale's encoding lacks: a card's suit must not end a command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _forget_output() -> None:
    """Python would complain once more at exit of what could not be written."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _click_error(error: click.ClickException) -> int:
    context = error.ctx if isinstance(error, click.UsageError) else None
    path = context.command_path if context else "kseri"
    _say(f"{path}: {_told(error)} (see {as_called(f'{path} --help')})")
    return WRONG_USE


def _told(error: click.ClickException) -> str:
    """What is wrong; of what is no number in a range, what was expected in place of it."""
    text = error.format_message()
    kind = error.param.type if isinstance(error, click.BadParameter) and error.param else None
    if isinstance(kind, click.IntRange | click.FloatRange):
        number = "a whole number" if isinstance(kind, click.IntRange) else "a number"
        ends = [f"from {kind.min}"] if kind.min is not None else []
        ends += [f"up to {kind.max}"] if kind.max is not None else []
        text = text.replace(f"a valid {kind.name}.", " ".join([number, *ends]))
    return text


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first error of a group, those of ours before others."""
    ours = group.subgroup(ArenaError) or group.subgroup(OSError)
    error: BaseException = ours or group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _arena_error(error: BaseException) -> int:
    if isinstance(error, UsageError):
        _say(f"kseri: {as_called(str(error))}")
        _quote(error.output)
        return WRONG_USE
    if isinstance(error, OSError):
        _forget_output()
        where = f"{error.filename}: " if error.filename else ""
        _say(f"kseri: {where}{error.strerror or error}")
        return TROUBLE
    if isinstance(error, ArenaError):
        _say(f"kseri: {as_called(str(error))}")
        return TROUBLE
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    raise error


def _say(text: str) -> None:
    print(one_line(text), file=sys.stderr)


def _quote(output: str) -> None:
    """What a program wrote that failed, so that no line of it can pass for one of ours."""
    for line in visible(output).splitlines():
        print(f"    {line}", file=sys.stderr)
