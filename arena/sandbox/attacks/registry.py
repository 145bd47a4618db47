"""What an attack is, and how one is tried."""

from __future__ import annotations

import errno
import signal
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import Any, Literal

Verdict = Literal["breach", "stopped", "unavailable"]

_TIMEOUT_S = 5


class UnavailableError(Exception):
    """The attack cannot be tried: no target was named, or the machine has no such thing."""


class StoppedError(Exception):
    """The attack failed other than by an error of the system."""


class Targets:
    """What was put outside of the sandbox to be attacked."""

    def __init__(self, named: dict[str, Any]) -> None:
        """`named`: the JSON object on the program's standard input."""
        self._named = named

    def text(self, name: str) -> str:
        """The target called `name`. Raises `UnavailableError` where there is none."""
        if name not in self._named:
            raise UnavailableError(f"no target {name!r} was named")
        return str(self._named[name])

    def number(self, name: str) -> int:
        """The same for a process, port, address or count."""
        return int(self.text(name))


@dataclass(frozen=True)
class Attack:
    """One thing that a bot must not be able to do."""

    name: str
    layer: str
    attempt: Callable[[Targets], str]
    """Returns what it got hold of; raises `OSError` or `StoppedError` where it was stopped."""
    root: bool
    """Only root can do it where nothing isolates."""
    alone: bool
    """Changes its process, or may end it: wants one of its own."""


ATTACKS: dict[str, Attack] = {}


def attack(
    name: str, layer: str, *, root: bool = False, alone: bool = False
) -> Callable[[Callable[[Targets], str]], Callable[[Targets], str]]:
    """Enter a function in `ATTACKS`."""

    def enter(attempt: Callable[[Targets], str]) -> Callable[[Targets], str]:
        add(Attack(name, layer, attempt, root, alone))
        return attempt

    return enter


def add(entry: Attack) -> None:
    """Enter an attack in `ATTACKS`; every name only once."""
    assert entry.name not in ATTACKS, entry.name
    ATTACKS[entry.name] = entry


def attempt(name: str, targets: Targets) -> tuple[Verdict, str]:
    """Try one attack: its verdict, and what it got hold of or what stopped it."""
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(_TIMEOUT_S)
    try:
        return "breach", ATTACKS[name].attempt(targets)
    except OSError as error:
        return "stopped", errno.errorcode.get(error.errno or 0, str(error))
    except StoppedError as why:
        return "stopped", str(why)
    except UnavailableError as why:
        return "unavailable", str(why)
    except Exception as mistake:
        # An attack that fails by its own fault has stopped nothing, and must not hide the others.
        return "unavailable", f"the attack itself failed: {mistake!r}"
    finally:
        signal.alarm(0)


def _too_long(_number: int, _frame: FrameType | None) -> None:
    raise UnavailableError(f"no end after {_TIMEOUT_S} s")
