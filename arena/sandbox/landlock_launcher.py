"""Started by `arena.sandbox.landlock` in front of a bot: gives up every right, then becomes it.

In a process of its own it needs nothing but the standard library, because what it does to itself
cannot be undone, and because Python code between fork and exec could stop for ever in an arena
with threads.
"""

from __future__ import annotations

import ctypes
import marshal
import os
import resource
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    # The module `typing` would cost every start of a bot some ms.
    from typing import Any

FAILED = 125
"""Exit status where the sandbox could not be set up; the reason stands on standard error."""
CANNOT_EXECUTE = 127
"""Exit status where only the bot's program could not be executed."""

READ = 0b1101
"""Landlock's rights to execute, to read files and to list folders."""
READ_FILE = 0b100
READ_WRITE_FILE = 0b110
_ALL_RIGHTS = {1: 1 << 13, 2: 1 << 14, 3: 1 << 15, 4: 1 << 15}
"""By Landlock's version: everything that it can withhold is below this; 1 << 16 from 5 on."""
_TCP = 0b11
_SCOPES = 0b11
"""Abstract sockets and signals."""
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_PATH_BENEATH = 1
_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 1, 22, 38
_SECCOMP_MODE_FILTER = 2
_SIGKILL, _SIGPIPE, _SIGXFSZ = 9, 13, 25
"""The same on x86_64 and aarch64; the module `signal` would cost every start 2 ms."""

_libc = ctypes.CDLL(None, use_errno=True)


class _Ruleset(ctypes.Structure):
    _fields_ = (("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("rights", ctypes.c_uint64), ("fd", ctypes.c_int32))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("lines", ctypes.c_char_p))


def version() -> int:
    """Landlock's version in this kernel, 0 where it is missing or not allowed."""
    return max(0, int(_libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1)))


def all_rights(landlock: int) -> int:
    """Everything that this version of Landlock can withhold of the file system."""
    return _ALL_RIGHTS.get(landlock, 1 << 16) - 1


def with_pid(program: bytes, mark: int, pid: int) -> bytes:
    """A seccomp program made for the process with the number `pid`."""
    return program.replace(mark.to_bytes(4, sys.byteorder), pid.to_bytes(4, sys.byteorder))


def main() -> None:
    """Become what the first argument says (see `arena.sandbox.landlock`)."""
    plan = marshal.loads(bytes.fromhex(sys.argv[1]))
    try:
        if plan["begun"] is not None:
            os.set_inheritable(plan["begun"], False)
        _restrict(plan)
        if plan["begun"] is not None:
            os.write(plan["begun"], b"1")
    except OSError as error:
        print(f"the sandbox could not be set up: {error}", file=sys.stderr)
        os._exit(FAILED)
    for number in (_SIGPIPE, _SIGXFSZ):
        # Python ignores them, and what is ignored stays so in the program that it becomes.
        _libc.signal(number, None)
    try:
        os.execve(plan["program"], plan["argv"], plan["environment"])
    except OSError as error:
        print(f"{plan['program']}: {error.strerror}", file=sys.stderr)
        os._exit(CANNOT_EXECUTE)


def _restrict(plan: dict[str, Any]) -> None:
    # Folders are opened as who the arena is: they may lie where the bot's user can't enter.
    ruleset = _make_ruleset(plan["landlock"], plan["paths"])
    if plan["uid"] is not None:
        os.setgroups([])
        os.setresgid(plan["uid"], plan["uid"], plan["uid"])
        os.setresuid(plan["uid"], plan["uid"], plan["uid"])
    if plan["temporary"] is not None:
        os.makedirs(plan["temporary"], exist_ok=True)
    # After the change of user, which would clear it.
    _prctl(_PR_SET_PDEATHSIG, _SIGKILL)
    if plan["parent"] not in (None, os.getppid()):
        os._exit(FAILED)
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    _call(_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)
    lines = with_pid(plan["filter"], plan["mark"], os.getpid())
    program = _Program(len(lines) // 8, lines)
    # Last, since Python itself may need more than the bot is given.
    for number, limit in plan["limits"]:
        resource.setrlimit(number, limit)
    _prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program))


def _make_ruleset(landlock: int, paths: list[tuple[str, int]]) -> int:
    """A Landlock ruleset that leaves these rights below these paths; a path may be missing."""
    rights = all_rights(landlock)
    wanted = _Ruleset(rights, _TCP if landlock >= 4 else 0, _SCOPES if landlock >= 6 else 0)
    size = ctypes.c_size_t(ctypes.sizeof(wanted))
    ruleset = _call(_CREATE_RULESET, ctypes.byref(wanted), size, 0)
    for path, left in paths:
        try:
            fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        beneath = _Beneath(left & rights, fd)
        _call(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(beneath), 0)
        os.close(fd)
    return ruleset


def _prctl(option: int, *arguments: Any) -> None:
    # The kernel refuses some options where an argument that it does not use is not 0.
    padded = [ctypes.c_ulong(a) if isinstance(a, int) else a for a in (*arguments, 0, 0, 0)]
    if _libc.prctl(option, *padded[:4]):
        raise OSError(ctypes.get_errno(), f"prctl {option}: {os.strerror(ctypes.get_errno())}")


def _call(number: int, *arguments: Any) -> int:
    result = int(_libc.syscall(number, *arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), f"call {number}: {os.strerror(ctypes.get_errno())}")
    return result
