"""Hostile programs in every sandbox that this machine has, started by root and by a user."""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.sandbox import attacks

ROOT = Path(__file__).parents[2]
PROGRAMS = ROOT / "tests" / "hostile" / "attacks"
STAND_IN = Path(__file__).with_name("stand_in.py")
USER = 54_321
"""An ordinary user, without a name."""
SLOT = 54_322
"""As whom root lets both the attacking bot and its sibling run, to be as near as can be."""
WHO = ("root", "root-same-uid", "user")
_PATH = "/usr/local/bin:/usr/bin:/bin"
_NET_RAW_OF_FILE = bytes.fromhex("0100000200200000000000000000000000000000")
"""struct vfs_cap_data, version 2: CAP_NET_RAW permitted, and in effect from the start."""
_STAND_IN_S = 90

Run = Callable[..., dict[str, Any]]


def _identity(who: str) -> dict[str, Any]:
    """How subprocess becomes whoever the arena is."""
    if who == "user" and os.geteuid() == 0:
        return {"user": USER, "group": USER, "extra_groups": []}
    if who != "user" and os.geteuid() != 0:
        pytest.skip("only root can be an arena of root's")
    return {}


@functools.cache
def _python(who: str) -> tuple[str, dict[str, str]]:
    """A Python that this user may execute and that finds the arena, with its environment."""
    # In this order, as the tests themselves found them.
    paths = ":".join([str(ROOT), sysconfig.get_path("purelib"), os.environ.get("PYTHONPATH", "")])
    environment = {
        "PATH": _PATH,
        "HOME": "/nonexistent",
        "PYTHONPATH": paths,
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for candidate in (sys.executable, f"/usr/bin/{version}", f"/usr/local/bin/{version}"):
        command = [candidate, "-c", "import arena.process"]
        try:
            ended = subprocess.run(
                command, env=environment, cwd="/", capture_output=True, **_identity(who)
            )
        except OSError:
            continue  # not there, or not for this user
        if ended.returncode == 0:
            return candidate, environment
    pytest.skip(f"no {version} that user {USER} may execute and that finds the arena's packages")


@pytest.fixture(scope="session")
def compiled() -> Iterator[Path]:
    """A folder for everybody to read, with every hostile program and the attacking one."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    with tempfile.TemporaryDirectory(prefix="kseri-hostile-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        for source in PROGRAMS.glob("*.c"):
            command = [compiler, "-O1", "-pthread", "-o", str(folder / source.stem), str(source)]
            subprocess.run(command, check=True)
        attacks.install(folder)
        yield folder


@pytest.fixture(scope="session")
def bot_folder(compiled: Path) -> Iterator[Callable[[str], Path]]:
    """The folder of the hostile bot, for each kind of arena one that belongs to it."""
    with tempfile.TemporaryDirectory(prefix="kseri-bots-") as name:
        Path(name).chmod(0o755)

        @functools.cache
        def made(who: str) -> Path:
            folder = Path(name) / who / "bot"
            folder.parent.mkdir()
            shutil.copytree(compiled, folder)
            if os.geteuid() == 0:
                _add_privileged(folder)
                if who == "user":
                    os.chown(folder, USER, USER)
                    os.chown(folder.parent, USER, USER)
            return folder

        yield made


def _add_privileged(folder: Path) -> None:
    """Programs of root's that give rights to whoever starts them."""
    for name in ("setuid-program", "capable-program"):
        shutil.copyfile(folder / "gains", folder / name)
        (folder / name).chmod(0o755)
    (folder / "setuid-program").chmod(0o4755)
    os.setxattr(folder / "capable-program", "security.capability", _NET_RAW_OF_FILE)


@pytest.fixture(scope="session")
def run(bot_folder: Callable[[str], Path]) -> Run:
    """`run(backend, who, program=None, ending="itself", stream="stdout")`: see the stand-in.

    Skips where the machine has not that sandbox.
    """

    def run(
        backend: str,
        who: str,
        program: list[str] | None = None,
        ending: str = "itself",
        stream: str = "stdout",
    ) -> dict[str, Any]:
        identity = _identity(who)
        python, environment = _python(who)
        order = {
            "backend": backend,
            "folder": str(bot_folder(who)),
            "uid": SLOT if who == "root-same-uid" else None,
            "program": program,
            "ending": ending,
            "stream": stream,
        }
        ended = subprocess.run(
            [python, str(STAND_IN)],
            input=json.dumps(order).encode(),
            stdout=subprocess.PIPE,
            env=environment,
            cwd="/",
            timeout=_STAND_IN_S,
            check=True,
            **identity,
        )
        return _available(json.loads(ended.stdout))

    return run


def _available(answer: dict[str, Any]) -> dict[str, Any]:
    if "unavailable" in answer:
        pytest.skip(f"no such sandbox here: {answer['unavailable']}")
    return answer


@pytest.fixture(scope="session")
def verdicts(run: Run) -> Callable[[str, str], dict[str, list[str]]]:
    """`verdicts(backend, who)`: verdict and detail of every attack, tried once a session."""
    known: dict[tuple[str, str], Any] = {}

    def tried(backend: str, who: str) -> dict[str, list[str]]:
        if (backend, who) not in known:
            try:
                known[backend, who] = run(backend, who)["verdicts"]
            except (pytest.skip.Exception, subprocess.SubprocessError) as why:
                known[backend, who] = why
        if isinstance(known[backend, who], BaseException):
            raise known[backend, who]
        found: dict[str, list[str]] = known[backend, who]
        return found

    return tried
