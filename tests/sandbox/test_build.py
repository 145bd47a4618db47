"""Builds in every sandbox, as root and as an ordinary user: what they can do and leave behind."""

from __future__ import annotations

import functools
import os
import secrets
import select
import shutil
import signal
import socket
import subprocess
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.sandbox import find_toolchain, remove_tree
from arena.sandbox.orphans import children
from arena.sandbox.other_users import is_open
from tests.sandbox.asked import BOTS, LINES, assert_plays, manifest
from tests.sandbox.builder import Order, Told
from tests.sandbox.ordinary import UID, USERS, as_user, check_modules, open_folder

pytestmark = [pytest.mark.sandbox, pytest.mark.hostile]

ROOT = Path(__file__).parents[2]
BACKENDS = ("bubblewrap", "landlock")
every_arena = pytest.mark.parametrize(
    ("isolation", "user"), [(backend, user) for backend in BACKENDS for user in USERS]
)
PATH = "/usr/local/bin:/usr/bin:/bin"
CONNECT = """
import socket, sys
for family, address in ((socket.AF_INET, ("127.0.0.1", PORT)), (socket.AF_INET, ("192.0.2.1", 80))):
    try:
        socket.create_connection(address, 2)
        print("connected", address)
    except OSError as error:
        print("refused")
"""

Build = Callable[..., Told]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A bot's folder, where every user may enter."""
    with open_folder() as base:
        (base / "bot").mkdir()
        yield base / "bot"


