"""What this machine can do for an arena: isolation, languages, speed of starting, clocks."""

from __future__ import annotations

import os
import select
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from arena.errors import ArenaError, BotCannotStart
from arena.sandbox import ISOLATING, Backend, Launch, find_toolchain, select_backend
from arena.sandbox.attacks import ATTACKS
from arena.sandbox.probe import probe

LANGUAGES = {
    "Python": "python3",
    "JavaScript": "node",
    "TypeScript": "tsc",
    "C": "cc",
    "C++": "c++",
    "Rust": "rustc",
    "Java": "javac",
    "Kotlin": "kotlinc",
    "Go": "go",
    "Perl": "perl",
    "Ruby": "ruby",
    "Lua": "lua",
    "PHP": "php",
    "Tcl": "tclsh",
    "Bash": "bash",
    "Haskell": "ghc",
    "OCaml": "ocamlopt",
}
"""The command that stands for each language."""
_STARTS = 20
_WAITS = 200


class AttackVerdict(msgspec.Struct, frozen=True):
    """What came of one attack of the probe."""

    attack: str
    layer: str
    verdict: str
    """`stopped`, `breach` or `unavailable`."""
    detail: str


class BackendReport(msgspec.Struct, frozen=True, kw_only=True):
    """What one means of isolation is worth here."""

    name: str
    holds: bool
    problem: str
    """Why it does not hold, and what to do; empty if it does."""
    attacks: list[AttackVerdict]
    start_ms: float | None
    """To start and end the smallest program, median; None where it can't."""


class LanguageReport(msgspec.Struct, frozen=True):
    """Whether bots in a language can be played."""

    language: str
    command: str
    program: str | None
    problem: str


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that `kseri doctor` shows."""

    kernel: str
    user: str
    cores: int
    backends: list[BackendReport]
    languages: list[LanguageReport]
    plain_start_ms: float
    """To start and end the smallest program without a sandbox."""
    wait_us: float
    """By how much a wait of 1 ms is too long, median."""
    worst_wait_us: float

    @property
    def is_safe(self) -> bool:
        """Whether strangers' bots can be played, and rated, on this machine."""
        return any(backend.holds for backend in self.backends)


def examine() -> Report:
    """Look at this machine; takes a second or two."""
    waits = _waits_us()
    return Report(
        kernel=" ".join(os.uname()[i] for i in (0, 2, 4)),
        user="root" if os.geteuid() == 0 else f"user {os.geteuid()}",
        cores=len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1,
        backends=[_backend(name) for name in ISOLATING],
        languages=[_language(language, command) for language, command in LANGUAGES.items()],
        plain_start_ms=_start_ms(select_backend("none")),
        wait_us=statistics.median(waits),
        worst_wait_us=max(waits),
    )


def _backend(name: str) -> BackendReport:
    try:
        backend = select_backend(name)
        report = probe(backend)
    except ArenaError as error:
        return BackendReport(name=name, holds=False, problem=str(error), attacks=[], start_ms=None)
    return BackendReport(
        name=name,
        holds=not report.failures,
        problem="; ".join(report.failures),
        attacks=[
            AttackVerdict(attack, ATTACKS[attack].layer, *verdict)
            for attack, verdict in report.verdicts.items()
        ],
        start_ms=_start_ms(backend),
    )


def _start_ms(backend: Backend) -> float:
    """To start and end the smallest program."""
    true = shutil.which("true") or "/usr/bin/true"
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        return statistics.median(
            _one_start_ms(backend, Launch([Path(true).name], Path(folder), 64))
            for _ in range(_STARTS)
        )


def _one_start_ms(backend: Backend, launch: Launch) -> float:
    prepared = backend.prepare(launch)
    before = time.perf_counter()
    subprocess.run(
        prepared.argv,
        cwd=prepared.folder,
        env=prepared.environment,
        pass_fds=prepared.pass_fds,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    taken_ms = (time.perf_counter() - before) * 1000
    for fd in (*prepared.pass_fds, prepared.status_fd):
        if fd is not None:
            os.close(fd)
    return taken_ms


def _language(language: str, command: str) -> LanguageReport:
    try:
        return LanguageReport(language, command, find_toolchain(command).program, "")
    except BotCannotStart as error:
        return LanguageReport(language, command, None, str(error))


def _waits_us() -> list[float]:
    """By how much waits of 1 ms are too long, in µs."""
    poll = select.poll()
    found = []
    for _ in range(_WAITS):
        before = time.perf_counter_ns()
        poll.poll(1)
        found.append((time.perf_counter_ns() - before) / 1000 - 1000)
    return found
