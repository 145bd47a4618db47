"""The Landlock backend: what bots can no longer do, and that they go on working.

Every test starts real programs, as whoever runs the tests and as an ordinary user.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from arena.errors import SandboxUnavailable
from arena.sandbox import attacks
from arena.sandbox import landlock as backend
from arena.sandbox import landlock_launcher as launcher
from arena.sandbox.launch import Launch
from arena.sandbox.toolchain import find_command
from tests.sandbox.asked import LINES, NAMES, assert_plays, copy_of, manifest
from tests.sandbox.ordinary import UID, USERS, as_user, check_modules, open_folder

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(
        sys.platform != "linux" or not launcher.version(), reason="this kernel has no Landlock"
    ),
]

ROOT = Path(__file__).parents[2]
RUNNER = Path(__file__).with_name("landlock_runner.py")
SECRET = "4f1c-not-for-bots"
GIVE_UP_S = 120

Run = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module", params=USERS)
def user(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def runner(user: str) -> Iterator[subprocess.Popen[str]]:
    """An arena in small, running as `user`, with a secret in its environment."""
    python, identity = as_user(user)
    environment = {
        "PATH": os.environ["PATH"] if user == "as it is" else "/usr/local/bin:/usr/bin:/bin",
        "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "MASTER": SECRET,
        "HOME": "/nonexistent",
    }
    if user != "as it is":
        check_modules(python, environment)
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(
        [python, RUNNER], env=environment, text=True, **pipes, **identity
    ) as process:
        yield process


@pytest.fixture(scope="module")
def run(runner: subprocess.Popen[str]) -> Run:
    """Starts a program in the sandbox and says how it went."""

    def start(command: list[str], folder: Path, **more: Any) -> dict[str, Any]:
        assert runner.stdin
        assert runner.stdout
        print(json.dumps({"command": command, "folder": str(folder), **more}), file=runner.stdin)
        runner.stdin.flush()
        answer: dict[str, Any] = json.loads(runner.stdout.readline())
        return answer

    return start


@pytest.fixture
def folder(user: str) -> Iterator[Path]:
    """A bot's folder, owned by who runs the arena."""
    with open_folder() as path:
        bot = path / "bot"
        bot.mkdir(mode=0o755)
        give(bot, user)
        yield bot


def give(path: Path, user: str) -> None:
    if user != "as it is":
        for name in (path, *path.rglob("*")):
            os.chown(name, UID, UID)


def python_says(run: Run, folder: Path, code: str, **more: Any) -> Any:
    done = run(["python3", "-I", "-S", "-c", code], folder, **more)
    assert (done.get("returncode"), done.get("errors")) == (0, ""), done
    return json.loads(done["output"])


def test_the_bot_s_world(run: Run, folder: Path) -> None:
    (folder / "own.txt").write_text("mine", encoding="utf-8")
    code = """
import json, os
def is_open(fd):
    try:
        return bool(os.fstat(fd))
    except OSError:
        return False
print(json.dumps([dict(os.environ), open("own.txt").read(), os.listdir(), os.getcwd(),
    list(filter(is_open, range(64)))]))
"""
    environment, own, listed, where, descriptors = python_says(run, folder, code)
    assert environment == {
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": "/nonexistent",
        "PYTHONUNBUFFERED": "1",
        "PWD": str(folder),
    }
    assert (own, listed, where) == ("mine", ["own.txt"], str(folder))
    assert descriptors == [0, 1, 2]


def test_files_outside_cannot_be_opened(run: Run, folder: Path, user: str) -> None:
    other = folder.parent / "database"
    other.write_text("secret", encoding="utf-8")
    other.chmod(0o666)
    give(other, user)
    code = f"""
import json, os
def error(attempt, *arguments):
    try:
        attempt(*arguments)
    except OSError as error:
        return error.errno
print(json.dumps([error(open, {str(other)!r}), error(open, {str(other)!r}, "w"),
    error(os.listdir, "/"), error(open, "/etc/passwd"), error(open, "new", "w"),
    error(os.listdir, "/proc"), error(os.mkdir, "new"), error(os.chmod, {str(other)!r}, 0o777)]))
"""
    denied = errno.EACCES
    assert python_says(run, folder, code) == [
        *[denied] * 6,
        *[errno.EROFS] * 2,
    ]
    assert other.read_text(encoding="utf-8") == "secret"


