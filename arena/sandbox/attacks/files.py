"""Attacks on files: reading the arena's and others', writing anywhere, mounting."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable

from .registry import Attack, StoppedError, Targets, UnavailableError, add, attack
from .system import NUMBERS, call

_AT_FDCWD = -100
_READABLE = {"read-shadow": "/etc/shadow", "read-passwd": "/etc/passwd"}
_SECRETS = ("database", "deck", "other-bot", "private")
_PLACES = ("/", "/tmp", "/dev/shm", "/var/tmp", "/run", "/dev", "/usr", "/etc", ".", "..")
_KERNEL_FILES = ("/proc/sys/kernel/core_pattern", "/proc/sys/vm/drop_caches", "/proc/sysrq-trigger")
_SENSITIVE = ("/root", "/home", "/etc", "/var", "/sys", "/proc", "/run", "/tmp", "/mnt", "/boot")
_DEVICES = (
    "zero", "full", "random", "tty", "ptmx", "console", "kmsg", "mem", "port", "kvm", "fuse",
    "vda", "sda", "nvme0n1", "loop-control", "vsock", "net/tun", "userfaultfd", "hpet", "rtc0",
)  # fmt: skip


def _reading(path: str) -> Callable[[Targets], str]:
    return lambda targets: _start_of(path)


def _reading_target(name: str) -> Callable[[Targets], str]:
    return lambda targets: _start_of(targets.text(name))


def _start_of(path: str) -> str:
    with open(path, "rb") as file:
        return repr(file.read(60))


def _writing_in(place: str) -> Callable[[Targets], str]:
    def attempt(_targets: Targets) -> str:
        path = os.path.join(place, f"kseri-attack-{os.getpid()}")
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600))
        os.unlink(path)
        return f"made {path}"

    return attempt


def _opening_to_write(path: str) -> Callable[[Targets], str]:
    def attempt(_targets: Targets) -> str:
        os.close(os.open(path, os.O_WRONLY))
        return f"opened {path} for writing"

    return attempt


for _name, _path in _READABLE.items():
    add(Attack(_name, "mount", _reading(_path), root=_name == "read-shadow", alone=False))
for _name in _SECRETS:
    add(Attack(f"read-{_name}", "mount", _reading_target(_name), root=False, alone=False))
for _path in _PLACES:
    _name = {"/": "root", ".": "own-folder", "..": "parent-folder"}.get(
        _path, _path[1:].replace("/", "-")
    )
    _root = _path in ("/", "/run", "/dev", "/usr", "/etc")
    add(Attack(f"write-{_name}", "mount", _writing_in(_path), root=_root, alone=False))
for _path in _KERNEL_FILES:
    _name = "open-" + os.path.basename(_path).replace("_", "-")
    add(Attack(_name, "mount", _opening_to_write(_path), root=True, alone=False))


@attack("write-database", "mount")
def _write_database(targets: Targets) -> str:
    with open(targets.text("database"), "r+b"):
        return "opened for writing"


@attack("list-arena", "mount")
def _list_arena(targets: Targets) -> str:
    return repr(os.listdir(targets.text("arena-folder")))


@attack("list-sensitive", "mount")
def _list_sensitive(_targets: Targets) -> str:
    return _first_of([f"{path}: {names[:3]}" for path in _SENSITIVE if (names := _listed(path))])


def _listed(path: str) -> list[str]:
    try:
        # What the dynamic loader needs may be shown: it names libraries.
        return [name for name in os.listdir(path) if name != "ld.so.cache"]
    except OSError:
        return []


@attack("open-devices", "mount")
def _open_devices(_targets: Targets) -> str:
    return _first_of([name for name in _DEVICES if _opens("/dev/" + name)])


def _opens(path: str) -> bool:
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY))
    except OSError:
        return False
    return True


def _first_of(found: list[str]) -> str:
    if not found:
        raise StoppedError("none can be opened")
    return "; ".join(found)[:300]


@attack("stat-any", "mount")
def _stat_any(targets: Targets) -> str:
    return f"{os.stat(targets.text('database')).st_size} bytes"


@attack("o-path-any", "mount")
def _o_path_any(targets: Targets) -> str:
    os.close(os.open(targets.text("database"), os.O_PATH))
    return "opened with O_PATH"


@attack("chdir-any", "mount")
def _chdir_any(targets: Targets) -> str:
    before = os.getcwd()
    os.chdir(targets.text("arena-folder"))
    os.chdir(before)
    return "stood in the arena's folder"


def _victim(targets: Targets, name: str) -> bytes:
    return os.path.join(targets.text("victims"), name).encode()


def _changing(name: str, attempt: Callable[[bytes], object]) -> None:
    def on_its_own(targets: Targets) -> str:
        attempt(_victim(targets, name))
        return "changed"

    add(Attack(f"{name}-file", "mount", on_its_own, root=False, alone=False))


def _any_call(*calls: tuple[str, tuple[int | bytes | None, ...]]) -> None:
    """Every way into the kernel that does the same: one that works is enough."""
    last: OSError | None = None
    for name, arguments in calls:
        try:
            if name in NUMBERS:
                call(name, *arguments)
                return
        except OSError as error:
            last = error
    raise last or UnavailableError("no such system call")


def _chmod(path: bytes) -> None:
    _any_call(
        ("chmod", (path, 0o600)),
        ("fchmodat", (_AT_FDCWD, path, 0o600)),
        ("fchmodat2", (_AT_FDCWD, path, 0o600, 0)),
    )


def _chown(path: bytes) -> None:
    _any_call(("chown", (path, -1, -1)), ("fchownat", (_AT_FDCWD, path, -1, -1, 0)))


def _utime(path: bytes) -> None:
    _any_call(
        ("utime", (path, None)),
        ("utimes", (path, None)),
        ("utimensat", (_AT_FDCWD, path, None, 0)),
    )


def _setxattr(path: bytes) -> None:
    attribute = (path, b"user.kseri", b"x", 1, 0)
    _any_call(("setxattr", attribute), ("lsetxattr", attribute))


_changing("truncate", lambda path: os.truncate(path, 1))
_changing("rename", lambda path: os.rename(path, path + b"-renamed"))
_changing("link", lambda path: os.link(path, path + b"-linked"))
_changing("symlink", lambda path: os.symlink(b"/", path + b"-symlink"))
_changing("unlink", os.unlink)
_changing("chmod", _chmod)
_changing("chown", _chown)
_changing("utime", _utime)
_changing("setxattr", _setxattr)


@attack("mount", "mount", root=True)
def _mount(_targets: Targets) -> str:
    here = os.getcwd().encode()
    call("mount", here, here, None, 4096, None)
    call("umount2", here, 2)
    return "mounted"


@attack("fsopen", "mount", root=True)
def _fsopen(_targets: Targets) -> str:
    os.close(call("fsopen", b"tmpfs", 0))
    return "a new filesystem"


@attack("chroot", "mount", root=True)
def _chroot(_targets: Targets) -> str:
    call("chroot", b"/")
    return "changed root"


@attack("name-to-handle", "seccomp")
def _name_to_handle(_targets: Targets) -> str:
    _file_handle("/usr/bin")
    return "a handle of /usr/bin"


def _file_handle(path: str) -> bytes:
    # struct file_handle: room in bytes, kind, and the handle itself
    handle = bytearray((128).to_bytes(4, "little") + bytes(132))
    buffer = _buffer(handle)
    call("name_to_handle_at", _AT_FDCWD, path.encode(), buffer, _buffer(bytearray(8)), 0)
    return bytes(buffer)


def _buffer(content: bytearray) -> ctypes.Array[ctypes.c_char]:
    return (ctypes.c_char * len(content)).from_buffer(content)


@attack("open-by-handle", "seccomp", root=True)
def _open_by_handle(_targets: Targets) -> str:
    try:
        handle = _file_handle("/usr/bin")
    except OSError:
        # Made up: the root folder of most file systems.
        handle = bytes([8, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]) + bytes(128)
    place = os.open("/usr", os.O_RDONLY)
    try:
        os.close(call("open_by_handle_at", place, handle, os.O_RDONLY))
    finally:
        os.close(place)
    return "opened a file by its handle"
