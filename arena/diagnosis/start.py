"""Why a program could not even be started."""

from __future__ import annotations

import re

from arena.diagnosis.evidence import Cause, Evidence
from arena.diagnosis.languages import how_to_run
from arena.diagnosis.program import Program

_NOT_EXECUTED = re.compile(r": (Permission denied|Exec format error|No such file or directory)$")
_STATUSES = (1, 126, 127)
"""With which sandboxes end that could not execute a bot's own file."""
_REFUSALS = ("lies where", "lies in", "does not start", "no such toolchain")
"""What `arena.sandbox` says of commands that are here and can't be used."""


def why_not_started(known: Evidence, has_ended: bool) -> Cause | None:
    """Why its command could not be executed; None where it could.

    `has_ended`: whether there was a process, which may have been the sandbox alone.
    """
    if not has_ended:
        return _by_refusal(known.fault.detail, known.program)
    lines = known.stderr.strip().splitlines()
    is_first = known.fault.kind == "boot" and known.fault.exit_status in _STATUSES
    if is_first and known.program.own_file and len(lines) == 1:
        found = _NOT_EXECUTED.search(lines[0])
        name = known.program.own_file.removeprefix("./")
        if found and f"{name}: " in lines[0]:
            return _by_refusal(f"{known.program.own_file}: {found[1]}", known.program)
    return None


def _by_refusal(detail: str, program: Program) -> Cause | None:
    if "no such command" in detail:
        return Cause(
            "missing-command",
            "the command in `run` is not on this machine",
            "install it (kseri doctor says what there is), or correct `run` in bot.toml",
        )
    if "no such file" in detail:
        return Cause(
            "missing-file",
            "the program in `run` is not in the bot's folder",
            "build it with `build`, or correct `run` in bot.toml",
        )
    if any(words in detail for words in _REFUSALS):
        return Cause(
            "unusable-command",
            "the command in `run` is on this machine, and a bot can't use it",
            "name one in `run` that every user can start, such as python3 (kseri doctor says what "
            "there is), or install this one for all",
        )
    if "No such file" in detail:
        return _without_interpreter(program)
    if "Permission denied" in detail or "Exec format" in detail:
        return _not_executable(detail, program)
    return None


def windows_line_ends(file: str) -> Cause:
    """The cause that is a file with carriage returns."""
    name = file.removeprefix("./")
    return Cause(
        "windows-line-ends",
        f"the lines of {name} end in a carriage return: the file has Windows line ends",
        "save it with Unix line ends (\\n)",
    )


def _without_interpreter(program: Program) -> Cause:
    if program.windows_file and program.windows_file == program.own_file:
        return windows_line_ends(program.windows_file)
    what = f"{program.interpreter}, which its first line names, is not there"
    if not program.interpreter:
        what = (
            "the interpreter that its first line names is not there; with Windows line ends its "
            "name ends in a carriage return"
        )
    return Cause(
        "bad-interpreter",
        what,
        "correct the #! line, and save the file with Unix line ends (\\n)",
    )


def _not_executable(detail: str, program: Program) -> Cause:
    name = program.own_file.removeprefix("./") or "the file"
    other = how_to_run(program.own_file) or "run it by its interpreter"
    return Cause(
        "not-executable",
        f"its program may not be executed: {detail}",
        f"make it executable (chmod +x {name}) with a #! line, or let bot.toml say {other}",
    )
