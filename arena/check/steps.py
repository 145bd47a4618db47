"""The steps that a check has taken, and what was found in each."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple, Protocol

from arena.text import one_line
from protocol.check import CheckStep, Diagnosis, Verdict

_SHOWN = 4_000


class Finding(NamedTuple):
    """What came of one step."""

    verdict: Verdict
    sent: str
    received: str
    meaning: str
    diagnosis: Diagnosis | None = None

    def but(self, meaning: str) -> Finding:
        """The same with another meaning."""
        return self._replace(meaning=meaning)


def fine(sent: str, received: str, meaning: str) -> Finding:
    """As it should be."""
    return Finding("ok", sent, received, meaning)


def unsure(sent: str, received: str, meaning: str) -> Finding:
    """Allowed, but better known."""
    return Finding("warning", sent, received, meaning)


def failed(sent: str, received: str, meaning: str, diagnosis: Diagnosis | None = None) -> Finding:
    """To be mended before it can play."""
    return Finding("failed", sent, received, meaning, diagnosis)


def abridged(lines: Sequence[bytes]) -> str:
    """Some lines as text, each within bounds."""
    if not lines:
        return "nothing"
    texts = [one_line(line.decode("utf-8", "replace")) for line in lines]
    return " ⏎ ".join(text if len(text) <= _SHOWN else text[:_SHOWN] + "…" for text in texts)


class Watch(Protocol):
    """Whoever shows a check while it goes on."""

    def begin(self, name: str) -> None:
        """A step begins."""

    def goes_on(self, text: str) -> None:
        """How far the step is, as in `12 of 48 plays, 9 s left`."""

    def done(self, step: CheckStep) -> None:
        """A step is over."""


class Unwatched:
    """Nobody looks."""

    def begin(self, name: str) -> None:
        """A step begins."""

    def goes_on(self, text: str) -> None:
        """How far the step is."""

    def done(self, step: CheckStep) -> None:
        """A step is over."""


class Steps:
    """The steps taken so far, in order."""

    def __init__(self, watch: Watch) -> None:
        self.taken: list[CheckStep] = []
        self._watch = watch
        self._began = 0.0

    @property
    def first_problem(self) -> str:
        """What is to be mended first; empty while nothing is."""
        for step in self.taken:
            if step.verdict == "failed":
                return f"{step.name}: {step.meaning}"
        return ""

    def begin(self, name: str) -> None:
        """Say that a step begins."""
        self.set_out()
        self._watch.begin(name)

    def set_out(self) -> None:
        """From now on the time is taken for what `goes_on` tells."""
        self._began = time.monotonic()

    def goes_on(self, done: int, planned: int, what: str, most_s: float = float("inf")) -> None:
        """Say how far the step is; it ends after `most_s` seconds at the latest."""
        elapsed = time.monotonic() - self._began
        left = min(elapsed / done * (planned - done), most_s - elapsed) if done else most_s
        text = f"{done} of {planned} {what}"
        self._watch.goes_on(text if left == float("inf") else f"{text}, {max(0, left):.0f} s left")

    def add(self, name: str, found: Finding) -> None:
        """Note what came of a step."""
        step = CheckStep(number=len(self.taken) + 1, name=name, **found._asdict())
        self.taken.append(step)
        self._watch.done(step)

    def take(self, name: str, step: Callable[[], Finding]) -> None:
        """Take a step that needs no games."""
        self.add(name, step())

    async def take_async(self, name: str, step: Callable[[], Awaitable[Finding]]) -> None:
        """Take a step in which games are played."""
        self.begin(name)
        self.add(name, await step())
