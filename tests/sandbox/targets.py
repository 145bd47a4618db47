"""What attacking bots go for: secrets, sockets, shared memory, a key and another process."""

from __future__ import annotations

import ctypes
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

_CHANGED = (
    "truncate", "rename", "link", "symlink", "unlink", "chmod", "chown", "utime", "setxattr",
)  # fmt: skip
_SIBLING = """
import ctypes, os, sys
secret = ctypes.create_string_buffer(os.environ["SIBLING_SECRET"].encode())
print(ctypes.addressof(secret), flush=True)
sys.stdin.read()
"""
_IPC_PRIVATE, _IPC_RMID, _USER_KEYRING = 0, 0, -4
_ADD_KEY, _KEYCTL = (248, 250) if os.uname().machine == "x86_64" else (217, 219)
_SETPERM, _UNLINK, _EVERY_RIGHT = 5, 9, 0x3F3F3F3F


@contextmanager
def set_out(folder: Path, secret: str, sibling_uid: int | None) -> Iterator[dict[str, object]]:
    """Targets by name, as the attacking program takes them, until the end of the block.

    The sibling is another bot that happens to run; `sibling_uid`: as whom, None: as the arena.
    """
    with ExitStack() as ends:
        named: dict[str, object] = {
            "secret": secret,
            "arena-pid": os.getpid(),
            "host-name": os.uname().nodename,
            "cores": len(os.sched_getaffinity(0)),
        }
        named |= _files(folder, secret)
        named |= _sockets(folder, ends)
        named |= _shared_memory(secret, ends)
        named |= _key(secret, ends)
        named |= _sibling(secret, sibling_uid, ends)
        yield named


def _files(folder: Path, secret: str) -> dict[str, object]:
    """Anybody may read and change most of them: it is the sandbox that has to be in the way."""
    arena = folder / "arena"
    victims = arena / "victims"
    victims.mkdir(parents=True)
    for name in _CHANGED:
        (victims / name).write_text(secret)
        (victims / name).chmod(0o666)
    victims.chmod(0o777)
    modes = {"database": 0o666, "deck": 0o644, "other-bot": 0o644, "private": 0o600}
    for name, mode in modes.items():
        (arena / name).write_text(secret)
        (arena / name).chmod(mode)
    paths: dict[str, object] = {name: str(arena / name) for name in modes}
    return paths | {"arena-folder": str(arena), "victims": str(victims)}


def _sockets(folder: Path, ends: ExitStack) -> dict[str, object]:
    def opened(family: int, kind: int, address: object) -> socket.socket:
        made = ends.enter_context(socket.socket(family, kind))
        made.bind(address)  # type: ignore[arg-type]
        if kind == socket.SOCK_STREAM:
            made.listen()
        return made

    stream, datagram = socket.SOCK_STREAM, socket.SOCK_DGRAM
    tcp = opened(socket.AF_INET, stream, ("127.0.0.1", 0))
    udp = opened(socket.AF_INET, datagram, ("127.0.0.1", 0))
    abstract = f"kseri-test-{os.getpid()}"
    opened(socket.AF_UNIX, stream, "\0" + abstract)
    for kind, name in ((stream, "stream"), (datagram, "datagram")):
        opened(socket.AF_UNIX, kind, str(folder / name))
        (folder / name).chmod(0o777)
    named: dict[str, object] = {
        "tcp-port": tcp.getsockname()[1],
        "udp-port": udp.getsockname()[1],
        "abstract-socket": abstract,
        "unix-socket": str(folder / "stream"),
        "unix-datagram": str(folder / "datagram"),
    }
    try:
        tcp_6 = opened(socket.AF_INET6, stream, ("::1", 0))
    except OSError:
        # A machine without IPv6: the attack finds no target and says so.
        return named
    return named | {"tcp-port-6": tcp_6.getsockname()[1]}


def _shared_memory(secret: str, ends: ExitStack) -> dict[str, object]:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.shmat.restype = ctypes.c_void_p
    segment = libc.shmget(_IPC_PRIVATE, 4096, 0o1666)
    assert segment >= 0, os.strerror(ctypes.get_errno())
    ends.callback(libc.shmctl, segment, _IPC_RMID, None)
    ctypes.memmove(libc.shmat(segment, None, 0), secret.encode(), len(secret))
    file = Path(f"/dev/shm/kseri-test-{os.getpid()}")
    file.write_text(secret)
    ends.callback(file.unlink)
    file.chmod(0o666)
    return {"sysv-shm": segment, "shm-file": str(file)}


def _key(secret: str, ends: ExitStack) -> dict[str, object]:
    syscall = ctypes.CDLL(None, use_errno=True).syscall
    name = f"kseri-test-{os.getpid()}"
    key = syscall(_ADD_KEY, b"user", name.encode(), secret.encode(), len(secret), _USER_KEYRING)
    if key < 0:
        return {}
    ends.callback(syscall, _KEYCTL, _UNLINK, key, _USER_KEYRING)
    syscall(_KEYCTL, _SETPERM, key, _EVERY_RIGHT)
    return {"key": name}


def _sibling(secret: str, uid: int | None, ends: ExitStack) -> dict[str, object]:
    who = {} if uid is None else {"user": uid, "group": uid, "extra_groups": []}
    # Whoever the sibling is must be able to execute its Python.
    program = sys.executable if uid is None else "/usr/bin/python3"
    process = ends.enter_context(
        subprocess.Popen(
            [program, "-I", "-S", "-c", _SIBLING],
            env={"SIBLING_SECRET": secret},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            **who,  # type: ignore[call-overload]
        )
    )
    assert process.stdout is not None
    address = int(process.stdout.readline())
    return {"sibling-pid": process.pid, "sibling-address": address}
