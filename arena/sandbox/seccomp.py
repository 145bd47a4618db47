"""The filter of system calls that every sandboxed program runs under (Linux seccomp).

Allows by default and refuses what `refused_calls` lists: a list of what is allowed would break
with every new C library and runtime. libseccomp writes the program with the numbers of the
running machine. By hand is only what it cannot say, a beginning of a few instructions: a range
of call numbers, and "none of these values" for one argument.
"""

from __future__ import annotations

import errno
import functools
import importlib
import struct
import tempfile
from types import ModuleType
from typing import Any

from arena.errors import SandboxUnavailable
from arena.sandbox.launch import Purpose
from arena.sandbox.refused_calls import (
    ALWAYS,
    BUILD,
    BUILD_SHARED,
    FIRST_UNKNOWN_CALL,
    PLAY,
    TERMINAL_QUESTIONS,
    Refusal,
)

PID_MARK = 0x5E1F_A11E
"""Stands for the program's own process id, which is known only when it runs."""

_LOAD, _JUMP_EQUAL, _JUMP_FROM, _RETURN = 0x20, 0x15, 0x35, 0x06
_CALL_NUMBER, _ARGUMENT_1 = 0, 24
"""Offsets in struct seccomp_data; of an argument its lower half, on little-endian machines."""
_REFUSE = 0x0005_0000


def filter_program(purpose: Purpose, *, shared: bool = False) -> bytes:
    """The BPF program (an array of struct sock_filter) for the running machine.

    `shared`: for programs without namespaces, that run as the arena's own user. A bot may signal
    only the process `PID_MARK`, which whoever starts it replaces by its number. A build may not
    change owner, mode and times of files by path: Landlock does not guard these. Raises
    `SandboxUnavailable`.
    """
    seccomp = _library()
    arch = seccomp.system_arch()
    if arch not in (seccomp.Arch.X86_64, seccomp.Arch.AARCH64):
        raise SandboxUnavailable(
            "the filter of system calls is written for x86_64 and aarch64 only: "
            "play programs that you trust with --isolation none"
        )
    return filter_for(arch, purpose, shared)


@functools.cache
def filter_for(arch: int, purpose: Purpose, shared: bool) -> bytes:
    """`filter_program` for the machine with libseccomp's number `arch`."""
    seccomp = _library()
    refusals = _refusals(purpose, shared)
    try:
        program = _compiled(seccomp, arch, refusals)
    except OSError as error:
        raise SandboxUnavailable(
            f"libseccomp cannot make the filter of system calls: {error.strerror}. "
            "Is it 2.5 or newer, and does the kernel have seccomp?"
        ) from error
    return _beginning(seccomp.resolve_syscall(arch, "ioctl")) + program


def _refusals(purpose: Purpose, shared: bool) -> list[Refusal]:
    if purpose == "build":
        return [*ALWAYS, *BUILD, *(BUILD_SHARED if shared else ())]
    calls = "kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo" if shared else ""
    to_others = [Refusal(call, errno.EPERM, 0, "is not", PID_MARK) for call in calls.split()]
    return [*ALWAYS, *PLAY, *to_others]


def _compiled(seccomp: ModuleType, arch: int, refusals: list[Refusal]) -> bytes:
    """What libseccomp makes of the table; 32-bit calls on a 64-bit machine end the process."""
    rules = seccomp.SyscallFilter(seccomp.ALLOW)
    rules.set_attr(seccomp.Attr.ACT_BADARCH, seccomp.KILL_PROCESS)
    if not rules.exist_arch(arch):
        rules.remove_arch(seccomp.Arch.NATIVE)
        rules.add_arch(arch)
    for refusal in refusals:
        number = seccomp.resolve_syscall(seccomp.Arch.NATIVE, refusal.call)
        if number == -1:
            raise OSError(errno.ENOSYS, f"it does not know the call {refusal.call}")
        rules.add_rule(seccomp.ERRNO(refusal.error), number, *_conditions(seccomp, refusal))
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()


def _conditions(seccomp: ModuleType, refusal: Refusal) -> list[Any]:
    argument, value = refusal.argument, refusal.value
    if refusal.test is None:
        return []
    if refusal.test == "is not":
        return [seccomp.Arg(argument, seccomp.NE, value)]
    mask = value if refusal.test == "has" else refusal.mask
    return [seccomp.Arg(argument, seccomp.MASKED_EQ, mask, value)]


def _beginning(ioctl: int) -> bytes:
    """Refuses unknown calls and all but a few ioctls, and leads on to libseccomp's part.

    A call of another architecture is refused here by mistake or comes to libseccomp's check.
    """
    left = len(TERMINAL_QUESTIONS)
    lines = [
        (_LOAD, 0, 0, _CALL_NUMBER),
        (_JUMP_FROM, left + 3, 0, FIRST_UNKNOWN_CALL),
        (_JUMP_EQUAL, 0, left + 3, ioctl),
        (_LOAD, 0, 0, _ARGUMENT_1),
    ]
    for command in TERMINAL_QUESTIONS:
        left -= 1
        lines.append((_JUMP_EQUAL, left + 2, 0, command))
    lines.append((_RETURN, 0, 0, _REFUSE | errno.ENOTTY))
    lines.append((_RETURN, 0, 0, _REFUSE | errno.ENOSYS))
    return b"".join(struct.pack("=HBBI", *line) for line in lines)


@functools.cache
def _library() -> ModuleType:
    # Imported late: it loads the system's library, which not every machine has.
    try:
        return importlib.import_module("pyseccomp")
    except (ImportError, RuntimeError) as error:
        raise SandboxUnavailable(
            f"no libseccomp: {error}. Install it (Debian: apt install libseccomp2)"
        ) from error
