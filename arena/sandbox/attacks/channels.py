"""Attacks on what processes share beside files and sockets: IPC, keys, locks, notices."""

from __future__ import annotations

import ctypes
import fcntl
import os
import signal
import socket
from collections.abc import Callable

from .registry import Attack, Targets, UnavailableError, add, attack
from .system import call, libc

_SHARED_FILE = "/usr"
_SEARCH, _READ, _USER_KEYRING = 10, 11, -4
_F_SETSIG, _F_SETOWN_EX, _F_NOTIFY, _F_OFD_SETLK = 10, 15, 1026, 37
_SIGEV_SIGNAL = 0


@attack("shm-file", "ipc")
def _shm_file(targets: Targets) -> str:
    with open(targets.text("shm-file"), "rb") as file:
        return repr(file.read(40))


@attack("sysv-shm", "ipc")
def _sysv_shm(targets: Targets) -> str:
    address = call("shmat", targets.number("sysv-shm"), None, 0o10000)
    return repr(ctypes.string_at(address, 16))


@attack("sysv-shm-create", "ipc")
def _sysv_shm_create(_targets: Targets) -> str:
    identifier = call("shmget", 0, 4096, 0o1600)
    call("shmctl", identifier, 0, None)
    return "memory that no limit counts"


def _creating(name: str, *arguments: int) -> Callable[[Targets], str]:
    def attempt(_targets: Targets) -> str:
        identifier = call(name, *arguments)
        removal = libc.msgctl if name == "msgget" else libc.semctl
        removal(*((identifier, 0, None) if name == "msgget" else (identifier, 0, 0)))
        return "made"

    return attempt


add(Attack("sysv-message-queue", "ipc", _creating("msgget", 0, 0o1600), root=False, alone=False))
add(Attack("sysv-semaphore", "ipc", _creating("semget", 0, 1, 0o1600), root=False, alone=False))


@attack("posix-message-queue", "ipc")
def _posix_message_queue(_targets: Targets) -> str:
    name = b"kseri-%d" % os.getpid()
    os.close(call("mq_open", name, os.O_CREAT | os.O_RDWR, 0o600, None))
    libc.mq_unlink(b"/" + name)
    return "made"


@attack("mq-notify", "ipc")
def _mq_notify(_targets: Targets) -> str:
    try:
        call("mq_notify", -1, None)
    except OSError as error:
        # The kernel looked at the descriptor: nothing was in the way.
        if error.errno == 9:
            return "reached the kernel"
        raise
    return "asked for notice"


@attack("key-sibling", "ipc")
def _key_sibling(targets: Targets) -> str:
    name = targets.text("key").encode()
    key = call("keyctl", _SEARCH, _USER_KEYRING, b"user", name, 0)
    content = ctypes.create_string_buffer(64)
    length = call("keyctl", _READ, key, content, 64)
    return repr(content.raw[:length])


@attack("key-add", "seccomp")
def _key_add(_targets: Targets) -> str:
    key = call("add_key", b"user", b"kseri-attack", b"x", 1, -2)
    call("keyctl", 3, key)  # revoked
    return "left a key"


@attack("key-request", "seccomp")
def _key_request(_targets: Targets) -> str:
    try:
        call("request_key", b"user", b"kseri-no-such-key", None, 0)
    except OSError as error:
        if error.errno == 126:  # ENOKEY: it was looked for
            return "asked for a key"
        raise
    return "found a key"


def _on_shared(attempt: Callable[[int], object]) -> Callable[[Targets], str]:
    def on_shared(_targets: Targets) -> str:
        path = os.path.realpath("/usr/bin/env")
        descriptor = os.open(path, os.O_RDONLY)
        try:
            attempt(descriptor)
        finally:
            os.close(descriptor)
        return f"on {path}"

    return on_shared


def _lock(command: int) -> Callable[[int], object]:
    # struct flock: kind (0: for reading), from where, start, length, process
    request = bytes(4) + bytes(4) + bytes(8) + (1).to_bytes(8, "little") + bytes(8)
    return lambda descriptor: fcntl.fcntl(descriptor, command, request)


