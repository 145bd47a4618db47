"""Hostile bots in a sandbox, played by an arena that root or an ordinary user runs."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.play import Bot
from protocol.messages import Limits
from tests.e2e.isolated_arena import Order, Table, Told
from tests.sandbox.ordinary import UID, USERS, as_user, check_modules, open_folder

ROOT = Path(__file__).parents[2]
HOSTILE = ROOT / "tests" / "hostile"
BACKENDS = ("bubblewrap", "landlock")
ARENAS = [(backend, user) for backend in BACKENDS for user in USERS]
"""Every sandbox, in the hands of root and of an ordinary user."""
MEMORY_MB = 64
PATIENT = Limits(boot_ms=60_000, move_ms=30_000, bank_ms=0, memory_mb=MEMORY_MB)
SHORT = Limits(boot_ms=60_000, move_ms=100, bank_ms=400, memory_mb=MEMORY_MB)
"""For bots that are ready and then do not answer."""
GOOD = Limits(memory_mb=MEMORY_MB)
"""As in any tournament."""
_PYTHON = ("python3", "-B", "-S", "-E")
_GIVE_UP_S = 240
_END_MS = 20_000
_PATH = "/usr/local/bin:/usr/bin:/bin"


class Ground:
    """A folder that everybody may enter, with all bots and what an arena needs to run there."""

    def __init__(self, folder: Path) -> None:
        self.bots = folder / "bots"
        self.bots.mkdir()
        for source in (*HOSTILE.glob("isolation/*.py"), *HOSTILE.glob("programs/*.py")):
            shutil.copyfile(source, self.bots / source.name)
        self.opponent = folder / "opponent" / "quick"
        self.opponent.parent.mkdir()
        compiler = shutil.which("cc")
        if compiler is None:
            pytest.skip("no C compiler (cc) on this machine")
        source = HOSTILE / "programs" / "quick.c"
        subprocess.run([compiler, "-O1", "-o", self.opponent, source], check=True)
        self._folder = folder

    def python(self, file: str, *words: str, name: str = "", reuse: bool = True) -> Bot:
        """One of the Python programs as a bot."""
        command = (*_PYTHON, f"{file}.py", *words)
        return _bot(self.bots, command, name or file, reuse)

    def quick(self, name: str = "quick", reuse: bool = True) -> Bot:
        """A well-behaved bot that starts in a millisecond."""
        return _bot(self.opponent.parent, ("./quick",), name, reuse)

    def closed(self, bot: Bot, user: str = "as it is") -> Bot:
        """The same bot in a folder that only the arena's own user may enter."""
        closed = self._folder / f"closed-{user}" / Path(bot.folder).name
        if not closed.exists():
            closed.parent.mkdir(mode=0o700, exist_ok=True)
            shutil.copytree(bot.folder, closed)
            if user == "ordinary":
                os.chown(closed.parent, UID, UID)
        return msgspec.structs.replace(bot, folder=str(closed))

    @contextmanager
    def home(self, user: str) -> Iterator[dict[str, str]]:
        """An environment for an arena of this user, with folders of its own, empty at the end."""
        home = Path(tempfile.mkdtemp(prefix="home-", dir=self._folder))
        temporary = home / "tmp"
        temporary.mkdir()
        # As /tmp: root's bots are somebody else where there are no name spaces.
        home.chmod(0o755)
        if user == "ordinary":
            for folder in (home, temporary):
                os.chown(folder, UID, UID)
        paths = [str(ROOT), sysconfig.get_path("purelib"), os.environ.get("PYTHONPATH", "")]
        yield {
            "PATH": os.environ["PATH"] if user == "as it is" else _PATH,
            "HOME": str(home),
            # Rust's version manager keeps its compilers in the home of who runs the tests.
            "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", str(Path.home() / ".rustup")),
            "XDG_CACHE_HOME": str(home / "cache"),
            "TMPDIR": str(temporary),
            "PYTHONPATH": ":".join(paths),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        assert list(temporary.iterdir()) == []
        shutil.rmtree(home)

    @contextmanager
    def arena(
        self,
        isolation: str,
        user: str,
        tables: list[Table],
        concurrency: int = 4,
        turns: bool = False,
    ) -> Iterator[tuple[subprocess.Popen[bytes], bytes]]:
        """An arena that waits for its order, and the order."""
        python, identity = as_user(user)
        order = msgspec.json.encode(Order(isolation, tables, concurrency, turns))
        with self.home(user) as environment:
            if identity:
                check_modules(python, environment)
            with started([python, "-m", "tests.e2e.isolated_arena"], environment, identity) as run:
                yield run, order

    def play(self, isolation: str, user: str, tables: list[Table], concurrency: int = 4) -> Told:
        """What came of these tables; whatever is left of them fails the test."""
        with self.arena(isolation, user, tables, concurrency) as (run, order):
            output, _ = run.communicate(order, _GIVE_UP_S)
        assert run.returncode == 0
        told = msgspec.json.decode(output, type=Told)
        if told.unavailable:
            pytest.skip(f"no such sandbox here: {told.unavailable}")
        assert told.left == []
        return told


def _bot(folder: Path, command: tuple[str, ...], name: str, reuse: bool) -> Bot:
    return Bot(name=name, version="1.0", hash="", folder=str(folder), run=command, reuse=reuse)


@contextmanager
def started(
    command: list[str], environment: dict[str, str], identity: dict[str, Any]
) -> Iterator[subprocess.Popen[bytes]]:
    """A process that is ended with the block."""
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
        cwd=ROOT,
        **identity,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def followed(arena: int) -> Iterator[Callable[[], None]]:
    """Every process that an arena has started; what is yielded waits until all have ended."""
    pids = list(descendants(arena))
    assert len(pids) >= 5, "two tables of two bots, and the guardian"
    handles, ends = [os.pidfd_open(pid) for pid in pids], select.poll()
    for handle in handles:
        ends.register(handle, select.POLLIN)

    def wait() -> None:
        running = set(handles)
        while running:
            found = {handle for handle, _ in ends.poll(_END_MS)}
            assert found, f"{len(running)} of {len(handles)} processes are left"
            for handle in found:
                ends.unregister(handle)
            running -= found

    try:
        yield wait
    finally:
        for pid, handle in zip(pids, handles, strict=True):
            # Those whose parent has died may be this process's to reap.
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
            os.close(handle)


def descendants(pid: int) -> Iterator[int]:
    """Every process below this one."""
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            yield child
            yield from descendants(child)


@contextmanager
def ground() -> Iterator[Ground]:
    """A ground for one session of tests."""
    with open_folder() as folder:
        yield Ground(folder)
