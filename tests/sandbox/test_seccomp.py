"""The filter of system calls: simulated for both machines, and tried in real processes."""

from __future__ import annotations

import errno
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.errors import SandboxUnavailable
from arena.sandbox import seccomp as filters
from arena.sandbox.landlock_launcher import with_pid
from arena.sandbox.refused_calls import ALWAYS, BUILD, BUILD_SHARED, PLAY
from arena.sandbox.seccomp import PID_MARK, filter_for, filter_program
from arena.sandbox.toolchain import find_command
from tests.sandbox.asked import GIVE_UP_S, LINES, NAMES, assert_plays, copy_of, manifest
from tests.sandbox.ordinary import USERS, as_user, open_folder

pytestmark = pytest.mark.sandbox

seccomp = pytest.importorskip("pyseccomp", reason="no libseccomp", exc_type=RuntimeError)
MACHINES = [seccomp.Arch.X86_64, seccomp.Arch.AARCH64]
I386 = seccomp.Arch.X86
ALLOW, KILL, REFUSE = 0x7FFF0000, 0x80000000, 0x50000
HIGH = 1 << 32
"""Bits that the kernel ignores where it takes an int."""
OWN = 4242

UNDER_FILTER = """
import ctypes, os, sys
class Program(ctypes.Structure):
    _fields_ = ("length", ctypes.c_ushort), ("lines", ctypes.c_char_p)
lines = bytes.fromhex(sys.argv[1])
libc = ctypes.CDLL(None)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, ctypes.byref(Program(len(lines) // 8, lines)), 0, 0) == 0
os.execvp(sys.argv[2], sys.argv[2:])
"""
CALLER = """
#include <errno.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
    long number, a[6];
    while (scanf("%ld%ld%ld%ld%ld%ld%ld", &number, a, a + 1, a + 2, a + 3, a + 4, a + 5) == 7) {
        pid_t self = getpid();
        errno = 0;
        syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
        if (getpid() != self) _exit(0);
        printf("%d\\n", errno);
    }
    return 0;
}
"""
OLD_CALL = 'int main(void) { __asm__ volatile("int $0x80" :: "a"(20)); return 0; }\n'

Case = tuple[str, list[int], int | None]
"""A call, its arguments, and the error: None where it is allowed, 0 where it does nothing."""
BOTH: list[Case] = [
    ("mmap", [0, 4096, 3, 0x21, -1, 0], errno.ENOMEM),
    ("mmap", [0, 4096, 3, 0x23, -1, 0], errno.ENOMEM),
    ("mmap", [0, 4096, 3, 0x122, -1, 0], errno.ENOMEM),
    ("mmap", [0, 4096, 3, 0x22, -1, 0], None),
    ("socketpair", [2, 1], errno.EACCES),
    ("socketpair", [1, 2], errno.EACCES),
    ("socketpair", [1, 0x80002], errno.EACCES),
    ("socketpair", [1, 3 + HIGH], errno.EACCES),
    ("prlimit64", [1, 7], errno.EPERM),
    ("prlimit64", [0, 7], None),
    ("personality", [0xFFFF_FFFF], None),
    ("personality", [0x40000], errno.EPERM),
    ("prctl", [1, 0], errno.EPERM),
    ("prctl", [1 + HIGH, 0], errno.EPERM),
    ("prctl", [22, 2], errno.EPERM),
    ("prctl", [38, 1, 0, 0, 0], None),
    ("fcntl", [0, 10, 18], errno.EPERM),
    ("fcntl", [0, 10 + HIGH, 18], errno.EPERM),
    ("fcntl", [0, 8, 1], errno.EPERM),
    ("fcntl", [0, 3], None),
    ("ioctl", [0, 0x5412], errno.ENOTTY),
    ("ioctl", [0, 0x5412 + HIGH], errno.ENOTTY),
    ("ioctl", [0, 0x40086602], errno.ENOTTY),
    ("ioctl", [0, 0x5451], None),
    ("ioctl", [0, 0x5450], None),
    ("getppid", [], None),
]
ONLY_PLAY: list[Case] = [
    ("clone", [17], errno.EAGAIN),
    ("clone", [0x4111], errno.EAGAIN),
    ("clone", [0x1000_0011], errno.EAGAIN),
    ("fcntl", [0, 6], errno.ENOLCK),
    ("fcntl", [0, 38 + HIGH], errno.ENOLCK),
]
ONLY_BUILD: list[Case] = [
    ("clone", [0x1000_0011], errno.EPERM),
    ("clone", [0x4000_0011], errno.EPERM),
]
ONLY_ALONE: list[Case] = [
    ("kill", [1, 0], errno.EPERM),
    ("kill", [-1, 0], errno.EPERM),
    ("kill", [OWN, 0], None),
    ("tgkill", [1, 1, 0], errno.EPERM),
    ("tgkill", [OWN, OWN, 0], None),
    ("tkill", [1, 0], errno.EPERM),
    ("rt_sigqueueinfo", [1, 0, 0], errno.EPERM),
    ("rt_tgsigqueueinfo", [1, 1, 0, 0], errno.EPERM),
]
ONLY_SHARED_BUILD: list[Case] = [("utimensat", [-1, 8], 0), ("chmod", [-1, 0], 0)]
SIMULATED: list[Case] = [
    # A thread, a socket pair as Python's asyncio makes it.
    ("clone", [0x3D0F00], None),
    ("socketpair", [1, 0x80801], None),
]


