"""Attacks on other processes: their memory, environment, files, signals and scheduling."""

from __future__ import annotations

import ctypes
import os
import signal
from collections.abc import Callable

from .registry import Attack, StoppedError, Targets, UnavailableError, add, attack
from .system import call

_IGNORED = signal.SIGURG  # harmless to whom it reaches
_PTRACE_SEIZE, _PTRACE_DETACH = 0x4206, 17


def _on(name: str, layer: str, attempt: Callable[[int], object], *, root: bool = False) -> None:
    """The same attack on the sibling and on the arena."""
    for victim in ("sibling", "arena"):

        def against(targets: Targets, victim: str = victim) -> str:
            pid = targets.number(f"{victim}-pid")
            # An arena may be process 1 of a container, as every sandbox with process numbers of
            # its own has a first one that starts the bot as its second.
            if pid == os.getpid() or (pid == 1 and os.getpid() == 2):
                raise StoppedError("process numbers are others here")
            return str(attempt(pid))[:200]

        add(Attack(f"{name}-{victim}", layer, against, root=root, alone=False))


def _environment(pid: int) -> str:
    with open(f"/proc/{pid}/environ", "rb") as file:
        return repr(file.read(80))


def _descriptors(pid: int) -> str:
    return repr(os.listdir(f"/proc/{pid}/fd"))


_on("environ", "pid", _environment)
_on("descriptors", "pid", _descriptors)


@attack("environ-one", "pid", root=True)
def _environ_one(_targets: Targets) -> str:
    with open("/proc/1/environ", "rb") as file:
        return repr(file.read(60))


@attack("environ-parent", "pid")
def _environ_parent(_targets: Targets) -> str:
    return _environment(os.getppid())


@attack("memory-parent", "pid")
def _memory_parent(_targets: Targets) -> str:
    os.close(os.open(f"/proc/{os.getppid()}/mem", os.O_RDWR))
    return "opened the parent's memory"


@attack("memory-sibling", "pid")
def _memory_sibling(targets: Targets) -> str:
    descriptor = os.open(f"/proc/{targets.number('sibling-pid')}/mem", os.O_RDONLY)
    try:
        return repr(os.pread(descriptor, 20, targets.number("sibling-address")))
    finally:
        os.close(descriptor)


def _transfer(name: str, targets: Targets) -> str:
    mine = ctypes.create_string_buffer(8)
    here = (ctypes.c_size_t * 2)(ctypes.addressof(mine), 8)
    there = (ctypes.c_size_t * 2)(targets.number("sibling-address"), 8)
    sibling = targets.number("sibling-pid")
    call(name, sibling, ctypes.addressof(here), 1, ctypes.addressof(there), 1, 0)
    return repr(mine.raw)


@attack("process-vm-readv", "pid")
def _process_vm_readv(targets: Targets) -> str:
    return _transfer("process_vm_readv", targets)


@attack("process-vm-writev", "pid")
def _process_vm_writev(targets: Targets) -> str:
    return _transfer("process_vm_writev", targets)


def _ptrace(pid: int) -> str:
    call("ptrace", _PTRACE_SEIZE, pid, 0, 0)
    return "traced"


@attack("ptrace-sibling", "pid", alone=True)
def _ptrace_sibling(targets: Targets) -> str:
    return _ptrace(targets.number("sibling-pid"))


def _signal_information() -> bytes:
    # siginfo_t: number, errno and code; -1 is SI_QUEUE, as sigqueue() sends it
    return b"".join(n.to_bytes(4, "little", signed=True) for n in (_IGNORED, 0, -1)) + bytes(116)


def _pidfd(pid: int) -> int:
    return call("pidfd_open", pid, 0)


def _close_pidfd(pid: int) -> str:
    os.close(_pidfd(pid))
    return "a descriptor of the process"


def _steal_descriptor(pid: int) -> str:
    os.close(call("pidfd_getfd", _pidfd(pid), 0, 0))
    return "its standard input"


def _signal_by_descriptor(pid: int) -> int:
    return call("pidfd_send_signal", _pidfd(pid), _IGNORED, None, 0)


_on("kill", "pid", lambda pid: call("kill", pid, _IGNORED))
_on("kill-zero", "pid", lambda pid: call("kill", pid, 0))
_on("tkill", "pid", lambda pid: call("tkill", pid, _IGNORED))
_on("tgkill", "pid", lambda pid: call("tgkill", pid, pid, _IGNORED))
_on("sigqueue", "pid", lambda pid: call("rt_sigqueueinfo", pid, _IGNORED, _signal_information()))
_on(
    "tgsigqueue",
    "pid",
    lambda pid: call("rt_tgsigqueueinfo", pid, pid, _IGNORED, _signal_information()),
)
_on("pidfd-open", "pid", _close_pidfd)
_on("pidfd-getfd", "pid", _steal_descriptor)
_on("pidfd-signal", "pid", _signal_by_descriptor)
_on("kcmp", "pid", lambda pid: call("kcmp", os.getpid(), pid, 1, 0, 0))


@attack("kill-everybody", "pid")
def _kill_everybody(_targets: Targets) -> str:
    call("kill", -1, 0)
    return "every process may be signalled"


@attack("kill-parent", "pid")
def _kill_parent(_targets: Targets) -> str:
    if os.getppid() <= 1:
        raise StoppedError("the sandbox's first process, which ignores signals from inside")
    call("kill", os.getppid(), _IGNORED)
    return "the parent was signalled"


def _limits(pid: int) -> str:
    old = (ctypes.c_uint64 * 2)()
    call("prlimit64", pid, 7, None, ctypes.addressof(old))
    # The same again, so that nothing changes.
    call("prlimit64", pid, 7, ctypes.addressof(old), None)
    return f"set its limit of descriptors, {old[0]}"


def _affinity(pid: int) -> str:
    everywhere = (ctypes.c_uint64 * 16)(*[2**64 - 1] * 16)
    call("sched_setaffinity", pid, 128, ctypes.addressof(everywhere))
    return "moved it to other cores"


def _scheduler(pid: int) -> str:
    call("sched_setscheduler", pid, 0, (0).to_bytes(4, "little"))
    return "set its scheduling"


_on("prlimit", "seccomp", _limits)
_on("affinity", "seccomp", _affinity)
_on("scheduler", "seccomp", _scheduler)
_on("priority", "seccomp", lambda pid: call("setpriority", 0, pid, 0))
_on("ioprio", "seccomp", lambda pid: call("ioprio_set", 1, pid, 2 << 13 | 4))


@attack("affinity-own", "seccomp")
def _affinity_own(targets: Targets) -> str:
    before = os.sched_getaffinity(0)
    if len(before) >= targets.number("cores"):
        raise UnavailableError("it was given every core")
    os.sched_setaffinity(0, range(1024))
    after = os.sched_getaffinity(0)
    if after <= before:
        raise StoppedError("no more cores than before")
    return f"from {len(before)} to {len(after)} cores"
