"""One bot as a process: lines in, lines out, its errors kept, its end watched.

Nothing here knows of cards. `BotProcess.turn` writes one line and hands what comes back to a
`Judge`, with one absolute deadline that no amount of output moves.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress

import trio

from arena.process.asking import Judge, Outcome
from arena.process.ends import ProcessFacts, exit_text, facts_of_end, is_runnable, wait_for_exit
from arena.process.errors import StandardError
from arena.process.lines import LineCutter
from arena.process.memory import peak_kb, resident_kb
from arena.process.pipes import widen
from arena.sandbox.cgroups import Cgroup
from arena.sandbox.status import SandboxStatus
from protocol.codec import LINE_LIMIT, QUOTED_CHARS, quoted

FLOOD_BYTES = 1024 * 1024
"""How much a bot may write between two of its turns."""
_READ_BYTES = 64 * 1024
_LINE_BYTES = 4 * 1024
"""Read first: an answer is short, and a large buffer costs time."""
_SLOW_US = 1_000
"""An answer that takes longer gives the other bots time to think of their own."""
_MOST_WALL = 10
"""How much longer than its limit, in wall time, an answer may take whose CPU time is charged."""
_YIELD_NS = 5_000_000
"""How long instant bots may keep a game from letting the rest of the arena run."""


class BotProcess:
    """One bot as a process: lines in, lines out, its errors kept."""

    def __init__(
        self,
        popen: subprocess.Popen[bytes],
        sandbox: SandboxStatus | None = None,
        begun_fd: int | None = None,
    ) -> None:
        """`begun_fd`: where a byte comes once a sandbox is there; see `Prepared`."""
        assert popen.stdin is not None
        assert popen.stdout is not None
        assert popen.stderr is not None
        self.pid = popen.pid
        # Opened first: without it nobody could wait for the process.
        self._pidfd = os.pidfd_open(popen.pid) if sys.platform == "linux" else None
        self.games = 0
        """How many games it has been given."""
        self.has_answered = False
        """Whether it has said anything yet."""
        self.heard_in_game = False
        """Whether it has said anything in this game."""
        self.returncode: int | None = None
        """Exit status, or minus the signal that ended it; None while it runs."""
        self.max_rss_kb = 0
        """The most of it that was seen resident; 0 where it ended before anybody looked."""
        self._inherited_kb = peak_kb(os.getpid())
        """What the kernel counts as its own, too: this program's, until it became the bot's."""
        self.lasted_us = 0
        """How long the turn has lasted when something was last heard in it."""
        self._cpu_us = 0
        self._popen = popen
        self._sandbox = sandbox
        self._begun_fd = begun_fd
        self._has_begun = begun_fd is None
        """Whether a sandbox without a status of its own came to start the bot."""
        self._killed = False
        self._stdin, self._stdout = popen.stdin.fileno(), popen.stdout.fileno()
        self.errors = StandardError(popen.stderr.fileno())
        for end in (self._stdin, self._stdout, popen.stderr.fileno()):
            os.set_blocking(end, False)
        self._poll = select.poll()
        self._poll.register(self._stdout, select.POLLIN)
        self._unsent = b""
        self._input_open = True
        self._output_open = True
        self._lines: deque[bytes] = deque()
        self._cutter = LineCutter(LINE_LIMIT)
        self._received = 0
        self._flood_bytes = FLOOD_BYTES
        self._gone = trio.Event()
        self._waiting: trio.CancelScope | None = None
        self._yielded_ns = 0
        self._started = 0, 0
        """When the running turn was written, in ns, and its CPU time by then, in µs."""
        self._written_ns = 0
        """When the last of what it was sent was written."""
        self._is_frozen = False
        self.memory_limit_kb: int | None = None
        """How much of it may be resident, where the arena itself has to see to that."""
        self._is_too_large = False
        self.charges_cpu = False
        """Whether CPU time is charged, within ten times the limits in wall time."""

    # Talking

    def new_game(self) -> None:
        """Forget what it said after its last game: that counts for nothing any more.

        A line that it has only begun is one of the new game.
        """
        if self.games:
            self._read_available()
            self._lines.clear()
            self.errors.forget()
        self._received = 0
        self.games += 1
        self.heard_in_game = False

    def new_game_beside(self) -> None:
        """A game begins beside others: what it says for these still counts."""
        self.games += 1
        self.heard_in_game = False

    def take_batches(self, games: int) -> None:
        """So many games may go on in it at once: lines and output may be so much longer."""
        self._cutter.limit = games * LINE_LIMIT
        self._flood_bytes = games * FLOOD_BYTES
        widen(self._stdin, games)

    def post(self, line: bytes) -> None:
        """Send a line that asks for no answer; never waits."""
        self._write(line)

    def early_lines(self) -> list[bytes]:
        """Lines that can be read before a turn is written, some at a time; [] after the last."""
        while not self._lines and not self.has_flooded and self._readable():
            self._read()
        if not self._lines:
            return []
        lines = list(self._lines)
        self._lines.clear()
        return lines

    @property
    def has_flooded(self) -> bool:
        """Whether it wrote more than it may between two turns."""
        return self._received > self._flood_bytes

    @property
    def has_unread(self) -> bool:
        """Whether it has not taken all that it was sent."""
        return bool(self._unsent)

    async def turn(
        self, line: bytes, judge: Judge, alone: bool, slow: Callable[[], None] | None = None
    ) -> Outcome:
        """Write `line`, and hand the judge what comes until it is satisfied or time runs out.

        The clock runs from the moment the whole line is written; the time that writing takes is
        bounded by the same budget. `alone`: no other game waits for this thread, so it may wait
        for the answer in the kernel for a millisecond before it lets the loop run. `slow` is
        called once if the answer takes longer than that.
        """
        self._received = self.lasted_us = 0
        if self._is_frozen:
            self.thaw()
        started_cpu_us = self.cpu_us() if self.charges_cpu else 0
        if not self._write(line):
            if slow:
                slow()
            if not await self._send(judge.budget_us):
                return Outcome.TIMED_OUT
        started_ns = self._written_ns
        if self._lines:
            # Read while the turn was being sent: there may be nothing more to wait for.
            await trio.lowlevel.checkpoint()
        elif alone and started_ns - self._yielded_ns < _YIELD_NS:
            if not self._poll.poll(1) and slow:
                slow()
        else:
            self._yielded_ns = started_ns
            await self._wait(min(judge.budget_us, _SLOW_US) if slow else judge.budget_us)
            if slow and not self._readable():
                slow()
        self._started = started_ns, started_cpu_us
        return await self.go_on(judge, slow)

    async def go_on(self, judge: Judge, slow: Callable[[], None] | None = None) -> Outcome:
        """Listen until the judge is satisfied or time runs out: of a turn in which it had not.

        The time is still counted from when the turn was written.
        """
        started_ns, started_cpu_us = self._started
        while True:
            self._read()
            at_us = wall_us = (time.monotonic_ns() - started_ns) // 1000
            if self.charges_cpu:
                at_us = self.cpu_us() - started_cpu_us
            while self._lines:
                if judge.heard(self._lines.popleft(), at_us):
                    return Outcome.ANSWERED
            self.lasted_us = at_us
            if self.has_flooded:
                return Outcome.FLOODED
            left_us = judge.budget_us - at_us
            if left_us <= 0 or wall_us >= _MOST_WALL * judge.budget_us:
                return Outcome.TIMED_OUT
            if self._gone.is_set() and not self._readable():
                return Outcome.ENDED
            if slow:
                # It has said something that was no answer, or nothing.
                slow()
            await self._wait(left_us)

    def freeze(self) -> None:
        """Stop it until its next turn: it may not think in another's. Not before it has begun."""
        pid = self._bot_pid()
        if self.has_answered and self.returncode is None and pid is not None:
            with suppress(OSError):
                if self._group:
                    self._group.freeze()
                else:
                    os.kill(pid, signal.SIGSTOP)
                self._is_frozen = True

    def thaw(self) -> None:
        """Let it go on."""
        self._is_frozen = False
        pid = self._bot_pid()
        if self.returncode is None and pid is not None:
            with suppress(OSError):
                if self._group:
                    self._group.thaw()
                else:
                    os.kill(pid, signal.SIGCONT)

    @property
    def _group(self) -> Cgroup | None:
        """What holds a bot of several processes together."""
        return self._sandbox.group if self._sandbox else None

    def _readable(self) -> bool:
        return self._output_open and bool(self._poll.poll(0))

    async def _wait(self, left_us: int) -> None:
        """Wait until there is something to read, the process ends, or `left_us` have passed."""
        with trio.move_on_after(left_us / 1e6) as self._waiting:
            if self._gone.is_set() or self._readable():
                await trio.lowlevel.checkpoint()
            elif self._output_open:
                await trio.lowlevel.wait_readable(self._stdout)
            else:
                await self._gone.wait()
        self._waiting = None

    def _read_available(self) -> None:
        while self._readable() and not self.has_flooded:
            self._read()

    def _read(self) -> None:
        """Read what is there, without waiting, and cut it into lines."""
        if not self._output_open:
            return
        try:
            data = os.read(self._stdout, _LINE_BYTES)
            if len(data) == _LINE_BYTES and self._readable():
                data += os.read(self._stdout, _READ_BYTES)
        except BlockingIOError:
            return
        if not data:
            self._output_open = False
            return
        self.has_answered = self.heard_in_game = True
        self._received += len(data)
        if data.find(b"\n") != len(data) - 1 or self._cutter.is_within_line:
            self._lines += self._cutter.cut(data)
        elif not data.isspace():
            self._lines.append(data[:-1])

    def _write(self, line: bytes = b"") -> bool:
        """Write what is unsent and `line`, without waiting; whether the pipe took all of it."""
        if not self._input_open:
            return True
        data = self._unsent + line
        # Before: a bot on the same core may run, and answer, before the call returns.
        self._written_ns = time.monotonic_ns()
        try:
            written = os.write(self._stdin, data)
        except BlockingIOError:
            written = 0
        except BrokenPipeError:
            self._close_input()
            return True
        self._unsent = data[written:]
        return not self._unsent

    async def _send(self, budget_us: int) -> bool:
        """Wait until all is written, reading meanwhile so that no pipe blocks the other.

        Returns False where `budget_us` ran out; not where the process ended or flooded.
        """
        with trio.move_on_after(budget_us / 1e6) as self._waiting:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._read_on, nursery.cancel_scope)
                while not self._gone.is_set() and not self._write():
                    await trio.lowlevel.wait_writable(self._stdin)
                nursery.cancel_scope.cancel()
        self._waiting = None
        return not self._unsent or self._gone.is_set() or self.has_flooded

    async def _read_on(self, writing: trio.CancelScope) -> None:
        while self._output_open:
            await trio.lowlevel.wait_readable(self._stdout)
            self._read()
            if self.has_flooded:
                writing.cancel()

    # Watching and ending

    async def watch(self) -> None:
        """Wait for the process to end and take its exit status and what it used."""
        try:
            # Whoever ends the process waits for this, also while everything is being cancelled.
            with trio.CancelScope(shield=True):
                await self._ends()
            _, status, usage = os.wait4(self.pid, 0)
            self.returncode = self._popen.returncode = os.waitstatus_to_exitcode(status)
            if self._sandbox:
                usage = await self._end_sandbox(self._sandbox) or usage
                self.returncode = self._sandbox.returncode
            if self._begun_fd is not None:
                self._has_begun = bool(os.read(self._begun_fd, 1))
                os.close(self._begun_fd)
            # What a sandbox that is killed tells leaves out the bot: what was seen before counts.
            self._cpu_us = max(self._cpu_us, int((usage.ru_utime + usage.ru_stime) * 1e6))
            if usage.ru_maxrss > self._inherited_kb:
                self.max_rss_kb = max(self.max_rss_kb, usage.ru_maxrss)
        finally:
            self._gone.set()
            if self._waiting:
                self._waiting.cancel()

    async def _end_sandbox(self, sandbox: SandboxStatus) -> resource.struct_rusage | None:
        """What all that was in the sandbox used; where bubblewrap was killed it ends too."""
        first = sandbox.first_pid()
        if first is not None:
            # It may have been taken for an orphan, and be gone.
            with suppress(ProcessLookupError), trio.CancelScope(shield=True):
                await wait_for_exit(first)
        return sandbox.reap()

    async def _ends(self) -> None:
        if self._pidfd is None:
            return await wait_for_exit(self.pid)
        try:
            return await trio.lowlevel.wait_readable(self._pidfd)
        finally:
            os.close(self._pidfd)

    async def settle(self) -> None:
        """Put the sandbox into its control group as soon as it is there, and let it go on."""
        while self._sandbox and self._sandbox.is_held and not self._gone.is_set():
            try:
                await trio.lowlevel.wait_readable(self._sandbox.fileno())
            except trio.ClosedResourceError:
                return
            self._sandbox.first_pid()

    def stderr_text(self) -> str:
        """What it wrote to standard error in this game, at most the last 64 KiB."""
        return self.errors.text()

    def forget_stderr(self) -> None:
        """What it has written to standard error until now is no part of what comes."""
        self.errors.forget()

    @property
    def stderr_bytes(self) -> int:
        """How much it has written to standard error in all."""
        return self.errors.received

    def cpu_us(self) -> int:
        """CPU time of all its threads so far; 0 where the system does not tell."""
        pid = self._bot_pid()
        if self.returncode is None and pid is not None and sys.platform == "linux":
            # The kernel's clock id of a process: see clock_getcpuclockid(3).
            with suppress(OSError):
                if self._group:
                    self._cpu_us = self._group.cpu_us()
                else:
                    self._cpu_us = time.clock_gettime_ns((~pid << 3) | 2) // 1000
        return self._cpu_us

    def _bot_pid(self) -> int | None:
        """The process that is the bot itself, behind the sandbox's; None before it is known."""
        return self._sandbox.bot_pid() if self._sandbox else self.pid

    @property
    def was_out_of_memory(self) -> bool:
        """Whether it was ended for its memory."""
        return self._is_too_large or (self._sandbox is not None and self._sandbox.was_out_of_memory)

    def check_memory(self) -> None:
        """Look how much of it is resident; kill it if that is too much, where that is asked for."""
        if self.returncode is not None:
            return
        resident = resident_kb(self._bot_pid())
        self.max_rss_kb = max(self.max_rss_kb, resident)
        if self.memory_limit_kb is not None and resident > self.memory_limit_kb:
            self._is_too_large = True
            self.kill()

    @property
    def sandbox_failure(self) -> str | None:
        """Why the sandbox never came to start the bot: the arena's fault, not the bot's."""
        if self._killed or (self._sandbox.has_exit_code if self._sandbox else self._has_begun):
            return None
        lines = self.stderr_text().strip().splitlines()
        return lines[-1] if lines else "the sandbox ended without a word"

    def peak_memory_kb(self) -> int:
        """Peak resident memory so far; 0 where the system does not tell."""
        if self.returncode is None:
            self.max_rss_kb = peak_kb(self._bot_pid()) or self.max_rss_kb
        return self.max_rss_kb

    def facts(self) -> ProcessFacts:
        """What is known of it now."""
        code = self.returncode
        pipe = self._stdin if self._input_open and not self.has_unread else None
        return facts_of_end(code, pipe)._replace(
            cpu_us=self.cpu_us(),
            max_rss_kb=self.peak_memory_kb(),
            unfinished=quoted(self._cutter.begun(4 * QUOTED_CHARS)),
            unread=self.has_unread,
            closed=code is None and not self._output_open,
            runnable=code is None and is_runnable(self._bot_pid()),
        )

    async def last_words(self, wait_ms: int) -> list[bytes]:
        """Close its input; the lines that it writes then, until it ends or `wait_ms` are over."""
        self._close_input()
        with trio.move_on_after(wait_ms / 1000):
            await self._gone.wait()
        self._read_available()
        lines = list(self._lines)
        self._lines.clear()
        return lines

    def exit_text(self) -> str:
        """How it ended, in words."""
        return exit_text(self.returncode)

    def kill(self) -> None:
        """Kill its whole process group, or all that is in its sandbox."""
        if not self._killed:
            self.cpu_us()
            self.peak_memory_kb()
        self._killed = True
        if self._sandbox:
            self._sandbox.kill()
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    async def end(self, grace_ms: int) -> None:
        """Close its input, wait, kill it if need be, and let go of everything of it."""
        self._close_input()
        if self._is_frozen:
            self.thaw()
        with trio.move_on_after(grace_ms / 1000):
            await self._gone.wait()
        self.kill()
        await self._gone.wait()
        self.stderr_text()
        for pipe in (self._popen.stdout, self._popen.stderr):
            assert pipe is not None
            trio.lowlevel.notify_closing(pipe.fileno())
            pipe.close()
        self._output_open = self.errors.is_open = False
        if self._sandbox:
            trio.lowlevel.notify_closing(self._sandbox.fileno())
            self._sandbox.close()

    def _close_input(self) -> None:
        if self._input_open:
            assert self._popen.stdin is not None
            trio.lowlevel.notify_closing(self._stdin)
            self._popen.stdin.close()
            self._input_open = False
            self._unsent = b""