def whole(refusals: list[Any]) -> list[Case]:
    """The calls that are refused whatever their arguments are."""
    return [(refusal.call, [-1] * 6, refusal.error) for refusal in refusals if not refusal.test]


PURPOSES: dict[tuple[Any, bool], list[Case]] = {
    ("play", False): [*whole(ALWAYS), *whole(PLAY), *BOTH, *ONLY_PLAY],
    ("play", True): [*whole(ALWAYS), *whole(PLAY), *BOTH, *ONLY_PLAY, *ONLY_ALONE],
    ("build", False): [*whole(ALWAYS), *whole(BUILD), *BOTH, *ONLY_BUILD],
    ("build", True): [*whole(ALWAYS), *whole(BUILD_SHARED), *BOTH, *ONLY_BUILD, *ONLY_SHARED_BUILD],
}


def simulate(program: bytes, arch: int, number: int, arguments: list[int]) -> int:
    """What the kernel would do: the value that the BPF program returns."""
    values = [argument % (1 << 64) for argument in arguments] + [0] * (6 - len(arguments))
    data = struct.pack("<IIQ6Q", number % HIGH, arch, 0, *values)
    lines = list(struct.iter_unpack("<HBBI", program))
    at = accumulator = 0
    while True:
        code, yes, no, value = lines[at]
        at += 1
        if code == 0x20:
            [accumulator] = struct.unpack_from("<I", data, value)
        elif code == 0x54:
            accumulator &= value
        elif code == 0x05:
            at += value
        elif code == 0x06:
            return value
        else:
            true = {
                0x15: accumulator == value,
                0x25: accumulator > value,
                0x35: accumulator >= value,
                0x45: bool(accumulator & value),
            }[code]
            at += yes if true else no


@pytest.mark.parametrize("arch", MACHINES)
@pytest.mark.parametrize(("purpose", "shared"), PURPOSES)
def test_every_refusal_on_both_machines(purpose: Any, shared: bool, arch: int) -> None:
    program = with_pid(filter_for(arch, purpose, shared), PID_MARK, OWN)
    numbers = [
        (seccomp.resolve_syscall(arch, call), arguments, expected)
        for call, arguments, expected in [*PURPOSES[purpose, shared], *SIMULATED]
    ]
    # A negative number: this machine has never had that call.
    cases = [case for case in numbers if case[0] >= 0]
    wrong = [
        case
        for case in cases
        if simulate(program, arch, *case[:2]) != (ALLOW if case[2] is None else REFUSE | case[2])
    ]
    assert wrong == []
    assert len(cases) > 100


@pytest.mark.parametrize("arch", MACHINES)
def test_a_namespace_guards_others_from_signals(arch: int) -> None:
    kill = seccomp.resolve_syscall(arch, "kill")
    assert simulate(filter_for(arch, "play", False), arch, kill, [1, 9]) == ALLOW


@pytest.mark.parametrize("arch", MACHINES)
def test_a_shared_build_sets_times_of_open_files(arch: int) -> None:
    utimensat = seccomp.resolve_syscall(arch, "utimensat")
    assert simulate(filter_for(arch, "build", True), arch, utimensat, [5, 0]) == ALLOW


@pytest.mark.parametrize("arch", MACHINES)
def test_unknown_calls_and_other_machines(arch: int) -> None:
    program = filter_for(arch, "play", False)
    for number in (450, 470, 100_000, 0x4000_0000 + 39, -1):
        assert simulate(program, arch, number, []) == REFUSE | errno.ENOSYS
    assert simulate(program, I386, 20, []) == KILL
    assert simulate(program, arch, 449, []) == ALLOW


