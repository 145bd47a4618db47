"""Attacks on who one is: capabilities, users, namespaces, other system call tables, leaks."""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Callable

from .registry import Attack, StoppedError, Targets, UnavailableError, add, attack
from .system import NUMBERS, call, call_number, checked, libc, run_machine_code

_SET_PDEATHSIG, _GET_NO_NEW_PRIVS = 1, 39
_FIRST_NOT_STANDARD, _DESCRIPTORS = 3, 4096
_X32 = 0x40000000


@attack("capabilities", "uid", root=True)
def _capabilities(_targets: Targets) -> str:
    # _LINUX_CAPABILITY_VERSION_3, for this process; then effective, permitted, inheritable twice
    header = (0x20080522).to_bytes(4, "little") + bytes(4)
    data = ctypes.create_string_buffer(24)
    call("capget", header, data)
    if not any(data.raw):
        raise StoppedError("none")
    return data.raw.hex()


@attack("no-new-privs", "no_new_privs")
def _no_new_privs(_targets: Targets) -> str:
    if checked(libc.prctl(_GET_NO_NEW_PRIVS, 0, 0, 0, 0)) == 1:
        raise StoppedError("set")
    return "not set: set-uid programs act"


@attack("setuid-zero", "uid", root=True)
def _setuid_zero(_targets: Targets) -> str:
    os.setresuid(0, 0, 0)
    return "root"


@attack("setgroups", "uid", root=True)
def _setgroups(_targets: Targets) -> str:
    os.setgroups(os.getgroups())
    return "took groups"


def _executing(name: str) -> Callable[[Targets], str]:
    def attempt(targets: Targets) -> str:
        path = targets.text(name)
        if not os.path.exists(path):
            raise StoppedError("not to be seen")
        # It tells on standard output what it became.
        os.execv(path, [path, name])

    return attempt


for _name in ("setuid-program", "capable-program"):
    add(Attack(_name, "no_new_privs", _executing(_name), root=False, alone=True))


@attack("pdeathsig", "seccomp")
def _pdeathsig(_targets: Targets) -> str:
    checked(libc.prctl(_SET_PDEATHSIG, 0, 0, 0, 0))
    return "survives who started it"


def _unsharing(flag: int) -> Callable[[Targets], str]:
    def attempt(_targets: Targets) -> str:
        call("unshare", flag)
        return "a namespace of its own"

    return attempt


for _name, _flag, _root in (
    ("user", 0x10000000, False),
    ("mount", 0x20000, True),
    ("net", 0x40000000, True),
    ("pid", 0x20000000, True),
    ("ipc", 0x08000000, True),
    ("time", 0x80, True),
):
    add(Attack(f"unshare-{_name}", "seccomp", _unsharing(_flag), root=_root, alone=True))


@attack("setns", "seccomp", root=True, alone=True)
def _setns(_targets: Targets) -> str:
    try:
        namespace = os.open("/proc/self/ns/uts", os.O_RDONLY)
    except OSError:
        namespace = 0
    try:
        call("setns", namespace, 0x04000000)
    except OSError as error:
        # No namespace to enter, but nothing was in the way.
        if error.errno == errno.EINVAL:
            return "reached the kernel"
        raise
    return "entered a namespace"


@attack("set-host-name", "uts", root=True)
def _set_host_name(_targets: Targets) -> str:
    name = os.uname().nodename.encode()
    checked(libc.sethostname(name, len(name)))
    return "set the host's name"


@attack("nice", "uid", root=True)
def _nice(_targets: Targets) -> str:
    before = os.getpriority(os.PRIO_PROCESS, 0)
    os.setpriority(os.PRIO_PROCESS, 0, before - 5)
    os.setpriority(os.PRIO_PROCESS, 0, before)
    return "went before others"


@attack("realtime", "uid", root=True)
def _realtime(_targets: Targets) -> str:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    return "SCHED_FIFO"


@attack("dmesg", "uid", root=True)
def _dmesg(_targets: Targets) -> str:
    content = ctypes.create_string_buffer(64)
    return repr(content.raw[: call("syslog", 3, content, 64)])


@attack("int80", "seccomp", alone=True)
def _int80(_targets: Targets) -> str:
    # getpid() of the 32-bit table, and a socket by its socketcall()
    pid = run_machine_code(bytes.fromhex("b814000000cd80c3"))
    if pid != os.getpid():
        raise UnavailableError(f"a 32-bit getpid() said {pid}")
    return "called by the 32-bit table"


@attack("x32", "seccomp", alone=True)
def _x32(_targets: Targets) -> str:
    if "fork" not in NUMBERS:
        raise UnavailableError("written for x86_64")
    return f"process {call_number(_X32 + 39)}"


@attack("inherited-descriptors", "fds")
def _inherited_descriptors(_targets: Targets) -> str:
    open_ones = [d for d in range(_FIRST_NOT_STANDARD, _DESCRIPTORS) if _is_open(d)]
    if not open_ones:
        raise StoppedError("none")
    return f"open: {open_ones}"


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


@attack("own-environment", "environment")
def _own_environment(targets: Targets) -> str:
    secret = targets.text("secret")
    found = [name for name, value in os.environ.items() if secret in value]
    if not found:
        raise StoppedError(f"only {' '.join(os.environ)}")
    return f"{found[0]} has it"


@attack("host-load", "seccomp")
def _host_load(_targets: Targets) -> str:
    content = ctypes.create_string_buffer(256)
    checked(libc.sysinfo(content))
    return f"up for {int.from_bytes(content.raw[:8], 'little')} s"