def test_two_bots_cannot_signal_each_other_nor_the_arena(
    run: Run, folder: Path, runner: subprocess.Popen[str]
) -> None:
    code = f"""
import json, os
def error(pid):
    try:
        os.kill(pid, 0)
    except OSError as error:
        return error.errno
print(json.dumps([error({runner.pid}), error(1), error(-1), error(os.getpid())]))
"""
    assert python_says(run, folder, code) == [errno.EPERM] * 3 + [None]


def test_as_root_every_bot_is_somebody_else(run: Run, folder: Path, user: str) -> None:
    code = "import json, os; print(json.dumps([os.getresuid(), os.getresgid(), os.getgroups()]))"
    first, second = (python_says(run, folder, code) for _ in range(2))
    if user == "as it is" and os.geteuid() == 0:
        assert first != second
        assert first[0][0] >= 60_000
        assert first[2] == []
    else:
        assert first == second


def test_limits_are_set(run: Run, folder: Path) -> None:
    code = """
import json, resource
names = "DATA AS STACK FSIZE NOFILE CORE".split()
print(json.dumps([resource.getrlimit(getattr(resource, "RLIMIT_" + name)) for name in names]))
"""
    found = python_says(run, folder, code, memory_mb=64)
    mib = 1 << 20
    assert found[0] == [64 * mib, 64 * mib]
    assert found[1] == [16384 * mib, 16384 * mib]
    assert found[2] == [8 * mib, 64 * mib]
    assert found[3:] == [[0, 0], [64, 64], [0, 0]]


def test_no_signal_is_ignored(run: Run, folder: Path) -> None:
    done = run(["sh", "-c", "trap; kill -PIPE $$; echo lived"], folder)
    assert (done["returncode"], done["output"]) == (-signal.SIGPIPE, "")


def test_a_python_with_its_site_starts_in_silence(run: Run, folder: Path) -> None:
    done = run(["python3", "-c", "import asyncio, random, subprocess"], folder)
    assert (done["returncode"], done["errors"]) == (0, "")


def test_a_program_that_cannot_be_executed_is_told_from_a_sandbox_that_failed(
    run: Run, folder: Path
) -> None:
    (folder / "bot").write_text("no program", encoding="utf-8")
    done = run(["./bot"], folder)
    assert done["returncode"] == launcher.CANNOT_EXECUTE
    assert "Permission denied" in done["errors"]


def test_an_unknown_command_is_refused_before_anything_starts(run: Run, folder: Path) -> None:
    assert "no such command" in run(["no-such-program"], folder)["refused"]


@pytest.mark.toolchain
@pytest.mark.parametrize("name", NAMES)
def test_bots_are_built_and_play(run: Run, folder: Path, user: str, name: str) -> None:
    bot = copy_of(name, folder)
    give(bot, user)
    commands = manifest(bot)
    if "build" in commands:
        built = run(commands["build"], bot, **build_as(bot, user))
        assert_built(built, commands["build"], bot)
        for path in bot.iterdir():
            # As the arena does with whatever is an executable's contents.
            if path.is_file() and path.read_bytes().startswith(b"\x7fELF"):
                path.chmod(0o755)
    done = run(commands["run"], bot, input=LINES)
    assert (done.get("returncode"), done.get("errors")) == (0, ""), done
    assert_plays(done["output"])


def build_as(bot: Path, user: str) -> dict[str, Any]:
    """A build by root runs as the owner of the folder."""
    if user != "as it is" or os.geteuid():
        return {"purpose": "build", "memory_mb": 4096}
    for path in (bot, *bot.rglob("*")):
        os.chown(path, 60_001, 60_001)
    return {"purpose": "build", "memory_mb": 4096, "uid": 60_001}


def assert_built(done: dict[str, Any], command: list[str], bot: Path) -> None:
    """A compiler that only root has is used by root: what it made still has to play."""
    if "refused" in done:
        program = find_command(command[0], bot)
        subprocess.run([program, *command[1:]], cwd=bot, check=True, timeout=GIVE_UP_S)
    else:
        assert (done["returncode"], done["errors"]) == (0, "")


