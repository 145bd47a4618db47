"""Which system calls a sandboxed program may not make, and what it is told instead.

Data for `arena.sandbox.seccomp`. The errors are those that programs expect: "no such call" where
they know another way, else the one that says what is so (no process, no lock, nothing writable).
"""

from __future__ import annotations

import errno
from dataclasses import dataclass
from typing import Literal

Test = Literal["is", "is not", "has"]


@dataclass(frozen=True)
class Refusal:
    """One system call that is refused; with `test`, only where that argument is so."""

    call: str
    error: int
    argument: int = 0
    test: Test | None = None
    value: int = 0
    """"is": the argument's bits under `mask` are this; "is not": all 64 bits are not this; "has":
    all bits of this are set. A mask of 32 bits is what the kernel looks at where it takes an int:
    a comparison of all 64 could be passed by setting a bit that the kernel ignores."""
    mask: int = 0xFFFF_FFFF


def _whole(error: int, calls: str) -> list[Refusal]:
    return [Refusal(call, error) for call in calls.split()]


ALWAYS: list[Refusal] = [
    *_whole(
        errno.ENOSYS,
        # libc takes clone then, whose flags can be looked at.
        "clone3 "
        # Memory that no limit counts, and ways around this filter.
        "memfd_create memfd_secret userfaultfd io_uring_setup io_uring_enter io_uring_register "
        # The whole machine has only 65,536 of these events.
        "io_setup io_submit "
        # What is kept or seen outside the process: two bots could talk through it.
        "add_key keyctl request_key shmget shmat shmctl shmdt semget semop semctl semtimedop "
        "msgget msgsnd msgrcv msgctl mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify "
        "mq_getsetattr inotify_init inotify_init1 inotify_add_watch "
        # Could send SIGCONT to a program that the arena has stopped.
        "timer_create",
    ),
    *_whole(
        errno.EPERM,
        # Other processes.
        "ptrace process_vm_readv process_vm_writev process_madvise process_mrelease kcmp "
        "pidfd_getfd migrate_pages move_pages setpriority ioprio_set sched_setaffinity "
        "sched_setattr sched_setparam sched_setscheduler "
        # Namespaces and mounts.
        "unshare setns mount umount2 pivot_root chroot move_mount open_tree fsopen fsconfig "
        "fsmount fspick mount_setattr "
        # Files without their names, and what is seen of files that others use.
        "name_to_handle_at open_by_handle_at fanotify_init fanotify_mark lookup_dcookie "
        # The kernel's own affairs.
        "bpf perf_event_open seccomp syslog acct quotactl quotactl_fd swapon swapoff reboot "
        "kexec_load kexec_file_load init_module finit_module delete_module create_module "
        "settimeofday clock_settime adjtimex clock_adjtime sethostname setdomainname vhangup "
        "iopl ioperm modify_ldt nfsservctl uselib _sysctl sysfs ustat sync syncfs",
    ),
    *_whole(errno.EACCES, "socket connect bind listen"),
    # Pairs within the process stay (Python's asyncio needs one), but only streams: a datagram
    # socket of a pair can send to any socket in the file system.
    Refusal("socketpair", errno.EACCES, 0, "is not", 1),
    Refusal("socketpair", errno.EACCES, 1, "is", 2, 0xF),
    Refusal("socketpair", errno.EACCES, 1, "is", 3, 0xF),
    # Memory that RLIMIT_DATA does not count: MAP_SHARED with MAP_ANONYMOUS, MAP_GROWSDOWN.
    Refusal("mmap", errno.ENOMEM, 3, "has", 0x21),
    Refusal("mmap", errno.ENOMEM, 3, "has", 0x100),
    # Limits of others; 0 is the caller.
    Refusal("prlimit64", errno.EPERM, 0, "is not", 0),
    # Asking what it is (all ones) stays.
    Refusal("personality", errno.EPERM, 0, "is not", 0xFFFF_FFFF),
    *(
        Refusal("prctl", errno.EPERM, 0, "is", option)
        # PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_SCHED_CORE, PR_FUTEX_HASH, PR_SET_PTRACER
        for option in (1, 22, 62, 78, 0x5961_6D61)
    ),
    *(
        Refusal("fcntl", errno.EPERM, 1, "is", command)
        # F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY, F_SETPIPE_SZ: signals from files
        # could wake a stopped program, leases are seen by others, and the room for pipes is
        # shared by all of a user's processes.
        for command in (8, 10, 15, 1024, 1026, 1031)
    ),
]

PLAY: list[Refusal] = [
    # A single process: then one signal stops all of it, one limit holds for all of it.
    *_whole(errno.EAGAIN, "fork vfork"),
    # CLONE_THREAD is not set.
    Refusal("clone", errno.EAGAIN, 0, "is", 0, 0x1_0000),
    *_whole(errno.ENOSYS, "pidfd_open pidfd_send_signal"),
    *_whole(
        errno.EROFS,
        "chmod fchmod fchmodat chown fchown lchown fchownat utime utimes futimesat utimensat "
        "setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr truncate rename "
        "renameat renameat2 link linkat symlink symlinkat unlink unlinkat mkdir mkdirat rmdir "
        "mknod mknodat",
    ),
    # Locks on files that all bots can read are a channel; so is what stays in the page cache.
    *_whole(errno.ENOLCK, "flock"),
    *_whole(errno.EPERM, "fadvise64"),
    *(
        Refusal("fcntl", errno.ENOLCK, 1, "is", command)
        # F_GETLK, F_SETLK, F_SETLKW, F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW
        for command in (5, 6, 7, 36, 37, 38)
    ),
]

BUILD: list[Refusal] = [
    Refusal("clone", errno.EPERM, 0, "has", flag)
    # CLONE_NEWTIME is unshare's alone. The rest: mounts, cgroup, uts, ipc, user, pid, net.
    for flag in (1 << 17, 1 << 25, 1 << 26, 1 << 27, 1 << 28, 1 << 29, 1 << 30)
]

BUILD_SHARED: list[Refusal] = [
    # A linker that may not say what is executable would fail: it is told that it may.
    *_whole(0, "chmod fchmodat utime utimes futimesat"),
    # No path: the times of an open file, which is then one of the build's own.
    Refusal("utimensat", 0, 1, "is not", 0),
    *_whole(
        errno.EPERM,
        "chown lchown fchownat setxattr lsetxattr removexattr lremovexattr pidfd_open "
        "pidfd_send_signal",
    ),
]
"""Beyond `BUILD`, where other files of the user are in sight."""

TERMINAL_QUESTIONS = (0x5401, 0x802C_542A, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""All that `ioctl` may do, the rest is ENOTTY: TCGETS, TCGETS2, TIOCGWINSZ, FIONREAD, FIONBIO,
FIONCLEX, FIOCLEX. Others change a file's flags, push characters into a terminal, send signals."""

FIRST_UNKNOWN_CALL = 450
"""From this number on (the same on all machines) every call is unknown to the table, x32's too."""
