"""Attacks on limits: memory that RLIMIT_DATA does not count, and more processes than one."""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
import resource
from collections.abc import Callable

from .registry import Attack, StoppedError, Targets, add, attack
from .system import call, map_memory, run_machine_code

_MIB = 1024 * 1024
_GIB = 1024 * _MIB
_GROWSDOWN = 0x100
_CLONE_NEWUSER, _SIGCHLD = 0x10000000, 17


def _mapping(flags: int) -> Callable[[Targets], str]:
    def attempt(_targets: Targets) -> str:
        map_memory(_MIB, flags)
        return "memory that no limit counts"

    return attempt


for _name, _flags in {
    "map-shared": mmap.MAP_SHARED | mmap.MAP_ANONYMOUS,
    "map-growsdown": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _GROWSDOWN,
}.items():
    add(Attack(_name, "seccomp", _mapping(_flags), root=False, alone=False))


@attack("map-dev-zero", "mount")
def _map_dev_zero(_targets: Targets) -> str:
    descriptor = os.open("/dev/zero", os.O_RDWR)
    try:
        map_memory(_MIB, mmap.MAP_SHARED, descriptor)
    finally:
        os.close(descriptor)
    return "memory that no limit counts"


def _making(name: str, *arguments: int | bytes) -> Callable[[Targets], str]:
    def attempt(_targets: Targets) -> str:
        os.close(call(name, *arguments))
        return "opened"

    return attempt


# struct perf_event_attr: a software event (kind 1), its size, and only what this process does
_PERF = (1).to_bytes(4, "little") + (112).to_bytes(4, "little") + bytes(32) + b"\x60" + bytes(71)
add(Attack("memfd", "seccomp", _making("memfd_create", b"x", 0), root=False, alone=False))
add(Attack("memfd-secret", "seccomp", _making("memfd_secret", 0), root=False, alone=False))
add(Attack("userfaultfd", "seccomp", _making("userfaultfd", 0), root=True, alone=False))
add(
    Attack(
        "perf-event",
        "seccomp",
        _making("perf_event_open", _PERF, 0, -1, -1, 0),
        root=False,
        alone=False,
    )
)


@attack("io-uring", "seccomp")
def _io_uring(_targets: Targets) -> str:
    os.close(call("io_uring_setup", 1, ctypes.create_string_buffer(120)))
    return "a ring"


@attack("bpf", "seccomp", root=True)
def _bpf(_targets: Targets) -> str:
    # BPF_MAP_CREATE: an array of one 4-byte value
    wanted = b"".join(n.to_bytes(4, "little") for n in (2, 4, 4, 1)) + bytes(104)
    os.close(call("bpf", 0, wanted, len(wanted)))
    return "a map in the kernel"


def _childless(result: int) -> None:
    """In the child of a bare clone: end at once."""
    if result == 0:
        os._exit(0)


@attack("fork", "seccomp")
def _fork(_targets: Targets) -> str:
    pid = os.fork()
    _childless(pid)
    os.waitpid(pid, 0)
    return "a process"


@attack("fork-call", "seccomp")
def _fork_call(_targets: Targets) -> str:
    pid = call("fork")
    _childless(pid)
    os.waitpid(pid, 0)
    return "a process"


@attack("vfork", "seccomp")
def _vfork(_targets: Targets) -> str:
    # mov eax,58; syscall; test eax,eax; jnz over; xor edi,edi; mov eax,60; syscall; over: ret
    pid = run_machine_code(
        bytes.fromhex("b83a0000000f0585c0750931ffb83c0000000f05c3"),
    )
    os.waitpid(pid, 0)
    return "a process"


def _clone(flags: int) -> str:
    pid = call("clone", flags | _SIGCHLD, 0, 0, 0, 0)
    _childless(pid)
    os.waitpid(pid, 0)
    return "a process"


def _clone3(flags: int) -> str:
    # struct clone_args: flags first, the signal at the end as the fifth
    arguments = b"".join(n.to_bytes(8, "little") for n in (flags, 0, 0, 0, _SIGCHLD, 0, 0, 0))
    pid = call("clone3", arguments, len(arguments))
    _childless(pid)
    os.waitpid(pid, 0)
    return "a process"


_CLONES = {
    "clone": lambda _: _clone(0),
    "clone-newuser": lambda _: _clone(_CLONE_NEWUSER),
    "clone3": lambda _: _clone3(0),
    "clone3-newuser": lambda _: _clone3(_CLONE_NEWUSER),
}
for _name, _attempt in _CLONES.items():
    add(Attack(_name, "seccomp", _attempt, root=False, alone=False))


@attack("address-space", "rlimits")
def _address_space(_targets: Targets) -> str:
    # Only reserved: what it costs are page tables, once it is touched.
    size = 64 * _GIB
    area = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ)
    area.close()
    return f"{size // _GIB} GiB"


@attack("memory", "rlimits")
def _memory(targets: Targets) -> str:
    size = (targets.number("memory-mb") + 64) * _MIB
    try:
        mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
    except OSError as error:
        if error.errno == errno.ENOMEM:
            raise StoppedError("no more memory") from None
        raise
    return f"{size // _MIB} MiB"


def _boundless(limit: int, most: int) -> Callable[[Targets], str]:
    """Breached where the hard limit is above `most`."""

    def attempt(_targets: Targets) -> str:
        hard = resource.getrlimit(limit)[1]
        if hard == resource.RLIM_INFINITY or hard > most:
            return f"hard limit {hard if hard >= 0 else 'infinite'}"
        raise StoppedError(f"hard limit {hard}")

    return attempt


for _name, _limit, _most in (
    ("core", resource.RLIMIT_CORE, 0),
    ("stack", resource.RLIMIT_STACK, 64 * _MIB),
    ("descriptors", resource.RLIMIT_NOFILE, 256),
    ("processes", resource.RLIMIT_NPROC, 256),
    ("file-size", resource.RLIMIT_FSIZE, 16 * _MIB),
    ("locked-memory", resource.RLIMIT_MEMLOCK, _MIB),
    ("message-queues", resource.RLIMIT_MSGQUEUE, 0),
    ("pending-signals", resource.RLIMIT_SIGPENDING, 256),
):
    _entry = Attack(f"limit-{_name}", "rlimits", _boundless(_limit, _most), False, alone=False)
    add(_entry)


@attack("limit-raise", "rlimits", root=True)
def _raise_limit(_targets: Targets) -> str:
    limits = (ctypes.c_uint64 * 2)()
    call("prlimit64", 0, resource.RLIMIT_NOFILE, None, ctypes.addressof(limits))
    limits[1] += 1
    call("prlimit64", 0, resource.RLIMIT_NOFILE, ctypes.addressof(limits), None)
    return f"raised to {limits[1]}"
