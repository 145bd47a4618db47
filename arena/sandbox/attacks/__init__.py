"""A program that attacks its sandbox, so that an arena can see whether one holds.

The package is a program too (`__main__.py`) and then runs where nothing else of the arena is:
it imports nothing but the standard library. The arena installs a copy as a bot's folder, starts
it in the sandbox, and compares what it says with what the sandbox promises.
"""

from __future__ import annotations

import json
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

from . import channels, files, memory, network, privileges, processes
from .registry import ATTACKS, Attack, Verdict

__all__ = [
    "ATTACKS",
    "RESIDUE",
    "SUBSET",
    "Attack",
    "Verdict",
    "batches",
    "expected",
    "failures",
    "install",
    "verdicts",
]

MODULES = (channels, files, memory, network, privileges, processes)

RESIDUE = {
    "landlock": {"stat-any", "o-path-any", "chdir-any", "host-load", "host-name"},
    # No namespace hides the load of the machine.
    "bubblewrap": {"host-load"},
}
"""What a backend cannot stop: Landlock sees neither stat() nor O_PATH nor chdir()."""

SUBSET = (
    "read-passwd",
    "write-tmp",
    "open-core-pattern",
    "environ-arena",
    "environ-parent",
    "kill-arena",
    "tcp-loopback",
    "udp-loopback",
    "unix-abstract",
    "sysv-shm-create",
    "key-add",
    "capabilities",
    "setuid-zero",
    "fork",
    "clone3-newuser",
    "prlimit-arena",
    "map-shared",
    "io-uring",
    "flock",
    "limit-stack",
    "limit-processes",
    "memory",
    "no-new-privs",
    "inherited-descriptors",
    "own-environment",
)
"""One or two attacks on every layer, none of which ends its process: an arena's own check.

Targets: `arena-pid`, `tcp-port` and `udp-port` (bound on 127.0.0.1), `abstract-socket` (listening;
the name without its zero byte), `memory-mb` and `secret` (part of a value in the arena's
environment).
"""


def expected(backend: str) -> dict[str, bool]:
    """For every attack whether the backend called `backend` must stop it; `none` need stop none."""
    promised = backend in RESIDUE
    return {name: promised and name not in RESIDUE[backend] for name in ATTACKS}


def install(folder: Path) -> list[str]:
    """Put the program into `folder`, a bot's; the command that starts it there.

    Names of attacks may follow the command.
    """
    source = Path(__file__).parent
    target = folder / "attacks"
    target.mkdir(mode=0o755)
    for file in source.glob("*.py"):
        shutil.copyfile(file, target / file.name)
        (target / file.name).chmod(0o644)
    return ["python3", "-I", "-S", "attacks"]


def batches() -> Iterator[list[str]]:
    """All attacks, those together that may run in one process."""
    yield [name for name, entry in ATTACKS.items() if not entry.alone]
    yield from ([name] for name, entry in ATTACKS.items() if entry.alone)


def verdicts(names: list[str], output: str, status: int) -> dict[str, tuple[Verdict, str]]:
    """What the program said of the attacks `names`, and what its end says of the next one.

    `status`: as `subprocess` has it; sandboxes may tell a signal N by 128 + N instead. An attack
    whose process the kernel killed for it (SIGSYS) was stopped; those behind it were not tried
    and are missing.
    """
    said = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    found: dict[str, tuple[Verdict, str]] = {
        entry["attack"]: (entry["verdict"], entry["detail"]) for entry in said
    }
    if status in (-signal.SIGSYS, 128 + signal.SIGSYS):
        open_ones = [name for name in names if name not in found]
        found |= {name: ("stopped", "killed by SIGSYS") for name in open_ones[:1]}
    return found


def failures(backend: str, found: dict[str, tuple[Verdict, str]]) -> list[str]:
    """Those that `backend` must stop and did not, each with the reason; empty where it holds."""
    must = expected(backend)
    return [
        f"{name}: {found[name][0]} ({found[name][1]})"
        for name in found
        if must[name] and found[name][0] != "stopped"
    ]