_LOCKS: dict[str, Callable[[int], object]] = {
    "flock": lambda descriptor: call("flock", descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB),
    "posix-lock": _lock(fcntl.F_SETLK),
    "posix-lock-query": _lock(fcntl.F_GETLK),
    "ofd-lock": _lock(_F_OFD_SETLK),
}
for _name, _attempt in _LOCKS.items():
    add(Attack(_name, "seccomp", _on_shared(_attempt), root=False, alone=False))


@attack("lease", "seccomp", root=True)
def _lease(targets: Targets) -> str:
    return _on_shared(lambda d: fcntl.fcntl(d, fcntl.F_SETLEASE, fcntl.F_RDLCK))(targets)


@attack("dnotify", "seccomp")
def _dnotify(_targets: Targets) -> str:
    descriptor = os.open(_SHARED_FILE, os.O_RDONLY)
    try:
        fcntl.fcntl(descriptor, _F_NOTIFY, 1)
    finally:
        os.close(descriptor)
    return f"watches {_SHARED_FILE}"


@attack("inotify", "seccomp")
def _inotify(_targets: Targets) -> str:
    for name, arguments in (("inotify_init1", (0,)), ("inotify_init", ())):
        try:
            os.close(call(name, *arguments))
        except OSError as error:
            last = error
        else:
            return f"by {name}"
    raise last


@attack("fanotify", "seccomp", root=True)
def _fanotify(_targets: Targets) -> str:
    os.close(call("fanotify_init", 0, 0))
    return "watches"


def _event(kind: int) -> bytes:
    # struct sigevent: value, signal, kind
    return bytes(8) + int(signal.SIGCONT).to_bytes(4, "little") + kind.to_bytes(4, "little")


@attack("timer-signal", "seccomp")
def _timer_signal(_targets: Targets) -> str:
    call("timer_create", 1, _event(_SIGEV_SIGNAL) + bytes(48), ctypes.create_string_buffer(8))
    return "SIGCONT by a timer"


@attack("timer-default", "seccomp")
def _timer_default(_targets: Targets) -> str:
    call("timer_create", 1, None, ctypes.create_string_buffer(8))
    return "SIGALRM by a timer"


def _on_pipe(command: int, argument: int | bytes) -> str:
    reading, writing = os.pipe()
    try:
        fcntl.fcntl(reading, command, argument)
    finally:
        os.close(reading)
        os.close(writing)
    return "set"


@attack("f-setsig", "seccomp")
def _f_setsig(_targets: Targets) -> str:
    return _on_pipe(_F_SETSIG, signal.SIGCONT)


@attack("f-setown", "seccomp")
def _f_setown(_targets: Targets) -> str:
    return _on_pipe(fcntl.F_SETOWN, os.getpid())


@attack("f-setown-ex", "seccomp")
def _f_setown_ex(_targets: Targets) -> str:
    owner = (1).to_bytes(4, "little") + os.getpid().to_bytes(4, "little")
    return _on_pipe(_F_SETOWN_EX, owner)


@attack("fioasync", "seccomp")
def _fioasync(_targets: Targets) -> str:
    # Signals at every arrival, to an owner that FIOSETOWN names without fcntl.
    one, other = socket.socketpair()
    with one, other:
        fcntl.ioctl(one, 0x8901, os.getpid().to_bytes(4, "little"))
    return "signals for a socket"


@attack("tiocsti", "seccomp")
def _tiocsti(_targets: Targets) -> str:
    controller, terminal = os.openpty()
    try:
        try:
            fcntl.ioctl(terminal, 0x540E, 0)  # TIOCSCTTY
        except OSError:
            if os.geteuid() != 0:
                raise
        fcntl.ioctl(terminal, 0x5412, b"x")
    finally:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        os.close(controller)
        os.close(terminal)
    return "typed into a terminal"


@attack("tiocsti-inherited", "seccomp", root=True, alone=True)
def _tiocsti_inherited(_targets: Targets) -> str:
    if not os.isatty(2):
        raise UnavailableError("standard error is no terminal")
    fcntl.ioctl(2, 0x5412, b"x")
    return "typed into the arena's terminal"
