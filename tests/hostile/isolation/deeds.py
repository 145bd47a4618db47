"""Plays well, but tries something in its first turn, and tells on standard error how far it got.

The word names what it tries. What comes after it are words for the deed itself.
"""

import contextlib
import ctypes
import fcntl
import mmap
import os
import resource
import signal
import sys
import threading
import time
from pathlib import Path

from talk import answer, say, turns

MIB = 1 << 20
MOST = 128
"""How far a deed goes that nothing stops, so that no machine is harmed."""
PLACES = (".", "/tmp", "/dev/shm", "/var/tmp", "/run", "/", "/dev")
libc = ctypes.CDLL(None, use_errno=True)


def count(step):
    """How often `step` can be done until the system refuses it."""
    for done in range(MOST):
        try:
            step()
        except (OSError, RuntimeError, ValueError, MemoryError):
            return done
    return MOST


def fork_and_stay(detach=lambda: None):
    parent = os.getpid()
    if os.fork():
        return
    libc.prctl(1, signal.SIGKILL, 0, 0, 0)
    detach()
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    while os.getppid() == parent:
        signal.pause()
    os._exit(0)


def forks():
    return count(fork_and_stay)


def detaches():
    return count(lambda: fork_and_stay(os.setsid))


def helpers():
    """Three processes that compute all the time."""

    def work():
        while True:
            pass

    for _ in range(3):
        fork_and_stay(work)
    return 3


def threads():
    threading.stack_size(64 * 1024)
    stay = threading.Event()
    return count(lambda: threading.Thread(target=stay.wait, daemon=True).start())


def shares():
    """MiB of memory that the limit of data does not count."""
    kept = []

    def anonymous():
        kept.append(mmap.mmap(-1, MIB))
        kept[-1].write(bytes(MIB))

    def nameless():
        kept.append(os.memfd_create("deed"))
        os.write(kept[-1], bytes(MIB))

    def system_v():
        segment = libc.shmget(0, MIB, 0o1600)
        if segment < 0:
            raise OSError
        libc.shmctl(segment, 0, None)

    return sum(map(count, (anonymous, nameless, system_v)))


def writes():
    """Files that could be made, wherever one might be; they are left behind."""

    def make(place):
        path = Path(place, f"kseri-deed-{os.getpid()}")
        try:
            path.write_bytes(b"left behind")
        except OSError:
            return 0
        if sys.argv[2:] == ["tidy"]:
            path.unlink()
        return 1

    return sum(map(make, PLACES))


def signals(number):
    """Which of its parent, the first process and all others it could send a signal to.

    The first process of a name space may be sent signals by its own, and takes none.
    """
    reached = []
    for name, pid in (("parent", os.getppid()), ("all", -1)):
        with contextlib.suppress(OSError):
            os.kill(pid, int(number) if name == "parent" else 0)
            reached.append(name)
    return " ".join(reached) or "nobody"


def reads(*paths):
    """Which of these paths, and of the arena's own, can be read."""
    parent = os.getppid()
    found = []
    for path in (*paths, f"/proc/{parent}/environ", f"/proc/{parent}/mem", "/etc/passwd"):
        with contextlib.suppress(OSError), open(path, "rb") as file:
            file.read(0 if path.endswith("mem") else 1)
            found.append(path)
    with contextlib.suppress(OSError):
        found += [f"/proc/{name}" for name in os.listdir("/proc") if name.isdigit()][:3]
    return " ".join(found) or "nothing"


def world():
    """What every bot finds: its environment, and two devices."""
    with open("/dev/null", "r+b", buffering=0) as null, open("/dev/urandom", "rb") as random:
        null.write(random.read(8))
    return " ".join(sorted(os.environ))


def limits():
    """The soft and hard limits that it runs under."""
    names = [name for name in dir(resource) if name.startswith("RLIMIT_")]
    found = {name: resource.getrlimit(getattr(resource, name)) for name in names}
    return " ".join(f"{name[7:].lower()}={soft}:{hard}" for name, (soft, hard) in found.items())


def wakes_itself():
    """Has itself sent SIGCONT, by the kernel's timers and by signals for input; then works on."""
    signal.signal(signal.SIGCONT, lambda *_: None)
    event = (ctypes.c_int * 16)(0, 0, signal.SIGCONT, 0)
    timer = ctypes.c_int()
    times = (ctypes.c_long * 4)(0, 10_000_000, 0, 10_000_000)
    made = 0
    if hasattr(libc, "timer_create") and libc.timer_create(1, event, ctypes.byref(timer)) == 0:
        pointer = ctypes.c_void_p.from_buffer_copy(bytes(timer).ljust(8, b"\0"))
        made += libc.timer_settime(pointer, 0, times, None) == 0
    with contextlib.suppress(OSError):
        fcntl.fcntl(0, 10, signal.SIGCONT)
        fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(0, fcntl.F_SETFL, os.O_ASYNC)
        made += 1
    spins()
    return made


def spins():
    """Computes all the time, in its own turn or not."""

    def work():
        while True:
            pass

    for _ in range(2):
        threading.Thread(target=work, daemon=True).start()
    return "on"


def outlives():
    """Minds neither signals nor the end of its input."""
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=lambda: time.sleep(60)).start()
    return "on"


def floods_errors():
    """Writes to standard error without end, beside its play."""

    def flood():
        while True:
            os.write(2, b"x" * 65_535 + b"\n")

    threading.Thread(target=flood, daemon=True).start()
    return "on"


def closes_everything():
    """All descriptors but the three that it was given."""
    os.closerange(3, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    return "on"


for played, turn in enumerate(turns()):
    if not played:
        deed, *words = sys.argv[1:]
        words = words if deed in ("signals", "reads") else []
        sys.stderr.write(f"{deed}: {globals()[deed](*words)}\n")
        sys.stderr.flush()
    say(answer(turn))