def test_own_process_is_marked_only_where_it_is_known_later() -> None:
    mark = PID_MARK.to_bytes(4, sys.byteorder)
    for arch in MACHINES:
        assert mark not in filter_for(arch, "play", False)
        assert mark in filter_for(arch, "play", True)
        assert mark not in with_pid(filter_for(arch, "play", True), PID_MARK, OWN)


def test_other_machines_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seccomp, "system_arch", lambda: seccomp.Arch.RISCV64)
    with pytest.raises(SandboxUnavailable, match="x86_64 and aarch64"):
        filter_program("play")


def test_a_machine_without_libseccomp_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pyseccomp", None)
    filters._library.cache_clear()
    try:
        with pytest.raises(SandboxUnavailable, match="apt install libseccomp2"):
            filter_program("play")
    finally:
        filters._library.cache_clear()


def under_filter(
    program: bytes, command: list[str], user: str = "as it is", **more: Any
) -> subprocess.CompletedProcess[str]:
    python, identity = as_user(user)
    words = [python, "-I", "-S", "-c", UNDER_FILTER, program.hex(), *command]
    return subprocess.run(
        words, capture_output=True, text=True, timeout=GIVE_UP_S, **identity, **more
    )


@pytest.fixture(scope="module")
def compiler() -> str:
    found = shutil.which("cc")
    if found is None:
        pytest.skip("cc is not installed")
    return found


@pytest.fixture(scope="module")
def caller(compiler: str) -> Iterator[str]:
    """A program that makes the system calls that it reads and prints what came of each."""
    with open_folder() as folder:
        yield compiled(compiler, CALLER, folder / "caller")


def compiled(compiler: str, source: str, path: Path) -> str:
    path.with_suffix(".c").write_text(source, encoding="utf-8")
    subprocess.run([compiler, "-o", path, path.with_suffix(".c")], check=True, timeout=GIVE_UP_S)
    return str(path)


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize(("purpose", "shared"), PURPOSES)
def test_every_refusal_in_a_real_process(
    caller: str, purpose: Any, shared: bool, user: str
) -> None:
    arch = seccomp.system_arch()
    cases = [
        (seccomp.resolve_syscall(arch, call), arguments, error or 0)
        for call, arguments, error in PURPOSES[purpose, shared]
        if OWN not in arguments and seccomp.resolve_syscall(arch, call) >= 0
    ]
    cases += [(number, [], errno.ENOSYS) for number in (450, 470, 0x4000_0000 + 39)]
    lines = [" ".join(map(str, [n, *a, *[0] * (6 - len(a))])) for n, a, _ in cases]
    program = with_pid(filter_program(purpose, shared=shared), PID_MARK, OWN)
    done = under_filter(program, [caller], user, input="\n".join(lines))
    assert (done.returncode, done.stderr) == (0, "")
    told = list(map(int, done.stdout.split()))
    assert len(told) == len(cases)
    wrong = [(case, got) for case, got in zip(cases, told, strict=True) if case[2] != got]
    assert wrong == []


@pytest.mark.parametrize("purpose", ["play", "build"])
def test_calls_of_32_bits_end_the_process(compiler: str, tmp_path: Path, purpose: Any) -> None:
    if seccomp.system_arch() != seccomp.Arch.X86_64:
        pytest.skip("only x86_64 has a door for calls of 32 bits")
    program = compiled(compiler, OLD_CALL, tmp_path / "old")
    if subprocess.run([program]).returncode:
        pytest.skip("this kernel has no calls of 32 bits")
    assert under_filter(filter_program(purpose), [program]).returncode == -31


@pytest.mark.toolchain
@pytest.mark.parametrize("name", NAMES)
def test_bots_are_built_and_play_under_the_filter(name: str, tmp_path: Path) -> None:
    folder = copy_of(name, tmp_path)
    commands = manifest(folder)
    if "build" in commands:
        built = under_filter(filter_program("build"), real(commands["build"], folder), cwd=folder)
        assert (built.returncode, built.stderr) == (0, "")
    command = real(commands["run"], folder)
    done = under_filter(filter_program("play"), command, cwd=folder, input=LINES)
    assert (done.returncode, done.stderr) == (0, "")
    assert_plays(done.stdout)


def real(command: list[str], folder: Path) -> list[str]:
    """The command without a version manager's script, which would need processes."""
    return [find_command(command[0], folder), *command[1:]]
