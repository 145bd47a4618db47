"""System calls by name, past every check that a library makes."""

from __future__ import annotations

import ctypes
import mmap
import os
import platform

from .registry import UnavailableError

_X86_64 = {
    "fork": 57, "unshare": 272, "clone": 56, "clone3": 435, "setns": 308,
    "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312,
    "kill": 62, "tkill": 200, "tgkill": 234, "rt_sigqueueinfo": 129, "rt_tgsigqueueinfo": 297,
    "pidfd_open": 434, "pidfd_send_signal": 424, "pidfd_getfd": 438,
    "prlimit64": 302, "sched_setaffinity": 203, "sched_setscheduler": 144, "sched_setattr": 314,
    "setpriority": 141, "ioprio_set": 251,
    "inotify_init": 253, "inotify_init1": 294, "fanotify_init": 300,
    "userfaultfd": 323, "perf_event_open": 298, "memfd_create": 319, "memfd_secret": 447,
    "timer_create": 222, "mq_open": 240, "mq_notify": 244, "flock": 73,
    "name_to_handle_at": 303, "open_by_handle_at": 304, "io_uring_setup": 425, "bpf": 321,
    "add_key": 248, "request_key": 249, "keyctl": 250,
    "shmget": 29, "shmat": 30, "shmctl": 31, "msgget": 68, "semget": 64,
    "syslog": 103, "capget": 125,
    "chmod": 90, "fchmodat": 268, "fchmodat2": 452, "chown": 92, "fchownat": 260,
    "utime": 132, "utimes": 235, "utimensat": 280,
    "setxattr": 188, "lsetxattr": 189, "setxattrat": 463,
    "mount": 165, "umount2": 166, "fsopen": 430, "chroot": 161,
}  # fmt: skip
_AARCH64 = {
    "unshare": 97, "clone": 220, "clone3": 435, "setns": 268,
    "ptrace": 117, "process_vm_readv": 270, "process_vm_writev": 271, "kcmp": 272,
    "kill": 129, "tkill": 130, "tgkill": 131, "rt_sigqueueinfo": 138, "rt_tgsigqueueinfo": 240,
    "pidfd_open": 434, "pidfd_send_signal": 424, "pidfd_getfd": 438,
    "prlimit64": 261, "sched_setaffinity": 122, "sched_setscheduler": 119, "sched_setattr": 274,
    "setpriority": 140, "ioprio_set": 30,
    "inotify_init1": 26, "fanotify_init": 262,
    "userfaultfd": 282, "perf_event_open": 241, "memfd_create": 279, "memfd_secret": 447,
    "timer_create": 107, "mq_open": 180, "mq_notify": 184, "flock": 32,
    "name_to_handle_at": 264, "open_by_handle_at": 265, "io_uring_setup": 425, "bpf": 280,
    "add_key": 217, "request_key": 218, "keyctl": 219,
    "shmget": 194, "shmat": 196, "shmctl": 195, "msgget": 186, "semget": 190,
    "syslog": 116, "capget": 90,
    "fchmodat": 53, "fchmodat2": 452, "fchownat": 54, "utimensat": 88,
    "setxattr": 5, "lsetxattr": 6, "setxattrat": 463,
    "mount": 40, "umount2": 39, "fsopen": 430, "chroot": 51,
}  # fmt: skip
NUMBERS: dict[str, int] = {"x86_64": _X86_64, "aarch64": _AARCH64}.get(platform.machine(), {})

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [
    ctypes.c_void_p,
    ctypes.c_size_t,
    ctypes.c_int,
    ctypes.c_int,
    ctypes.c_int,
    ctypes.c_long,
]

Argument = int | bytes | None | ctypes.Array[ctypes.c_char]


def call(name: str, *arguments: Argument) -> int:
    """The system call `name`. Raises `OSError`, and `UnavailableError` where there is no such."""
    if name not in NUMBERS:
        raise UnavailableError(f"{platform.machine()} has no system call {name}")
    return call_number(NUMBERS[name], *arguments)


def call_number(number: int, *arguments: Argument) -> int:
    """The system call with this number. Raises `OSError`."""
    passed = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    ctypes.set_errno(0)
    return checked(libc.syscall(ctypes.c_long(number), *passed))


def checked(result: int) -> int:
    """What a function of the C library returned. Raises `OSError` where it says so by -1."""
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return int(result)


def map_memory(size: int, flags: int, descriptor: int = -1) -> int:
    """The address of `size` new bytes, written to once. Raises `OSError`."""
    address = libc.mmap(None, size, mmap.PROT_READ | mmap.PROT_WRITE, flags, descriptor, 0)
    if address is None or address == ctypes.c_void_p(-1).value:
        checked(-1)
    ctypes.memset(address, 1, size)
    return int(address)


def run_machine_code(code: bytes) -> int:
    """What a function made of these bytes returns in the first register (x86_64 only).

    Raises `OSError` where the number is an error of the system, negative as it left the kernel.
    """
    if platform.machine() != "x86_64":
        raise UnavailableError("written for x86_64")
    page = mmap.mmap(-1, mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)
    page.write(code)
    entry = ctypes.addressof(ctypes.c_char.from_buffer(page))
    result: int = ctypes.CFUNCTYPE(ctypes.c_int)(entry)()
    if -4096 < result < 0:
        raise OSError(-result, os.strerror(-result))
    return result
