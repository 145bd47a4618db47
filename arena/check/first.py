"""The first game of a bot: whether it starts, answers, and lets its answers go."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import trio

from arena.check.table import Altered, unaltered
from arena.process import BotProcess, Host, Judge, Outcome
from arena.sandbox import Launch
from protocol.codec import ProtocolError, decode_bot_line
from protocol.messages import Play

_HEARD = 4
"""How many of its first lines are kept."""
_IDLE_US = 20_000
"""CPU time that a program may use while it only waits: a runtime's own threads."""
_LOOK_S = 0.1
_LAST_WORDS_MS = 1_500


class _Ear:
    """A judge that remembers the first lines that it was given."""

    def __init__(self, judge: Judge, lines: list[bytes]) -> None:
        self._judge = judge
        self._lines = lines

    @property
    def budget_us(self) -> int:
        return self._judge.budget_us

    def heard(self, line: bytes, at_us: int) -> bool:
        self._lines.append(line[:1_000])
        del self._lines[_HEARD:]
        return self._judge.heard(line, at_us)


class Listening(Altered):
    """A bot whose input is closed if it neither answers nor computes for a while.

    What it writes then, it had kept: it did not flush, or had read to the end of its input.
    """

    def __init__(self, inner: BotProcess, quiet_s: float | None) -> None:
        """`quiet_s`: how long a silence it may keep; None: until its time is over."""
        super().__init__(inner, unaltered)
        self.sent: list[bytes] = []
        """The lines of its first turn and before."""
        self.heard: list[bytes] = []
        """Its first lines."""
        self.late: list[bytes] | None = None
        """What it wrote once its input was closed; None where that was not tried."""
        self.waited_us = 0
        """How long its turn had lasted when its input was closed."""
        self._quiet_s = quiet_s
        self._has_answered = False

    @property
    def answered_late(self) -> bool:
        """Whether there was an answer in what it wrote once its input was closed."""
        return self.late_answer is not None

    @property
    def late_answer(self) -> bytes | None:
        """The first answer in what it wrote once its input was closed."""
        return next(filter(_is_play, self.late or []), None)

    def post(self, line: bytes) -> None:
        """Send a line that asks for no answer."""
        self._keep(line)
        super().post(line)

    def _keep(self, line: bytes) -> None:
        if not self._has_answered:
            self.sent.append(line)

    def early_lines(self) -> list[bytes]:
        """What it wrote before its turn."""
        lines = self.inner.early_lines()
        self.heard += lines[: _HEARD - len(self.heard)]
        return lines

    async def turn(
        self, line: bytes, judge: Judge, alone: bool, slow: Callable[[], None] | None = None
    ) -> Outcome:
        """Ask, and listen closely until the first answer has come."""
        if self._has_answered:
            return await super().turn(line, judge, alone, slow)
        self._keep(line)
        outcome = await self._ask(line, _Ear(judge, self.heard), alone, slow)
        self._has_answered = outcome is Outcome.ANSWERED
        return outcome

    async def _ask(
        self, line: bytes, ear: _Ear, alone: bool, slow: Callable[[], None] | None
    ) -> Outcome:
        outcome, asked = None, trio.current_time()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._tire, nursery.cancel_scope)
            outcome = await super().turn(line, ear, alone, slow)
            nursery.cancel_scope.cancel()
        if outcome is None:
            self.waited_us = round((trio.current_time() - asked) * 1e6)
            self.late = await self.inner.last_words(_LAST_WORDS_MS)
        return outcome or Outcome.TIMED_OUT

    async def _tire(self, asking: trio.CancelScope) -> None:
        """Give up asking when nothing has happened for a while."""
        if self._quiet_s is None:
            return
        seen, since = self._activity(), trio.current_time()
        while trio.current_time() - since < self._quiet_s:
            await trio.sleep(_LOOK_S)
            now = self._activity()
            is_busy = self.inner.facts().runnable or now[0] - seen[0] > _IDLE_US
            if is_busy or now[1:] != seen[1:]:
                seen, since = now, trio.current_time()
        asking.cancel()

    def _activity(self) -> tuple[int, int, int]:
        """What changes while it does anything."""
        return self.inner.cpu_us(), self.inner.lasted_us, self.inner.stderr_bytes


def _is_play(line: bytes) -> bool:
    with suppress(ProtocolError):
        return isinstance(decode_bot_line(line), Play)
    return False


class _Patient:
    """A judge who allows a new process the time to start in, beside that for its turn."""

    def __init__(self, judge: Judge, boot_us: int) -> None:
        self._judge = judge
        self._boot_us = boot_us

    @property
    def budget_us(self) -> int:
        return self._judge.budget_us + self._boot_us

    def heard(self, line: bytes, at_us: int) -> bool:
        return self._judge.heard(line, max(1, at_us - self._boot_us))


class Restarting(Altered):
    """A bot whose process is replaced twice in the middle of a deal."""

    def __init__(self, host: Host, launch: Launch, boot_ms: int) -> None:
        super().__init__(host.start(launch), unaltered)
        self.restarts = 0
        self._boot_us = boot_ms * 1000
        self._host, self._launch = host, launch
        self._hello = b""
        self._turns = 0

    @property
    def is_new(self) -> bool:
        """Whether the process that has taken over has said nothing yet."""
        return self.restarts > 0 and not self.inner.has_answered

    def post(self, line: bytes) -> None:
        """Send a line that asks for no answer; `hello` is sent again to a new process."""
        if line.startswith(b'{"type":"hello"'):
            self._hello = line
        super().post(line)

    async def turn(
        self, line: bytes, judge: Judge, alone: bool, slow: Callable[[], None] | None = None
    ) -> Outcome:
        """Ask, at the third and the eighth turn a new process."""
        self._turns += 1
        if self._turns in (3, 8):
            await self._host.end(self.inner)
            self.inner = self._host.start(self._launch)
            self.inner.new_game()
            self.inner.post(self._hello)
            self.restarts += 1
            judge = _Patient(judge, self._boot_us)
        return await super().turn(line, judge, alone, slow)
