"""Whether a sandbox holds here: a program attacks it before anybody relies on it."""

from __future__ import annotations

import json
import os
import platform
import secrets
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.errors import BotCannotStart, SandboxUnavailable
from arena.sandbox.attacks import ATTACKS, SUBSET, Verdict, expected, failures, install, verdicts
from arena.sandbox.launch import Backend, Launch
from arena.sandbox.orphans import adopt_orphans
from arena.sandbox.scratch import scratch_folder
from arena.sandbox.status import SandboxStatus
from arena.version import VERSION

_SECONDS = 20
_MEMORY_MB = 256
_SECRET_NAME = "KSERI_PROBE_SECRET"


@dataclass(frozen=True)
class ProbeReport:
    """What the attacking program found in one sandbox."""

    backend: str
    verdicts: dict[str, tuple[Verdict, str]]
    """By attack: what came of it, and how."""
    failures: list[str]
    """Attacks that this backend promises to stop and did not; empty where the sandbox holds."""


def probe(backend: Backend, names: tuple[str, ...] = SUBSET) -> ProbeReport:
    """Attack a sandbox of this backend from within.

    Raises `SandboxUnavailable` where none can be made, with what the system said of it.
    """
    adopt_orphans()
    with _targets() as targets, _secret_in_environment(targets["secret"]):
        found = dict(_attack(backend, list(names), targets))
    missing = [name for name in names if name not in found and expected(backend.name)[name]]
    wrong = failures(backend.name, found) + [f"{name}: not tried" for name in missing]
    return ProbeReport(backend.name, found, wrong)


def _attack(
    backend: Backend, names: list[str], targets: dict[str, Any]
) -> Iterator[tuple[str, tuple[Verdict, str]]]:
    """Those that leave their process whole in one, each of the others in one of its own."""
    together = [name for name in names if not ATTACKS[name].alone]
    for batch in (together, *([name] for name in names if ATTACKS[name].alone)):
        if batch:
            status, output, errors = _run(backend, batch, targets)
            found = verdicts(batch, output, status)
            if not found and batch is together:
                lines = errors.strip().splitlines() or [f"exit status {status}"]
                raise SandboxUnavailable(f"{backend.name}: {lines[-1]}{_remedy(errors)}")
            yield from found.items()


def _run(backend: Backend, names: list[str], targets: dict[str, Any]) -> tuple[int, str, str]:
    """Start the attacking program as a bot is started; its exit status, output and errors."""
    with scratch_folder(Path(tempfile.gettempdir()), "kseri-probe-") as folder:
        folder.chmod(0o755)
        command = install(folder)
        try:
            prepared = backend.prepare(Launch([*command, *names], folder, _MEMORY_MB))
        except BotCannotStart as error:
            raise SandboxUnavailable(f"{backend.name}: {error}") from None
        process = subprocess.Popen(
            prepared.argv,
            cwd=prepared.folder,
            env=prepared.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=prepared.pass_fds,
            start_new_session=True,
            text=True,
            errors="replace",
        )
        for fd in prepared.pass_fds:
            os.close(fd)
        backend.started(process.pid, Launch(command, folder, _MEMORY_MB))
        status = SandboxStatus(prepared.status_fd) if prepared.status_fd is not None else None
        return _talk(process, status, json.dumps(targets) + "\n")


def _talk(
    process: subprocess.Popen[str], status: SandboxStatus | None, line: str
) -> tuple[int, str, str]:
    try:
        output, errors = process.communicate(line, timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        if status:
            status.kill()
        process.kill()
        output, errors = process.communicate()
    code = process.returncode
    if status:
        status.first_pid()
        status.reap()
        code = code if status.returncode is None else status.returncode
        status.close()
    return code, output, errors


def _remedy(errors: str) -> str:
    """What can be done, by what the system said."""
    if "uid map" in errors or "RTM_NEWADDR" in errors:
        return (
            "; on Ubuntu install the profile bwrap-userns-restrict (package apparmor-profiles) "
            "or set kernel.apparmor_restrict_unprivileged_userns=0"
        )
    if "namespace" in errors or "Operation not permitted" in errors:
        return (
            "; in a container: docker run --security-opt seccomp=unconfined --security-opt "
            "apparmor=unconfined; on old Debian: sysctl kernel.unprivileged_userns_clone=1"
        )
    return ""


@contextmanager
def _targets() -> Iterator[dict[str, Any]]:
    """What the attacks of `SUBSET` aim at."""
    name = f"kseri-probe-{secrets.token_hex(8)}"
    with (
        socket.socket(socket.AF_INET, socket.SOCK_STREAM) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as abstract,
    ):
        tcp.bind(("127.0.0.1", 0))
        tcp.listen()
        udp.bind(("127.0.0.1", 0))
        abstract.bind(f"\0{name}")
        abstract.listen()
        yield {
            "arena-pid": os.getpid(),
            "tcp-port": tcp.getsockname()[1],
            "udp-port": udp.getsockname()[1],
            "abstract-socket": name,
            "memory-mb": _MEMORY_MB,
            "secret": secrets.token_hex(16),
        }


@contextmanager
def _secret_in_environment(secret: str) -> Iterator[None]:
    """What a bot would find if it were given the arena's environment."""
    os.environ[_SECRET_NAME] = secret
    try:
        yield
    finally:
        del os.environ[_SECRET_NAME]


def holds(backend: Backend) -> None:
    """Return if the sandbox holds; what was found is remembered for this user, kernel and version.

    Raises `SandboxUnavailable` with the attacks that came through.
    """
    key = _key(backend)
    if key in _remembered():
        return
    report = probe(backend)
    if report.failures:
        raise SandboxUnavailable(f"{backend.name} does not hold here: {'; '.join(report.failures)}")
    _remember(key)


def _key(backend: Backend) -> str:
    """All that the verdict depends on."""
    bwrap = Path("/usr/bin/bwrap")
    changed_ns = bwrap.stat().st_mtime_ns if bwrap.is_file() else 0
    boot = Path("/proc/sys/kernel/random/boot_id")
    parts = (
        backend.name,
        VERSION,
        os.geteuid(),
        platform.release(),
        sys.executable,
        changed_ns,
        boot.read_text().strip() if boot.is_file() else "",
    )
    return "|".join(map(str, parts))


def _file() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "kseri-arena" / "isolation.json"


def _remembered() -> list[str]:
    try:
        found = json.loads(_file().read_text("utf-8"))
    except (OSError, ValueError):
        return []
    return found if isinstance(found, list) else []


def _remember(key: str) -> None:
    """Keep the last few verdicts; where that can't be, the next start probes again."""
    path = _file()
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f"{path.name}.{os.getpid()}")
        new.write_text(json.dumps([*_remembered()[-7:], key]), "utf-8")
        new.replace(path)