@contextmanager
def started_builder(user: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that builds as that user."""
    python, identity = as_user(user)
    paths = [str(ROOT), sysconfig.get_path("purelib"), os.environ.get("PYTHONPATH", "")]
    environment = {
        "PATH": os.environ["PATH"] if user == "as it is" else PATH,
        "PYTHONPATH": ":".join(paths),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HOME": os.environ["HOME"] if user == "as it is" else "/nonexistent",
        "ARENA_SECRET": "not for builds",
    }
    if identity:
        check_modules(python, environment)
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    command = [python, "-m", "tests.sandbox.builder"]
    with subprocess.Popen(command, env=environment, cwd=ROOT, **pipes, **identity) as process:
        yield process


@pytest.fixture(scope="module")
def builders() -> Iterator[Callable[[str], subprocess.Popen[bytes]]]:
    """`builders(user)`: a process that builds as that user."""
    with ExitStack() as ends:
        yield functools.cache(lambda user: ends.enter_context(started_builder(user)))


def own(folder: Path, user: str) -> None:
    """Give what is to be built to whoever builds it."""
    if user == "ordinary":
        for path in (folder, *folder.rglob("*")):
            os.chown(path, UID, UID)


def give(process: subprocess.Popen[bytes], order: Order) -> None:
    """Have it built."""
    assert process.stdin is not None
    process.stdin.write(msgspec.json.encode(order) + b"\n")
    process.stdin.flush()


@pytest.fixture
def build(folder: Path, builders: Callable[[str], subprocess.Popen[bytes]]) -> Iterator[Build]:
    """`build(isolation, user, command)`: what came of a build in `folder`; nothing may be left."""

    def run(
        isolation: str, user: str, command: list[str], seconds: float = 60, **more: Any
    ) -> Told:
        process = builders(user)
        own(folder, user)
        give(process, Order(isolation, command, str(folder), seconds, **more))
        assert process.stdout is not None
        told = msgspec.json.decode(process.stdout.readline(), type=Told)
        if told.unavailable:
            pytest.skip(f"no such sandbox here: {told.unavailable}")
        assert told.left == []
        return told

    yield run
    # Python's own way to remove a tree does not come to the end of deep ones.
    remove_tree(folder)


def sh(script: str) -> list[str]:
    return ["sh", "-c", script]


@every_arena
def test_a_build_may_start_programs_and_write_into_its_folder(
    build: Build, isolation: str, user: str
) -> None:
    script = (
        "for i in 1 2 3; do (mkdir d$i; echo $i > d$i/made; cat d$i/made >/dev/null) & done; wait"
    )
    told = build(isolation, user, sh(script))
    assert (told.returncode, told.output) == (0, "")
    assert told.files == {f"d{i}/made": b"%d\n" % i for i in (1, 2, 3)}


@every_arena
def test_nothing_outside_its_folder_can_be_written_or_read(
    build: Build, folder: Path, isolation: str, user: str
) -> None:
    """Bubblewrap gives a build a /tmp of its own, which is not the machine's."""
    (folder.parent / "secret").write_text("secret", "utf-8")
    (folder.parent).chmod(0o777)
    (folder.parent / "secret").chmod(0o666)
    name = f"kseri-built-{os.getpid()}"
    places = ["/usr", "/var/tmp", "/dev/shm", "/", "/etc", "/run", "/tmp", str(folder.parent)]
    script = (
        f"for p in {' '.join(places)}; do echo x > $p/{name} && echo wrote $p; done 2>/dev/null;"
        f"cat {folder.parent}/secret /etc/passwd /proc/*/environ 2>/dev/null; env"
    )
    told = build(isolation, user, sh(script))
    # In the sandbox's root and folders that are made there, as long as it lasts.
    assert not [place for place in places if Path(place, name).exists()]
    for text in ("secret", "root:", "not for builds"):
        assert text not in told.output
    if isolation == "landlock":
        assert "wrote" not in told.output
    else:
        assert {line for line in told.output.splitlines() if "wrote" in line} <= {"wrote /tmp"}


@every_arena
def test_what_another_uid_builds_is_open_to_nobody_else(
    build: Build, folder: Path, isolation: str, user: str
) -> None:
    """Elsewhere the folder is as whoever asks for the build has made it."""
    folder.chmod(0o700)
    assert build(isolation, user, sh("echo > made")).files == {"made": b"\n"}
    assert folder.stat().st_mode & 0o7 == 0


@every_arena
def test_a_build_has_no_network(build: Build, isolation: str, user: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        code = CONNECT.replace("PORT", str(server.getsockname()[1]))
        told = build(isolation, user, ["python3", "-c", code])
        with pytest.raises(BlockingIOError):
            server.accept()
    assert told.output.splitlines() == ["refused", "refused"]


LEAVES = {
    "ln -s /etc/passwd link": "a link",
    "ln -s / dir": "a link",
    "ln -s made inside; echo x > made": "a link",
    "mkfifo pipe": "neither file nor folder",
    'python3 -c \'open("big", "w").truncate(1 << 29)\'': "more than 1 MiB of files",
    "for i in $(seq 101); do echo > f$i; done": "more than 100 files",
}
"""What a build may leave, and why it is not taken."""


@pytest.mark.parametrize("script", LEAVES)
@every_arena
def test_what_a_build_leaves_is_not_trusted(
    build: Build, isolation: str, user: str, script: str
) -> None:
    told = build(isolation, user, sh(script))
    assert LEAVES[script] in told.tree_error, told


@every_arena
def test_a_build_can_make_no_device(build: Build, isolation: str, user: str) -> None:
    told = build(isolation, user, sh("mknod disk b 8 0; mknod zero c 1 5"))
    assert told.returncode != 0
    assert (told.files, told.tree_error) == ({}, "")


@every_arena
def test_a_file_has_an_end(build: Build, isolation: str, user: str) -> None:
    """A gibibyte, which the file system need not have: the file stays empty."""
    told = build(isolation, user, ["python3", "-c", "open('big', 'w').truncate((1 << 30) + 1)"])
    assert told.returncode != 0
    assert told.files in ({"big": b""}, {})


ENDLESS = (
    "sleep 1000",
    "while true; do echo x; done",
    "exec >/dev/null 2>&1; sleep 1000",
    "trap '' TERM INT HUP; sleep 1000 & setsid sleep 1000 & wait",
)


@pytest.mark.parametrize("script", ENDLESS)
@every_arena
def test_a_build_that_runs_for_ever_is_ended_with_all_it_started(
    build: Build, isolation: str, user: str, script: str
) -> None:
    """Also one that has closed its output, which is not the end of a build."""
    told = build(isolation, user, sh(script), seconds=0.5)
    assert told.problem == "took more than 0.5 s"
    assert len(told.output) <= 64 * 1024


@every_arena
def test_a_build_that_closes_its_output_is_waited_for(
    build: Build, isolation: str, user: str
) -> None:
    told = build(isolation, user, sh("exec >build.log 2>&1; sleep 1.5; echo late; exit 7"))
    assert (told.returncode, told.output, told.problem) == (7, "", "")
    assert told.files == {"build.log": b"late\n"}


@every_arena
def test_what_a_build_starts_ends_with_it(build: Build, isolation: str, user: str) -> None:
    """Also in a session of its own, without the output that would be waited for."""
    told = build(isolation, user, sh("setsid sleep 1000 >/dev/null 2>&1 & echo done"))
    assert (told.returncode, told.output) == (0, "done\n")


@every_arena
def test_a_build_that_fails_is_told_with_its_output(
    build: Build, isolation: str, user: str
) -> None:
    told = build(isolation, user, sh("echo first; echo wrong >&2; exit 3"))
    assert (told.returncode, told.output) == (3, "first\nwrong\n")
    assert build(isolation, user, sh("kill -9 $$")).returncode == -9


@every_arena
def test_only_the_end_of_much_output_is_kept(build: Build, isolation: str, user: str) -> None:
    told = build(isolation, user, sh("seq 100000; echo the end"))
    assert told.output.endswith("\nthe end\n")
    assert len(told.output) <= 64 * 1024


@every_arena
def test_a_missing_toolchain_is_named(build: Build, isolation: str, user: str) -> None:
    told = build(isolation, user, ["no-such-compiler", "x"])
    assert "no-such-compiler: no such command" in told.missing


@every_arena
def test_a_program_may_be_named_by_its_path(build: Build, isolation: str, user: str) -> None:
    told = build(isolation, user, [shutil.which("env", path="/usr/bin") or "", "touch", "made"])
    assert told.returncode == 0
    assert "made" in told.files
    assert "lies where no bot can see it" in build(isolation, user, ["/opt/x/bin/cc"]).missing


@pytest.mark.toolchain
@pytest.mark.parametrize("name", ["pike", "crab", "otter"])
@every_arena
def test_bots_of_other_languages_are_built(
    build: Build, folder: Path, isolation: str, user: str, name: str
) -> None:
    """What is built there plays here: how it plays in a sandbox is shown elsewhere."""
    shutil.copytree(BOTS / name, folder, dirs_exist_ok=True)
    commands = manifest(folder)
    compiler, runner = commands["build"][0], commands["run"][0]
    for program in (compiler, *([] if "/" in runner else [runner])):
        if not shutil.which(program):
            pytest.skip(f"{program} is not installed")
    told = build(isolation, user, commands["build"], max_bytes=1 << 26)
    if told.missing:
        # As root Landlock, and everywhere an ordinary user, can use what all may enter.
        assert compiler in told.missing
        assert not is_open(Path(find_toolchain(compiler).program))
        return
    assert told.returncode == 0, told.output
    for file, data in told.files.items():
        if data.startswith(b"\x7fELF"):
            (folder / file).chmod(0o755)
    done = subprocess.run(
        commands["run"], cwd=folder, input=LINES, capture_output=True, text=True, check=True
    )
    assert_plays(done.stdout)


TOO_MUCH = {
    "for i in 1 2 3; do head -c 4M /dev/urandom >.f$i; done; sleep 60": (
        "DISK_MB",
        8,
        "wrote more than 8 MiB",
    ),
    "head -c 12M /dev/urandom >${TMPDIR:-/tmp}/f; sleep 60": (
        "DISK_MB",
        8,
        "wrote more than 8 MiB",
    ),
    # Seen at its end, if not before.
    "head -c 12M /dev/urandom >f": ("DISK_MB", 8, "wrote more than 8 MiB"),
    "for i in $(seq 60); do echo > .f$i; done; sleep 60": (
        "MAX_ENTRIES",
        50,
        "made more than 50 files and folders",
    ),
    "for i in 1 2 3 4; do python3 -c 'x = bytearray(40 << 20); import time; time.sleep(60)' & "
    "done; wait": ("MEMORY_MB", 128, "took more than 128 MiB of memory"),
}
"""What a build may do too much of, the bound for it in the test, and what is said."""


@pytest.mark.parametrize("script", TOO_MUCH)
@every_arena
def test_a_build_is_bounded_in_total(build: Build, isolation: str, user: str, script: str) -> None:
    name, bound, problem = TOO_MUCH[script]
    told = build(isolation, user, sh(script), bounds={name: bound})
    assert told.problem == problem


@every_arena
def test_folders_in_folders_are_no_way_around_a_bound(
    build: Build, isolation: str, user: str
) -> None:
    code = "import os\nfor _ in range(1200): os.mkdir('d'); os.chdir('d')"
    told = build(isolation, user, ["python3", "-c", code])
    assert told.problem.endswith("more than 100 folders in one another")
    assert "more than 100 folders in one another" in told.tree_error


@pytest.mark.parametrize(
    ("script", "path", "shown"),
    [
        ("mkdir -p a/x; echo hi > a/x/y; chmod 000 a/x", "a/x", "a/x/y"),
        ("echo hi > q; chmod 000 q", "q", "q"),
    ],
)
@every_arena
def test_what_can_not_be_read_is_told_with_its_path(
    build: Build, isolation: str, user: str, script: str, path: str, shown: str
) -> None:
    """Root may read everything, and beside Landlock a build of the user's own changes no modes."""
    told = build(isolation, user, sh(script))
    if isolation == "landlock" or (user == "as it is" and os.geteuid() == 0):
        assert shown in told.files
    else:
        assert told.tree_error == f"{path}: cannot be read: Permission denied"


KEEPS_ON = (
    "exec sleep 1000",
    "sleep 1000 & wait",
    "setsid sleep 1000 & wait",
    "trap '' TERM HUP; (setsid sh -c 'trap \"\" TERM HUP; sleep 1000 & wait') & wait",
)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("script", KEEPS_ON)
@every_arena
def test_a_build_ends_with_the_arena(
    folder: Path, isolation: str, user: str, script: str, number: signal.Signals
) -> None:
    """However that ends, and whatever the build has started."""
    mark = str(secrets.randbelow(1 << 62))
    with started_builder(user) as process:
        script = script.replace("1000", f"1000 {mark}")
        own(folder, user)
        order = Order(isolation, sh(f"echo > begun; {script}"), str(folder), 60)
        give(process, order)
        while not (folder / "begun").exists() or not processes_of(mark):
            ready = select.select([process.stdout], [], [], 0.01)[0]
            if ready:
                assert process.stdout is not None
                told = msgspec.json.decode(process.stdout.readline(), type=Told)
                pytest.skip(f"no such sandbox here: {told.unavailable}")
        # The guardian ends last.
        [guardian] = children(process.pid)
        ends = [os.pidfd_open(guardian)]
        process.send_signal(number)
        process.wait()
    for end in ends:
        assert select.select([end], [], [], 60)[0]
        os.close(end)
    assert not processes_of(mark)


def processes_of(mark: str) -> list[int]:
    """All processes whose command line has a word."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if mark.encode() in path.read_bytes():
                found.append(int(path.parent.name))
    return [pid for pid in found if pid != os.getpid()]
