"""Every attack and bomb against every sandbox, and against none, where it has to succeed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.sandbox.attacks import ATTACKS, SUBSET, expected, failures
from arena.sandbox.attacks import verdicts as told
from tests.sandbox.conftest import WHO, Run
from tests.sandbox.stand_in import MEMORY_MB

pytestmark = [pytest.mark.sandbox, pytest.mark.hostile]

Verdicts = Callable[[str, str], dict[str, list[str]]]
BACKENDS = ("bubblewrap", "landlock")
_CAP_SYS_RESOURCE = 24
_LACKING = {
    "ENOSYS": "this kernel has no such call",
    "EAFNOSUPPORT": "this kernel has no such sockets",
    "EPROTONOSUPPORT": "this kernel has no such sockets",
    "EOPNOTSUPP": "this file system has no such thing",
}
"""What the machine has not, by the error where nothing isolates."""
GREATEST = {
    "fork": 0,
    "threads": 64,
    "mem": MEMORY_MB,
    "shared": 0,
    "memfd": 0,
    "multimem": 0,
    "page_tables": 32,
    "growsdown": 0,
    "stack": 64,
    "disk": 0,
    "inodes": 0,
    "fds": 64,
}
"""How far a bomb may get: processes, threads, MiB, files or descriptors."""
ENDLESS = {
    "survive": (["./survive"], "stdout"),
    "spin": (["./spin"], "stdout"),
    "flood-stdout": (["./flood", "1"], "stdout"),
    "flood-stderr": (["./flood", "2"], "stderr"),
}


@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("backend", BACKENDS)
def test_attack_is_stopped(backend: str, who: str, name: str, verdicts: Verdicts) -> None:
    verdict, detail = verdicts(backend, who)[name]
    if verdict == "unavailable" and verdicts("none", who.split("-")[0])[name][0] == verdict:
        pytest.skip(f"{name}: {detail}")
    wanted = ("stopped",) if expected(backend)[name] else ("stopped", "breach")
    assert verdict in wanted, detail


@pytest.mark.parametrize(
    ("who", "name"),
    [
        *(("root", name) for name in ATTACKS),
        *(("user", name) for name, entry in ATTACKS.items() if not entry.root),
    ],
)
def test_attack_succeeds_where_nothing_isolates(who: str, name: str, verdicts: Verdicts) -> None:
    """No attack may be a dud: what cannot succeed would prove nothing where it is stopped.

    What this machine has not cannot be attacked on it. That is no skip, for it hides nothing that
    another machine of the same kind would show; the reason is printed.
    """
    verdict, detail = verdicts("none", who)[name]
    why = _impossible(name, detail)
    if verdict == "stopped" and why:
        print(f"{name} as {who}: {why}")
        return
    assert verdict == "breach", detail


def _impossible(name: str, detail: str) -> str | None:
    """Why this attack cannot succeed on this machine, whatever a sandbox does."""
    if name.startswith("limit-") and detail.startswith("hard limit"):
        return f"the tests themselves run under that: {detail}"
    if name == "limit-raise" and not _has_capability(_CAP_SYS_RESOURCE):
        return "the tests themselves have not CAP_SYS_RESOURCE"
    if name == "open-sysrq-trigger" and not Path("/proc/sysrq-trigger").exists():
        return "this kernel has no /proc/sysrq-trigger"
    if name == "environ-one" and not _is_readable("/proc/1/environ"):
        return "root itself cannot read this here"
    if name in ("setuid-program", "capable-program") and os.geteuid() != 0:
        return "only root can make a program that gives rights"
    if "Seccomp:\t2" in Path("/proc/self/status").read_text():
        return "the tests themselves run under a filter of system calls"
    return _LACKING.get(detail)


def _is_readable(path: str) -> bool:
    try:
        os.close(os.open(path, os.O_RDONLY))
    except OSError:
        return False
    return True


def _has_capability(number: int) -> bool:
    status = Path("/proc/self/status").read_text()
    effective = next(line for line in status.splitlines() if line.startswith("CapEff"))
    return bool(int(effective.split()[1], 16) >> number & 1)


@pytest.mark.parametrize("bomb", GREATEST)
@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("backend", BACKENDS)
def test_bomb_is_contained(backend: str, who: str, bomb: str, run: Run) -> None:
    answer = run(backend, who, [f"./{bomb}"])
    assert _reached(answer) <= GREATEST[bomb]


@pytest.mark.xfail(reason="nothing but a watch on the resident size, or a cgroup, can end this")
@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("backend", BACKENDS)
def test_sealed_memory_is_contained(backend: str, who: str, run: Run) -> None:
    """RLIMIT_DATA counts what can be written: 1 GiB is four times what the bot may have."""
    assert _reached(run(backend, who, ["./sealed", "1024"])) <= MEMORY_MB


def _reached(answer: dict[str, Any]) -> int:
    """The last line that a bomb wrote."""
    assert answer["output"], answer
    return int(answer["output"].split()[-1])


@pytest.mark.parametrize("bomb", GREATEST)
def test_bomb_grows_where_nothing_isolates(bomb: str, run: Run) -> None:
    """Up to a bound that harms no machine, and is above what a sandbox allows."""
    small = {"inodes": 50, "disk": 16, "fork": 8, "multimem": 192, "fds": 200}
    most = small.get(bomb, GREATEST[bomb] + 32)
    assert _reached(run("none", "user", [f"./{bomb}", str(most)])) > GREATEST[bomb]


@pytest.mark.parametrize("program", ENDLESS)
@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("backend", BACKENDS)
def test_nothing_survives_the_end(backend: str, who: str, program: str, run: Run) -> None:
    command, stream = ENDLESS[program]
    answer = run(backend, who, command, "killed", stream)
    assert answer["output"], answer
    assert not answer["survived"]


def test_detached_processes_survive_where_nothing_isolates(run: Run) -> None:
    answer = run("none", "user", ["./survive"], "killed")
    assert (answer["survived"], answer["survivors"]) == (True, 3)


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("backend", BACKENDS)
def test_stopped_stays_stopped(backend: str, who: str, run: Run) -> None:
    answer = run(backend, who, ["./stop"], "stopped")
    assert (_reached(answer), answer["ran"]) == (0, 0)


def test_a_timer_undoes_a_stop_where_nothing_isolates(run: Run) -> None:
    answer = run("none", "user", ["./stop"], "stopped")
    assert _reached(answer) == 1
    assert answer["ran"] > 0


def test_the_arenas_own_check_is_a_part_of_all_attacks() -> None:
    assert set(SUBSET) <= set(ATTACKS)
    assert not any(ATTACKS[name].alone for name in SUBSET)
    layers = {entry.layer for entry in ATTACKS.values()}
    assert {ATTACKS[name].layer for name in SUBSET} >= layers - {"uts"}
    assert all(expected(backend)[name] for name in SUBSET for backend in BACKENDS)


def test_failures_names_what_was_not_stopped() -> None:
    output = '{"attack": "fork", "verdict": "breach", "detail": "a process"}\n'
    found = told(["fork", "vfork", "clone"], output, -31)
    assert found["vfork"] == ("stopped", "killed by SIGSYS")
    assert "clone" not in found
    assert failures("bubblewrap", found) == ["fork: breach (a process)"]
    assert failures("none", found) == []