@pytest.mark.hostile
def test_attacks(run: Run, folder: Path, user: str, runner: subprocess.Popen[str]) -> None:
    """Everything that the program of attacks tries, the residue of Landlock left out."""
    command = attacks.install(folder)
    give(folder, user)
    with listening() as sockets:
        targets = {"arena-pid": runner.pid, "memory-mb": 256, "secret": SECRET, **sockets}
        found = {}
        for names in attacks.batches():
            done = run([*command, *names], folder, memory_mb=256, input=json.dumps(targets))
            found |= attacks.verdicts(names, done["output"], done["returncode"])
    breaches = {name: told for name, told in found.items() if told[0] == "breach"}
    stopped = {name for name, (verdict, _) in found.items() if verdict == "stopped"}
    assert attacks.failures("landlock", breaches) == []
    assert set(attacks.SUBSET) <= stopped


@contextmanager
def listening() -> Iterator[dict[str, Any]]:
    """What listens on the machine, for bots to reach."""
    name = f"kseri-test-{os.getpid()}"
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        socket.socket(socket.AF_UNIX) as unix,
    ):
        udp.bind(("127.0.0.1", 0))
        unix.bind(f"\0{name}")
        unix.listen()
        ports = {"tcp-port": tcp.getsockname()[1], "udp-port": udp.getsockname()[1]}
        yield {**ports, "abstract-socket": name}


def test_a_bot_in_a_folder_that_only_the_arena_may_enter(run: Run, folder: Path, user: str) -> None:
    (folder / "deeper").mkdir(mode=0o700)
    (folder / "deeper" / "own.txt").write_text("mine", encoding="utf-8")
    give(folder.parent, user)
    folder.parent.chmod(0o700)
    code = """
import json, os
path = os.path.join(os.getcwd(), "deeper", "own.txt")
print(json.dumps([open(path).read(), os.environ["PWD"] == os.getcwd()]))
"""
    assert python_says(run, folder, code) == ["mine", True]


def test_bots_end_with_an_arena_that_is_killed(user: str, folder: Path) -> None:
    python, identity = as_user(user)
    bot = "print('started', flush=True); import threading; threading.Event().wait()"
    arena = f"""
import subprocess, sys
from pathlib import Path
sys.path[:0] = {[str(ROOT), *filter(None, sys.path)]!r}
from arena.sandbox.landlock import Landlock
from arena.sandbox.launch import Launch
from arena.sandbox.toolchain import find_command
launch = Launch(["python3", "-I", "-S", "-c", {bot!r}], Path({str(folder)!r}), 512)
prepared = Landlock().prepare(launch)
command = prepared.argv
subprocess.run(command, cwd=prepared.folder, env=prepared.environment, start_new_session=True)
"""
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent"}
    if user != "as it is":
        check_modules(python, environment | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))})
    with subprocess.Popen(
        [python, "-B", "-c", arena], env=environment, stdout=subprocess.PIPE, text=True, **identity
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "started\n"
        process.kill()
        # Whoever has the other end is gone when this ends: the arena and the bot.
        assert process.communicate(timeout=GIVE_UP_S) == ("", None)


def test_a_kernel_without_landlock_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launcher, "version", lambda: 0)
    with pytest.raises(SandboxUnavailable, match="no Landlock"):
        backend.Landlock()


def test_a_launcher_that_fails_is_told_before_any_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "_LAUNCH", "import sys; sys.exit('setgroups: not permitted')")
    with pytest.raises(SandboxUnavailable, match="setgroups: not permitted"):
        backend.Landlock()


def test_builds_by_a_user_need_signals_that_stay_inside(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sandbox = backend.Landlock()
    monkeypatch.setattr(sandbox, "_as_root", False)
    monkeypatch.setattr(sandbox, "_version", 5)
    with pytest.raises(SandboxUnavailable, match="apt install bubblewrap"):
        sandbox.prepare(Launch(["true"], tmp_path, 512, "build"))


@pytest.mark.parametrize(("version", "rights"), [(1, 13), (2, 14), (3, 15), (4, 15), (5, 16)])
def test_every_version_withholds_all_that_it_knows(version: int, rights: int) -> None:
    assert launcher.all_rights(version) == (1 << rights) - 1
    assert launcher.all_rights(8) == (1 << 16) - 1
